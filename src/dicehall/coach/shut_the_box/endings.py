"""How perfectly played rounds of Shut the Box end: in how many courses of the dice on which tile set."""

from __future__ import annotations

from typing import NamedTuple

from dicehall.coach.shut_the_box.one_round import Perfect


class Choice(NamedTuple):
    """What perfect play makes of all rolls of some dice, in ways out of 36."""

    left: list[tuple[int, int]]  # ways to a roll that fits, the tile set that the best move leaves
    misses: int
    doubles: int  # of the misses


class Followed:
    """Perfect play, followed forward. Of equally good moves the first one is played, in the order of the game."""

    def __init__(self, played: Perfect) -> None:
        self.played, self.box = played, played.box
        self.known: dict[tuple[int, int, bool], Choice] = {}

    def ends(self, starts: list[int]) -> list[int]:
        """How many courses end stuck on each tile set, if `starts` begin on each; at 0: with the last tile turned.

        Every roll divides courses by 36; what is left over of them then is lost.
        """
        box, ended = self.box, [0] * len(starts)
        fresh, spent = starts[:], [0] * len(starts)
        if not box.mulligan:
            fresh, spent = spent, fresh
        for bits in range(box.full, 0, -1):
            for used, reached in ((False, fresh), (True, spent)):
                if reached[bits]:
                    self._roll(bits, self._dice(bits, used), used, False, reached[bits], (fresh, spent), ended)
        ended[0] = fresh[0] + spent[0]
        return ended

    def _roll(
        self, bits: int, dice: int, used: bool, again: bool, ways: int,
        reached: tuple[list[int], list[int]], ended: list[int],
    ) -> None:  # fmt: skip
        """`used`: the mulligan; `again`: doubles that fitted nothing have been rolled again."""
        choice, share = self._choice(bits, dice, used), ways // 36
        for orders, left in choice.left:
            reached[used][left] += orders * share
        misses = choice.misses
        if self.box.long and choice.doubles and not again:
            self._roll(bits, dice, used, True, choice.doubles * share, reached, ended)
            misses -= choice.doubles
        if misses and used:
            ended[bits] += misses * share
        elif misses:
            self._roll(bits, dice, True, True, misses * share, reached, ended)

    def _dice(self, bits: int, used: bool) -> int:
        dice = self.box.dice[bits]
        return dice[0] if len(dice) == 1 else self.played.best_dice(bits, used)

    def _choice(self, bits: int, dice: int, used: bool) -> Choice:
        key = bits, dice, used
        if key not in self.known:
            values, row, best = self.played.spent if used else self.played.fresh, self.box.row, self.played.best
            first = bits & -row
            single, choice, misses, doubles = self.box.to_six[dice][bits - first]
            low = values[first : first + row]
            left = [(ways, first + one) for ways, one in single]
            for ways, look_up, sets in choice:
                worths = look_up(low)
                left.append((ways, first + sets[worths.index(best(worths))]))
            if dice == 2:
                single, choice, more_misses, more_doubles = self.box.from_seven[bits]
                left += single
                for ways, look_up, sets in choice:
                    worths = look_up(values)
                    left.append((ways, sets[worths.index(best(worths))]))
                misses, doubles = misses + more_misses, doubles + more_doubles
            self.known[key] = Choice(left, misses, doubles)
        return self.known[key]
