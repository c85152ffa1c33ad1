"""The inner loops of `cpu`: row by row, where a row is all positions with the same two higher pairs b <= c and a lowest
pair a of one class.

Values are whole numbers, ONE being a certain win. They lie where the waiting seat would look, so what a move leads to
lies in a row again: a and one of b and c are as they were. Only where the pair that changed gets lower than a are the
values of a row far apart.

A *batch* is some rows of one block (three classes of pairs). It is first computed and then stored, so that it does not
matter how many threads there are: what is found is the same, bit by bit.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from dicehall.coach.knucklebones.pairs import NO_PAIR
from dicehall.coach.knucklebones.table import ONE
from dicehall.solve.compiled import njit
from dicehall.solve.knucklebones.blocks import Numbers

HALF = 3  # sixths: a value that is off by no more stays, or more of them would swing between two neighbours
PARTS = 64  # of a batch; each is one thread's


@njit()
def two(b: int) -> int:
    return b * (b + 1) // 2


@njit()
def three(c: int) -> int:
    return c * (c + 1) * (c + 2) // 6


@njit()
def next_rows(block: Numbers, cursor: Numbers, size: int, b_of: Numbers, c_of: Numbers, starts: Numbers) -> int:
    """The rows of the next batch, of about `size` positions: their pairs into `b_of` and `c_of`, where each begins in
    the batch into `starts`. How many rows there are; `cursor` (c, b) moves on."""
    a_first, a_last, b_first, b_last, _, c_last = block
    c, b = cursor
    rows, filled = 0, 0
    while c < c_last and rows < len(b_of) and filled < size:
        if b >= min(b_last, c + 1):
            c += 1
            b = b_first
            continue
        count = min(a_last, b + 1) - a_first
        if count > 0:
            b_of[rows], c_of[rows], starts[rows] = b, c, filled
            rows += 1
            filled += count
        b += 1
    cursor[0], cursor[1] = c, b
    starts[rows] = filled
    return rows


@njit()
def _take(least: Numbers, values: Numbers, first: int, a_first: int, low: int, high: int, add: bool) -> None:
    """Of each position of a row whose two other pairs are `low` and `high`, its value, or the least so far."""
    if low > high:
        low, high = high, low
    count = len(least)
    near = min(max(low + 1 - a_first, 0), count)  # as long as a <= low they lie side by side
    start = two(low) + three(high) - first + a_first
    row = values[start : start + near]
    if add:
        for at in range(near):
            least[at] = min(least[at], row[at])
    else:
        for at in range(near):
            least[at] = row[at]
    start = low + three(high) - first
    for at in range(near, count):
        a = a_first + at
        value = values[start + two(a)]
        if add:
            value = min(value, least[at])
        least[at] = value


@njit(parallel=True)
def backup(
    values: Numbers, first: int, found: Numbers, rows: int, b_of: Numbers, c_of: Numbers, starts: Numbers, a_first: int,
    moves: tuple[bool, bool, bool], after: Numbers, step: int,
) -> None:  # fmt: skip
    """What each position of a batch is worth to the seat that rolls, added up over the best placements of the six dice:
    those with the least value to the other seat. `moves` says of a, b and c whether there is room. With a `step`, the
    value of a position is the least value, less the step, to both seats alike; nothing is less than 0."""
    move_a, move_b, move_c = moves
    for part in prange(PARTS):
        least_room = np.empty(NO_PAIR, np.uint16)
        total_room = np.empty(NO_PAIR, np.uint32)
        for row in range(part * rows // PARTS, (part + 1) * rows // PARTS):
            b, c, count = b_of[row], c_of[row], starts[row + 1] - starts[row]
            least = least_room[:count]
            total = total_room[:count]
            total[:] = 0
            for die in range(6):
                if move_c:
                    _take(least, values, first, a_first, b, after[c, die], False)
                if move_b:
                    _take(least, values, first, a_first, after[b, die], c, move_c)
                if move_a:
                    start = two(b) + three(c) - first
                    own = values[start : start + b + 1]
                    if move_b or move_c:
                        for at in range(count):
                            least[at] = min(least[at], own[after[a_first + at, die]])
                    else:
                        for at in range(count):
                            least[at] = own[after[a_first + at, die]]
                for at in range(count):
                    total[at] += np.uint32(least[at])
            out = found[starts[row] : starts[row + 1]]
            for at in range(count):
                if step:
                    out[at] = max(total[at], np.uint32(6 * step)) - np.uint32(6 * step)
                else:
                    out[at] = np.uint32(6 * ONE) - total[at]


@njit(parallel=True)
def backup_last(
    found: Numbers, rows: int, b_of: Numbers, c_of: Numbers, starts: Numbers, a_first: int,
    moves: tuple[bool, bool, bool], after: Numbers, lead: Numbers, draw: int,
) -> None:  # fmt: skip
    """The same for positions where the seat that rolls has one free slot: the game ends with the die."""
    move_a, move_b, _ = moves
    for part in prange(PARTS):
        for row in range(part * rows // PARTS, (part + 1) * rows // PARTS):
            b, c = b_of[row], c_of[row]
            for at in range(starts[row + 1] - starts[row]):
                a = a_first + at
                total = 0
                for die in range(6):
                    if move_a:
                        ahead = lead[after[a, die]] + lead[b] + lead[c]
                    elif move_b:
                        ahead = lead[a] + lead[after[b, die]] + lead[c]
                    else:
                        ahead = lead[a] + lead[b] + lead[after[c, die]]
                    total += ONE if ahead > 0 else draw if ahead == 0 else 0
                found[starts[row] + at] = total


@njit(parallel=True)
def ended(
    found: Numbers, rows: int, b_of: Numbers, c_of: Numbers, starts: Numbers, a_first: int, lead: Numbers, draw: int
) -> None:  # fmt: skip
    """The same for positions where the other seat has filled its grid."""
    for part in prange(PARTS):
        for row in range(part * rows // PARTS, (part + 1) * rows // PARTS):
            others = lead[b_of[row]] + lead[c_of[row]]
            for at in range(starts[row + 1] - starts[row]):
                ahead = lead[a_first + at] + others
                found[starts[row] + at] = 6 * (ONE if ahead > 0 else draw if ahead == 0 else 0)


@njit(parallel=True)
def store(
    values: Numbers, first: int, found: Numbers, rows: int, b_of: Numbers, c_of: Numbers, starts: Numbers, a_first: int,
    turned: Numbers, compare: bool,
) -> int:  # fmt: skip
    """Put a sixth of what was found in its place; how much the value that changed most has changed. If it is only to
    `compare`, nothing changes, and the answer is how many sixths the value is off that is most."""
    most = np.zeros(PARTS, np.int64)
    for part in prange(PARTS):
        largest = 0
        for row in range(part * rows // PARTS, (part + 1) * rows // PARTS):
            low, high = turned[b_of[row]], turned[c_of[row]]
            if low > high:
                low, high = high, low
            lowest = two(low) + three(high) - first
            middle = low + three(high) - first
            highest = low + two(high) - first
            for at in range(starts[row + 1] - starts[row]):
                a = turned[a_first + at]
                place = lowest + a if a <= low else middle + two(a) if a <= high else highest + three(a)
                sixths, old = int(found[starts[row] + at]), int(values[place])
                if compare:
                    largest = max(largest, abs(sixths - 6 * old))
                elif abs(sixths - 6 * old) > HALF:
                    value = (sixths + 3) // 6
                    largest = max(largest, abs(value - old))
                    values[place] = value
        most[part] = largest
    return int(most.max())
