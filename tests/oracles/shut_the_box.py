"""A slow and obvious twin of Shut the Box, written straight from the rules, to test the rules engine against."""

import copy
from itertools import combinations
from typing import Any

Position = dict[str, Any]

DEFAULTS: dict[str, Any] = {
    "tiles": 9,
    "variant": "standard",
    "scoring": "golf",
    "rounds": 5,
    "mode": "rounds",
    "threshold": 12,
    "goal": 45,
    "per_round_scoring": True,
    "one_die": "high-shut",
    "difficulty": "standard",
    "mulligan": False,
    "instant": False,
}
FORCED_SCORING = {"digitalScore": "digital", "missionaryCount": "missionary", "tournament45out": "golf"}


def start(options: dict[str, Any], seats: int) -> Position:
    full = {**DEFAULTS, **options}
    full["scoring"] = FORCED_SCORING.get(full["variant"], full["scoring"])
    position: Position = {
        "options": full,
        "phase": "dice",  # "choose" (one die or two), "dice", "tiles" or "over"
        "current": 0,
        "round_scores": [[] for _ in range(seats)],
        "open": list(range(1, full["tiles"] + 1)),
        "dice": [],
        "dice_count": 2,
        "mulligan_left": full["mulligan"],
        "turn_number": 1,  # counts in the long game only: odd turns shut tiles, even turns open them
        "doubles_left": full["mode"] == "long",
        "instant_winner": None,
    }
    _before_roll(position)
    return position


def turn(position: Position) -> str:
    return {"choose": "seat", "dice": "dice", "tiles": "seat", "over": "over"}[position["phase"]]


def seat(position: Position) -> int:
    return int(position["current"])


def dice_count(position: Position) -> int:
    return int(position["dice_count"])


def roll(position: Position, dice: tuple[int, ...]) -> Position:
    if turn(position) != "dice":
        raise ValueError("no dice are to be rolled now")
    if len(dice) != dice_count(position) or not all(die in (1, 2, 3, 4, 5, 6) for die in dice):
        raise ValueError(f"these are not {dice_count(position)} dice: {dice}")
    after = copy.deepcopy(position)
    after["dice"] = list(dice)
    doubles = len(dice) == 2 and dice[0] == dice[1]
    if _tile_sets(after):
        after["phase"] = "tiles"
    elif doubles and after["doubles_left"]:
        after["doubles_left"] = False
    elif after["mulligan_left"]:
        after["mulligan_left"] = False
        # Doubles come first, the mulligan last: a mulligan roll that fits nothing is not rolled again.
        after["doubles_left"] = False
    else:
        _end_turn(after)
    return after


def moves(position: Position) -> list[str]:
    if position["phase"] == "choose":
        return ["one", "two"]
    if position["phase"] == "tiles":
        return ["+".join(str(tile) for tile in sorted(tiles, reverse=True)) for tiles in _tile_sets(position)]
    return []


def move(position: Position, text: str) -> Position:
    if text not in moves(position):
        raise ValueError(f"not a legal move: {text}")
    after = copy.deepcopy(position)
    if text in ("one", "two"):
        after["dice_count"] = {"one": 1, "two": 2}[text]
        after["phase"] = "dice"
        return after
    tiles = {int(tile) for tile in text.split("+")}
    if _is_open_turn(after):
        after["open"] = sorted(tiles.union(after["open"]))
    else:
        after["open"] = [tile for tile in after["open"] if tile not in tiles]
    if _tiles_in_question(after):
        after["doubles_left"] = after["options"]["mode"] == "long"
        _before_roll(after)
    else:
        _end_turn(after)
    return after


def outcome(position: Position) -> dict[str, Any]:
    if turn(position) != "over":
        raise ValueError("the game is not over")
    options = position["options"]
    everybody = range(len(position["round_scores"]))
    if options["mode"] == "long":
        if len(everybody) == 1:
            return {"scores": [position["turn_number"]], "winners": [0]}
        sums = [sum(position["open"]), sum(_shut_tiles(position))]
        return {"scores": sums, "winners": [1] if position["open"] else [0]}
    totals = [_total(position, who) for who in everybody]
    if position["instant_winner"] is not None:
        if len(totals) == 1 and options["variant"] == "tournament45out":
            totals = [len(position["round_scores"][0])]  # alone, a tournament counts rounds survived
        return {"scores": totals, "winners": [position["instant_winner"]]}
    if len(everybody) == 1:
        if options["variant"] == "tournament45out":
            return {"scores": [len(position["round_scores"][0]) - 1], "winners": []}
        limit = options["threshold"] if options["mode"] == "threshold" else options["goal"]
        no_goal = options["mode"] == "rounds" and limit == 0
        return {"scores": totals, "winners": [0] if totals[0] <= limit and not no_goal else []}
    candidates = list(everybody)
    if options["variant"] == "tournament45out":
        last_round = max(len(scores) for scores in position["round_scores"])
        out_just_now = [who for who in everybody if len(position["round_scores"][who]) == last_round]
        candidates = [who for who in everybody if _is_in(position, who)] or out_just_now
    best = min(totals[who] for who in candidates)
    return {"scores": totals, "winners": [who for who in candidates if totals[who] == best]}


def _is_open_turn(position: Position) -> bool:
    return bool(position["options"]["mode"] == "long" and position["turn_number"] % 2 == 0)


def _shut_tiles(position: Position) -> list[int]:
    return [tile for tile in range(1, position["options"]["tiles"] + 1) if tile not in position["open"]]


def _tiles_in_question(position: Position) -> list[int]:
    """The tiles that this turn can turn over: the open ones, or in an open turn the shut ones."""
    return _shut_tiles(position) if _is_open_turn(position) else list(position["open"])


def _tile_sets(position: Position) -> list[tuple[int, ...]]:
    """Every set of tiles that the dice on the table allow to turn over."""
    options = position["options"]
    tiles = _tiles_in_question(position)
    found = []
    for size in range(1, len(tiles) + 1):
        if options["variant"] == "alwaysSumDuo" and size != 2:
            continue
        if options["difficulty"] == "hard" and size > 2:
            continue
        found += [chosen for chosen in combinations(tiles, size) if sum(chosen) == sum(position["dice"])]
    return found


def _one_die_allowed(position: Position) -> bool:
    options = position["options"]
    tiles = _tiles_in_question(position)
    if options["one_die"] == "never":
        return False
    if options["one_die"] == "sum-6" or options["difficulty"] == "hard":
        return sum(tiles) <= 6
    return all(tile <= 6 for tile in tiles)


def _total(position: Position, who: int) -> int:
    scores = position["round_scores"][who]
    if position["options"]["per_round_scoring"]:
        return sum(scores)
    return min(scores, default=0)


def _is_in(position: Position, who: int) -> bool:
    return position["options"]["variant"] != "tournament45out" or _total(position, who) < 45


def _round_score(position: Position) -> int:
    scoring = position["options"]["scoring"]
    if scoring == "digital":
        return int("".join(str(tile) for tile in position["open"]) or "0")
    return len(position["open"]) if scoring == "missionary" else sum(position["open"])


# The functions below change the position, which is their caller's own copy.


def _before_roll(position: Position) -> None:
    position["dice"] = []
    position["dice_count"] = 2
    position["phase"] = "dice"
    if _one_die_allowed(position):
        if position["options"]["one_die"] == "forced":
            position["dice_count"] = 1
        else:
            position["phase"] = "choose"


def _end_turn(position: Position) -> None:
    options = position["options"]
    current = position["current"]
    position["mulligan_left"] = options["mulligan"]
    if options["mode"] == "long":
        if not _tiles_in_question(position):
            position["phase"] = "over"
            return
        position["turn_number"] += 1
        position["doubles_left"] = True
        position["current"] = (current + 1) % len(position["round_scores"])
        _before_roll(position)
        return

    position["round_scores"][current].append(_round_score(position))
    if not position["open"] and options["instant"]:
        position["instant_winner"] = current
        position["phase"] = "over"
        return
    position["open"] = list(range(1, options["tiles"] + 1))
    everybody = range(len(position["round_scores"]))
    still_to_play = [who for who in everybody if who > current and _is_in(position, who)]
    if still_to_play:
        position["current"] = still_to_play[0]
        _before_roll(position)
        return

    # Every seat still in has played this round.
    still_in = [who for who in everybody if _is_in(position, who)]
    if options["variant"] == "tournament45out":
        over = len(still_in) == 0 or (len(still_in) == 1 and len(everybody) > 1)
    else:
        rounds = 1 if options["mode"] == "threshold" else options["rounds"]
        over = len(position["round_scores"][current]) == rounds
    if over:
        position["phase"] = "over"
    else:
        position["current"] = still_in[0]
        _before_roll(position)
