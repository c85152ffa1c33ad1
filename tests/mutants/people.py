"""Mistakes in what there is between people."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

PEOPLE: Final = "src/dicehall/people"
CLOCKS: Final = ("tests/people/test_clocks.py",)
PRESENCE: Final = ("tests/people/test_presence.py",)
SERIES: Final = ("tests/people/test_series.py",)
PAIRING: Final = ("tests/people/test_pairing.py",)
PHRASES: Final = ("tests/people/test_phrases.py",)
CODES: Final = ("tests/people/test_codes.py",)
GLICKO: Final = ("tests/people/test_glicko.py",)
SKILL: Final = ("tests/people/test_skill.py",)
DUELS: Final = ("tests/people/test_duels.py",)
RATED: Final = ("tests/people/test_rated.py",)


def clocks(what: str, old: str, new: str) -> Mutant:
    return Mutant(what, f"{PEOPLE}/clocks.py", old, new, CLOCKS)


def presence(what: str, old: str, new: str) -> Mutant:
    return Mutant(what, f"{PEOPLE}/presence.py", old, new, PRESENCE)


def series(what: str, old: str, new: str) -> Mutant:
    return Mutant(what, f"{PEOPLE}/series.py", old, new, SERIES)


def pairing(what: str, old: str, new: str) -> Mutant:
    return Mutant(what, f"{PEOPLE}/pairing.py", old, new, PAIRING)


def glicko(what: str, old: str, new: str) -> Mutant:
    return Mutant(what, f"{PEOPLE}/glicko.py", old, new, GLICKO)


def skill(what: str, old: str, new: str) -> Mutant:
    return Mutant(what, f"{PEOPLE}/skill.py", old, new, SKILL)


def duels(what: str, old: str, new: str) -> Mutant:
    return Mutant(what, f"{PEOPLE}/duels.py", old, new, DUELS)


def rated(what: str, old: str, new: str) -> Mutant:
    return Mutant(what, f"{PEOPLE}/rated.py", old, new, RATED)


MUTANTS: Final = (
    clocks(
        "one is out a millisecond late",
        "end is not None and now_ms >= end\n\n\ndef left_for",
        "end is not None and now_ms > end\n\n\ndef left_for",
    ),
    clocks(
        "a game counts a millisecond longer",
        "end is not None and now_ms >= end\n\n\ndef given_back",
        "end is not None and now_ms > end\n\n\ndef given_back",
    ),
    clocks(
        "a reserve runs below nothing", "reserve - min(reserve, max(0, spent - own))", "reserve - max(0, spent - own)"
    ),
    clocks("what is left of a move's own is saved", "max(0, spent - own))", "spent - own)"),
    clocks("every clock runs", "if seat == times.turn else 0", "if times.turn is not None else 0"),
    clocks("a clock that is set back gives time", "now_ms = max(now_ms, times.since_ms)", "now_ms = now_ms + 0"),
    clocks("one can lose by time before having begun", "own = max(own, times.clock.first_move_ms or 0)", "own += 0"),
    clocks("nobody ever begins", "begun[times.turn] = True", "begun[times.turn] = False"),
    clocks(
        "nobody's turn has a deadline", "if times.turn is None or not times.clock.runs:", "if not times.clock.runs:"
    ),
    clocks(
        "who has begun may do so again",
        "if times.turn is None or times.begun[times.turn] or",
        "if times.turn is None or",
    ),
    clocks("the hall's absence is on the clock", "times.since_ms + span_ms", "times.since_ms - span_ms"),
    clocks("more than there was is left", "max(reserves) <= clock.reserve_ms", "min(reserves) <= clock.reserve_ms"),
    clocks("a seat beyond the table has the turn", "len(reserves) > (turn or 0)", "len(reserves) >= (turn or 0)"),
    presence("coming back in the last millisecond is too early", "due <= now_ms else None", "due < now_ms else None"),
    presence("coming back takes the claim away", "stands = due if", "stands = None if"),
    presence(
        "a claim is granted a millisecond late", "due is not None and due <= at_ms", "due is not None and due < at_ms"
    ),
    presence(
        "losing the line again takes the claim away",
        "Place(0, now_ms, left, one.stands_ms)",
        "Place(0, now_ms, left, None)",
    ),
    presence(
        "a move leaves the claim",
        "None if one.lines else now_ms, False, None)",
        "None if one.lines else now_ms, False, one.stands_ms)",
    ),
    presence(
        "a move after the line was lost begins nothing", "None if one.lines else now_ms, False", "one.lost_ms, False"
    ),
    presence("every line that is lost counts", "if one.lines > 1:", "if one.lines > 2:"),
    presence("who leaves is waited for as long", "if left else seconds) *", "if not left else seconds) *"),
    presence("thirty seconds a move are slow", "clock.move_s <= QUICK", "clock.move_s < QUICK"),
    presence(
        "there is a countdown with days a move",
        "if clock.days:\n        return None",
        "if clock.days < 0:\n        return None",
    ),
    presence(
        "what stood stands in the next game",
        "presence = moved(presence, place, now_ms)",
        "moved(presence, place, now_ms)",
    ),
    series("half of all halves is enough", "most > series.best_of", "most >= series.best_of"),
    series("two who are level have both won", "len(best) == 1 and most", "most"),
    series("a game more may be played", "series.best_of + EXTRA else", "series.best_of + EXTRA + 1 else"),
    series("a shared game is two halves to each", "points = WIN if len(set(won)) == 1 else SHARE", "points = WIN"),
    series("the same one begins again", "place - series.first - game", "place - series.first"),
    series("the host begins the rematch", "(series.first + 1) % series.places", "0"),
    pairing("only one window counts", "if (back is None or back[0] <= one.rating) and", "if"),
    pairing("windows are a point narrower", "other.rating > reach[1]", "other.rating >= reach[1]"),
    pairing("pools are mixed", "        and one.pool == other.pool\n", ""),
    pairing("waiting counts for nothing", "* 1000 - WIDENING * waited", "* 1000"),
    pairing("those who are to be avoided are met", "one.player not in other.avoid\n", "True\n"),
    pairing("one plays oneself", "and one.player != other.player\n", ""),
    pairing("somebody is in two pairs", "taken |= {one.player, other.player}", "taken |= {one.player}"),
    pairing("it depends on who is named first", "line = sorted(set(tickets), key=_arrival)", "line = list(tickets)"),
    pairing("the countdown begins with the first", "table[1].joined_ms + GATHERING", "table[0].joined_ms + GATHERING"),
    pairing("a table takes one too many", "len(table) < most and", "len(table) <= most and"),
    pairing("the stronger of two is offered", "levels[name], name), default", "-levels[name], name), default"),
    pairing("games that were finished count", "if one.left and now_ms", "if now_ms"),
    pairing("a wait is a second too short", "max(0, -((now_ms - until) // 1000))", "max(0, (until - now_ms) // 1000)"),
    pairing("nothing is forgotten", " and now_ms - one.at_ms < FORGOTTEN * 1000]", "]"),
    Mutant("four phrases at once", f"{PEOPLE}/phrases.py", "(BURST - 1)", "BURST", PHRASES),
    Mutant("pauses save up phrases", f"{PEOPLE}/phrases.py", "max(full_ms, now_ms) +", "full_ms +", PHRASES),
    Mutant("what offends is drawn", f"{PEOPLE}/codes.py", "if not OFFENDING.search(letters):", "if letters:", CODES),
    Mutant("a 1 is always an I", f"{PEOPLE}/codes.py", '"LLBSGZKWJ"', '"IIBSGZKWJ"', CODES),
    glicko(
        "draws count nothing", "surprise += weight * (score - chance)", "surprise += weight * (int(score) - chance)"
    ),
    glicko(
        "who follows has the advantage, too",
        "rate(second, first_now, 1 - score, periods[1], -parameters.advantage",
        "rate(second, first_now, 1 - score, periods[1], parameters.advantage",
    ),
    glicko(
        "the other one is taken as certain as long ago",
        "rate(first, second_now, score",
        "rate(first, second, score",
    ),
    glicko("time away makes nobody less certain", "before = deviation**2 + volatility**2", "before = deviation**2 + 0"),
    glicko("a deviation without a floor", "max(LEAST_DEVIATION, deviation)", "max(1.0, deviation)"),
    skill("the oldest run counts most", "0.5 ** (age / HALF_LIFE)", "2 ** (age / HALF_LIFE)"),
    skill(
        "three faultless runs prove faultless play",
        "sqrt(max(by_choices, by_runs) + one_more**2)",
        "sqrt(max(by_choices, by_runs))",
    ),
    skill("runs are averaged, not choices", "choices = sum(weight * run.choices for", "choices = 20 * sum(weight for"),
    rated("an eleventh game of the day is rated", "earlier_today >= MOST_A_DAY", "earlier_today > MOST_A_DAY"),
    rated("who has moved may go for nothing", "not played.moves[played.gone] and ", ""),
    rated("nobody knows from where, so they were two places", "None in played.networks or ", ""),
    rated("other rules are rated", " and not changed and ", " and "),
    duels("a die more of the others is shown", "bisect_right(of, dice, key", "bisect_right(of, dice + 1, key"),
    duels("who has left is ahead", "(worth is None, -(worth or 0))", "(worth is not None, -(worth or 0))"),
    duels("whoever watches sees as much as the quickest", "return min((dice for", "return max((dice for"),
    Mutant(
        "more rounds count as more points",
        "src/dicehall/play/shut_the_box.py",
        "-(total + left + unplayed)",
        "-(total + left)",
        DUELS,
    ),
    skill("the course forgets nothing", "0.5 ** (1 / HALF_LIFE)", "1.0"),
)
