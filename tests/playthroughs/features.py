"""Does a transcript show what it is there for? Judged by its text alone, not by the rules that wrote it.

Each function returns the number of a step at which the feature is to be seen, or 0 when it is not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from tests.playthroughs.transcript import Line, Transcript

Shown = Callable[[Transcript], int]


def first(lines: Iterable[Line]) -> int:
    return next((line.number for line in lines), 0)


def at_the_end(transcript: Transcript, shown: bool) -> int:
    return transcript.end.number if shown else 0


def ends_by(*why: str) -> Shown:
    return lambda transcript: at_the_end(transcript, transcript.why in why)


def makes_move(move: str) -> Shown:
    return lambda transcript: first(line for line in transcript.moves if line.played == move)


def both(one: Shown, other: Shown) -> Shown:
    """Both are shown; the second one's step counts."""
    return lambda transcript: other(transcript) if one(transcript) else 0


# -- the 3x3 boards: 55./6.2/... 5 r, with a second board in front of the rest for two seats


def lite_boards(line: Line) -> list[str]:
    return [field for field in line.fields if field.count("/") == 2]


def lite_points(board: str, columns: bool) -> int:
    """The points of a full board without a wild six: every line three times, twice or once its sum."""
    rows = board.split("/")
    lines = rows + ["".join(row[place] for row in rows) for place in range(3)] if columns else rows
    return sum(sum(map(int, line)) * (4 - len(set(line))) for line in lines)


def lite_triple(transcript: Transcript) -> int:
    rows = [row for board in lite_boards(transcript.end) for row in board.split("/")]
    return at_the_end(transcript, any(len(set(row)) == 1 for row in rows))


def lite_columns(transcript: Transcript) -> int:
    [board] = lite_boards(transcript.end)
    rows, total = lite_points(board, False), lite_points(board, True)
    return at_the_end(transcript, transcript.scores == (total,) and total > 2 * rows)


def lite_wild(transcript: Transcript) -> int:
    """Without the wild six some board would have scored something else."""
    columns = transcript.options.get("columns") == "true"
    plain = tuple(lite_points(board, columns) for board in lite_boards(transcript.end))
    return at_the_end(transcript, plain != transcript.scores)


def lite_three_sixes(transcript: Transcript) -> int:
    return first(line for line in transcript.lines if any("666" in board for board in lite_boards(line)))


# -- who begins


def seat_1_begins(transcript: Transcript) -> int:
    return transcript.moves[0].number if transcript.moves[0].actor == "seat 1" else 0


def seat_is_drawn(seat: int, die: int) -> Shown:
    """The first roll only decides who begins; the second is the first die to place."""

    def shown(transcript: Transcript) -> int:
        start, draw, roll, move = transcript.lines[:4]
        drawn = start.fields[2] == "-" and draw.played == f"d{die}" and draw.fields[2] == str(seat)
        return draw.number if drawn and roll.actor == "dice" and move.actor == f"seat {seat}" else 0

    return shown


# -- farkle: 3450:0 0 8 300 [222]1[5]6 selection -


def farkle_loses_points(transcript: Transcript) -> int:
    """A roll in which nothing scores takes the points at stake with it."""
    pairs = zip(transcript.lines, transcript.lines[1:], strict=False)
    return first(now for before, now in pairs if now.fields[5] == "farkle" and before.fields[3] != "0")


def farkle_hot_dice(transcript: Transcript) -> int:
    return first(line for line in transcript.lines if line.fields[4:6] == ["......", "selected"])


def farkle_keeps_six(shape: list[int]) -> Shown:
    def shown(transcript: Transcript) -> int:
        return first(
            line
            for line in transcript.moves
            if line.played.isdecimal() and sorted(Counter(line.played).values()) == shape
        )

    return shown


def farkle_last_turns(transcript: Transcript) -> int:
    """A seat reaches the target, all others have a turn after that, and one of them overtakes it."""
    reached = [line for line in transcript.lines if line.fields[6] != "-"]
    closer = reached[0].fields[6]
    others = {line.fields[1] for line in reached} - {closer}
    overtaken = int(closer) not in transcript.winners
    return reached[0].number if overtaken and len(others) == len(transcript.seats) - 1 else 0


def farkle_held_by_minimum(transcript: Transcript) -> int:
    return first(line for line in transcript.moves if line.fields[5] == "selected" and line.next == ("roll",))


def farkle_no_die_left(transcript: Transcript) -> int:
    return first(line for line in transcript.moves if len(line.fields[4].strip("[]")) == 6 and line.next == ("bank",))


# -- shut the box: 1234.67.. 65 0 2 11:7x - -


def shut_the_box_tiles(line: Line) -> list[int]:
    return [place for place, mark in enumerate(line.fields[0], 1) if mark != "."]


def box_total(line: Line) -> int:
    """The total of the first seat."""
    return int(line.fields[4].split(":")[0].removesuffix("x"))


def box_turned(line: Line) -> list[int]:
    """The tiles of a move; none in a choice of dice."""
    return [int(tile) for tile in line.played.split("+") if tile.isdecimal()]


def box_fitting(line: Line, count: int) -> bool:
    """Do `count` open tiles add up to the dice of this roll?"""
    total, sums = sum(map(int, line.played.removeprefix("d"))), {(0, 0)}
    for tile in shut_the_box_tiles(line):
        sums |= {(size + 1, points + tile) for size, points in sums}
    return (count, total) in sums


def box_turns_tiles(count: int) -> Shown:
    return lambda transcript: first(line for line in transcript.moves if len(box_turned(line)) == count)


def box_high_tile(transcript: Transcript) -> int:
    return first(line for line in transcript.moves if max(box_turned(line), default=0) > 9)


def box_only_pairs(transcript: Transcript) -> int:
    """Two tiles every time, even where one tile alone would fit the roll."""
    if any(len(box_turned(line)) not in (0, 2) for line in transcript.moves):
        return 0
    return first(line for line in transcript.rolls if line.fields[1].isdecimal() and box_fitting(line, 1))


def box_at_most_two_tiles(transcript: Transcript) -> int:
    """One tile or two every time, even where three would fit the roll."""
    if any(len(box_turned(line)) > 2 for line in transcript.moves):
        return 0
    return first(line for line in transcript.rolls if line.fields[1].isdecimal() and box_fitting(line, 3))


def box_scores_digits(transcript: Transcript) -> int:
    left = shut_the_box_tiles(transcript.end)
    return at_the_end(transcript, len(left) > 1 and box_total(transcript.end) == int("".join(map(str, left))))


def box_scores_tiles_left(transcript: Transcript) -> int:
    left = shut_the_box_tiles(transcript.end)
    return at_the_end(transcript, len(left) > 1 and box_total(transcript.end) == len(left))


def box_total_falls(transcript: Transcript) -> int:
    """A better round takes the place of a worse one."""
    pairs = zip(transcript.lines, transcript.lines[1:], strict=False)
    return first(now for before, now in pairs if box_total(now) < box_total(before))


def box_round(number: int) -> Shown:
    return lambda transcript: first(line for line in transcript.lines if line.fields[3] == str(number))


def box_seat_is_out(transcript: Transcript) -> int:
    """A seat is out, and the others play on without it."""
    return first(line for line in transcript.lines if "x" in line.fields[4])


def box_mulligan(transcript: Transcript) -> int:
    return first(line for line in transcript.rolls if "m" in line.fields[5] and "*" in line.fields[1])


def box_doubles_again(transcript: Transcript) -> int:
    return first(line for line in transcript.rolls if "d" in line.fields[5] and line.fields[1] == "**")


def box_opening_turn(transcript: Transcript) -> int:
    return first(line for line in transcript.moves if line.fields[5].startswith("o") and box_turned(line))


def box_one_die_unasked(transcript: Transcript) -> int:
    asked = any(line.next == ("one", "two") for line in transcript.lines)
    return 0 if asked else first(line for line in transcript.rolls if len(line.played) == 2)


def box_two_dice_for_low_tiles(transcript: Transcript) -> int:
    """No tile above six is open, and still two dice have to be rolled."""
    return first(line for line in transcript.lines if line.next == ("(2 dice)",) and max(shut_the_box_tiles(line)) <= 6)


def box_choice_of_dice(transcript: Transcript) -> int:
    return first(line for line in transcript.lines if line.next == ("one", "two"))


def box_never_one_die(transcript: Transcript) -> int:
    one_die = any(len(line.played) == 2 for line in transcript.rolls)
    return 0 if one_die or box_choice_of_dice(transcript) else box_two_dice_for_low_tiles(transcript)


# -- knucklebones: 33/2/1 55/4/626 0 4


def knucklebones_breaks(dice: int) -> Shown:
    """A move takes at least `dice` dice from the other grid."""

    def count(line: Line, seat: int) -> int:
        return sum(mark.isdecimal() for mark in line.fields[seat])

    def shown(transcript: Transcript) -> int:
        pairs = zip(transcript.lines, transcript.lines[1:], strict=False)
        return first(now for before, now in pairs for seat in (0, 1) if count(before, seat) - count(now, seat) >= dice)

    return shown
