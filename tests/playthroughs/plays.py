"""The runs that are written down: one for every mode of every game, each chosen because it shows something."""

from __future__ import annotations

from typing import Final, NamedTuple

from dicehall.rules.catalog import find_game
from dicehall.rules.options import OptionValue
from tests.perft.tables import read_options
from tests.playthroughs.features import (
    Shown,
    both,
    box_at_most_two_tiles,
    box_choice_of_dice,
    box_doubles_again,
    box_high_tile,
    box_mulligan,
    box_never_one_die,
    box_one_die_unasked,
    box_only_pairs,
    box_opening_turn,
    box_round,
    box_scores_digits,
    box_scores_tiles_left,
    box_seat_is_out,
    box_total_falls,
    box_turns_tiles,
    box_two_dice_for_low_tiles,
    ends_by,
    farkle_held_by_minimum,
    farkle_hot_dice,
    farkle_keeps_six,
    farkle_last_turns,
    farkle_loses_points,
    farkle_no_die_left,
    knucklebones_breaks,
    lite_columns,
    lite_three_sixes,
    lite_triple,
    lite_wild,
    makes_move,
    seat_1_begins,
    seat_is_drawn,
)


class Play(NamedTuple):
    game: str
    mode: str  # the name of the file
    title: str
    seats: tuple[str, ...]  # players by name
    options: dict[str, OptionValue]
    shows: str
    shown: Shown
    most_steps: int
    script: tuple[str, ...]  # the steps, where they are not left to a seed and the players


class _Plays:
    """The runs of one game, added one by one."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.all: list[Play] = []

    def add(
        self,
        mode: str,
        title: str,
        seats: str,
        options: str,
        shows: str,
        shown: Shown,
        most_steps: int = 60,
        script: str = "",
    ) -> None:
        chosen = read_options(find_game(self.game), options)
        players, steps = tuple(seats.split()), tuple(script.split())
        self.all.append(Play(self.game, mode, title, players, chosen, shows, shown, most_steps, steps))


def _lite_solo() -> list[Play]:
    plays = _Plays("lite-solo")
    plays.add("base", "nine dice, nine cells", "lookahead", "", "a row of three equal dice", lite_triple)
    plays.add(
        "target", "a run that is won", "lookahead", "target=90", "the target is reached", ends_by("target-reached")
    )
    plays.add(
        "target-missed", "a run that is lost", "random", "target=120", "the target is missed", ends_by("target-missed")
    )
    plays.add(
        "columns",
        "the columns count too",
        "lookahead",
        "columns=true",
        "the columns score more than the rows",
        lite_columns,
    )
    plays.add("reroll", "one second try", "lookahead", "reroll=true", "the token is spent", makes_move("reroll"))
    plays.add("wild-contains", "a wild six", "random", "wild=contains", "the six changes what a row scores", lite_wild)
    plays.add(
        "wild-natural",
        "a wild six, except among its own",
        "Ada",
        "wild=natural",
        "three sixes in a row score three times, a six beside other dice twice",
        both(lite_wild, lite_three_sixes),
        script="d6 a1 d6 b1 d2 b2 d6 c1 d4 a3 d6 a2 d3 c2 d4 b3 d1 c3",
    )
    plays.add(
        "everything",
        "every variant at once",
        "lookahead",
        "columns=true reroll=true wild=natural target=150",
        "the token is spent, the wild six matters and the target is reached",
        both(both(ends_by("target-reached"), lite_wild), makes_move("reroll")),
    )
    return plays.all


def _lite_versus() -> list[Play]:
    plays = _Plays("lite-versus")
    plays.add("base", "two boards side by side", "random standard", "", "the higher total wins", ends_by("score"))
    plays.add("draw", "equal totals", "lookahead standard", "", "nobody is ahead", ends_by("draw"))
    plays.add(
        "tiebreak-highest-single-die",
        "equal totals, and the highest die decides",
        "standard random",
        "tiebreak=highest-single-die",
        "the tie is broken",
        ends_by("highest-single-die"),
    )
    plays.add(
        "tiebreak-sum-middle-row",
        "equal totals, and the middle row decides",
        "random lookahead",
        "tiebreak=sum-middle-row",
        "the tie is broken",
        ends_by("sum-middle-row"),
    )
    plays.add("first-bot", "the bot begins", "random lookahead", "first=bot", "seat 1 begins", seat_1_begins)
    plays.add(
        "first-drawn",
        "a die decides who begins",
        "lookahead random",
        "first=drawn",
        "a four, the lowest die that draws seat 1",
        seat_is_drawn(1, 4),
    )
    plays.add(
        "variants",
        "columns, rerolls and a wild six",
        "lookahead lookahead",
        "columns=true reroll=true wild=contains",
        "a token is spent and the wild six matters",
        both(lite_wild, makes_move("reroll")),
    )
    plays.add(
        "variants-natural",
        "rerolls and a wild six, except among its own",
        "random lookahead",
        "reroll=true wild=natural",
        "three sixes in a row",
        lite_three_sixes,
    )
    return plays.all


def _farkle() -> list[Play]:
    plays = _Plays("farkle")
    plays.add(
        "solo", "alone to a target", "bank:300", "target=2000", "the target is reached", ends_by("target-reached")
    )
    plays.add(
        "hot-dice", "all six dice score", "bank:500", "target=2000", "all six may be rolled again", farkle_hot_dice
    )
    plays.add(
        "farkle", "one roll too many", "bank:400", "target=1500", "the points at stake are lost", farkle_loses_points
    )
    plays.add(
        "spicy-straight",
        "a straight counts",
        "bank:300",
        "straight=true three_pairs=true straight_points=1000 target=2000",
        "a straight is kept",
        makes_move("123456"),
    )
    plays.add(
        "spicy-three-pairs",
        "three pairs count",
        "bank:350",
        "straight=true three_pairs=true target=2500",
        "three pairs are kept",
        farkle_keeps_six([2, 2, 2]),
    )
    plays.add(
        "spicy-four-and-a-pair",
        "four alike and a pair count as three pairs",
        "bank:350",
        "three_pairs=true four_plus_pair=true three_pairs_points=1200 target=2500",
        "four alike and a pair are kept as one group",
        farkle_keeps_six([2, 4]),
    )
    plays.add(
        "arcade", "most points in three turns", "bank:600", "max_turns=3", "the turns are over", ends_by("max-turns")
    )
    plays.add(
        "arcade-two-seats",
        "most points in two turns each",
        "bank:400 random",
        "max_turns=2",
        "the turns are over",
        ends_by("max-turns"),
    )
    plays.add(
        "race-of-two",
        "first to the target",
        "bank:300 random",
        "target=1000",
        "the target is reached",
        ends_by("target-reached"),
    )
    plays.add(
        "race-of-three-last-turn",
        "everyone has a last turn",
        "bank:250 bank:400 random",
        "target=1000 last_turn=true",
        "the target is reached, and overtaken in the last turns",
        farkle_last_turns,
        most_steps=90,
    )
    plays.add(
        "minimums",
        "too few points to bank",
        "bank:200",
        "board_minimum=500 bank_minimum=300 target=1500",
        "banking is not allowed yet",
        farkle_held_by_minimum,
    )
    plays.add(
        "hot-dice-off",
        "no second six dice",
        "Ada",
        "hot_dice=false target=1500",
        "all six dice have scored, and the turn ends",
        farkle_no_die_left,
        script="""d112346 1+1 roll d1356 1+5 roll d24
                  d111222 111+222 bank
                  d555124 555 roll d116 1+1 roll d5 5 bank""",
    )
    return plays.all


def _shut_the_box() -> list[Play]:
    plays = _Plays("shut-the-box")
    plays.add(
        "five-rounds",
        "the standard game",
        "highest",
        "",
        "the goal is met in five rounds",
        both(box_round(5), ends_by("goal-met")),
        most_steps=90,
    )
    plays.add("strict", "a strict goal", "random", "rounds=3 goal=40", "the goal is missed", ends_by("goal-missed"))
    plays.add("no-goal", "no goal at all", "random", "rounds=2 goal=0", "the rounds are over", ends_by("complete"))
    plays.add("twelve", "twelve tiles", "highest", "tiles=12 rounds=2", "a high tile is shut", box_high_tile)
    plays.add(
        "always-sum",
        "any set with the dice's total",
        "random",
        "variant=alwaysSum rounds=2",
        "three tiles are shut at once",
        box_turns_tiles(3),
    )
    plays.add(
        "always-sum-duo",
        "two tiles at a time",
        "random",
        "variant=alwaysSumDuo rounds=2",
        "one tile would fit, but two have to be shut",
        box_only_pairs,
    )
    plays.add(
        "digital-score",
        "the digits in a row",
        "highest",
        "variant=digitalScore rounds=1",
        "open tiles read as one number",
        box_scores_digits,
    )
    plays.add(
        "missionary-count",
        "the number of tiles",
        "highest",
        "variant=missionaryCount rounds=1",
        "open tiles are counted",
        box_scores_tiles_left,
    )
    plays.add(
        "best-round",
        "only the best round counts",
        "random",
        "scoring=digital per_round_scoring=false rounds=3",
        "a better round takes the place of a worse one",
        box_total_falls,
    )
    plays.add(
        "tournament-alone",
        "rounds until 45 points",
        "highest",
        "variant=tournament45out",
        "45 points are reached, in the third round or later",
        both(box_round(3), ends_by("out")),
        most_steps=70,
    )
    plays.add(
        "tournament-seats",
        "45 points put a seat out",
        "highest random random",
        "variant=tournament45out",
        "a seat is out, the others play on",
        box_seat_is_out,
        most_steps=110,
    )
    plays.add(
        "threshold",
        "one round, few points",
        "highest",
        "mode=threshold threshold=10",
        "the score is low enough",
        ends_by("goal-met"),
    )
    plays.add(
        "long-alone",
        "shut them all, or open them all again",
        "highest",
        "mode=long",
        "doubles that fit nothing are rolled again",
        both(both(ends_by("shut"), box_opening_turn), box_doubles_again),
        most_steps=80,
    )
    plays.add(
        "long-two-seats",
        "one seat shuts, the other opens",
        "highest random",
        "mode=long",
        "the second seat opens every tile",
        both(box_opening_turn, ends_by("opened")),
        most_steps=80,
    )
    plays.add(
        "easy-mulligan",
        "a second try each round",
        "random",
        "difficulty=easy mulligan=true rounds=2",
        "a roll that fits nothing is rolled again",
        box_mulligan,
    )
    plays.add(
        "hard",
        "at most two tiles",
        "highest",
        "difficulty=hard rounds=2",
        "three tiles would fit as well",
        box_at_most_two_tiles,
    )
    plays.add(
        "one-die-forced",
        "one die as soon as possible",
        "random",
        "one_die=forced rounds=2",
        "one die, unasked",
        box_one_die_unasked,
    )
    plays.add(
        "one-die-never",
        "always two dice",
        "highest",
        "one_die=never rounds=2",
        "low tiles alone, and still two dice",
        box_never_one_die,
    )
    plays.add(
        "one-die-sum-6",
        "one die at a sum of six",
        "highest",
        "one_die=sum-6 rounds=2",
        "one die becomes a choice, later than usual",
        both(box_two_dice_for_low_tiles, box_choice_of_dice),
    )
    plays.add(
        "instant",
        "a shut box wins at once",
        "random highest",
        "instant=true rounds=3",
        "the box is shut",
        ends_by("shut"),
    )
    plays.add(
        "several-seats",
        "three seats, two rounds",
        "highest random highest",
        "scoring=missionary rounds=2",
        "the rounds are over",
        ends_by("rounds"),
        most_steps=80,
    )
    return plays.all


def _knucklebones() -> list[Play]:
    plays = _Plays("knucklebones")
    plays.add(
        "base", "stack your own, break theirs", "random spec", "", "two dice are broken at once", knucklebones_breaks(2)
    )
    plays.add("first-bot", "the bot begins", "spec random", "first=bot", "seat 1 begins", seat_1_begins)
    plays.add(
        "first-drawn",
        "a die decides who begins",
        "spec spec",
        "first=drawn",
        "a three, the highest die that draws seat 0",
        seat_is_drawn(0, 3),
    )
    plays.add("draw", "equal totals", "spec random", "", "nobody is ahead", ends_by("draw"))
    return plays.all


PLAYS: Final[tuple[Play, ...]] = (
    *_lite_solo(),
    *_lite_versus(),
    *_farkle(),
    *_shut_the_box(),
    *_knucklebones(),
)
