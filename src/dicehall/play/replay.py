"""Is this record true? Walk it with the rules, check every step, every die that can be checked, and the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from dicehall import dice
from dicehall.errors import DicehallError, InvalidRecord, InvalidText, excerpt
from dicehall.play.contributions import is_duel, wrong_contributions
from dicehall.play.departures import cut_short, gone_by, result_of, stand_in, wrong_departure
from dicehall.play.record import SEED_MISMATCH, Record, from_json, load_json, read_roll
from dicehall.play.record_line import PREFIX, from_line
from dicehall.rules.game import DICE, NOBODY, Result

LONGEST: Final = 4 * 1024 * 1024  # characters; a thousand arcade turns of six seats need a tenth of it


class Step(NamedTuple):
    number: int  # from 1
    text: str
    actor: int  # who made it: DICE or a seat
    state: Any  # after it


class Verdict(NamedTuple):
    """What `check` found. `step` is 0 when the record cannot even be read, one past the last for the end of the run."""

    ok: bool
    step: int
    code: str
    reason: str
    record: Record | None
    result: Result | None


def read_record(text: str) -> Record:
    """A record from its JSON or its line. Reads and nothing more."""
    if not isinstance(text, str):
        raise InvalidText("record", f"a record is a text, not {excerpt(text)}")
    if len(text) > LONGEST:
        raise InvalidText("record-length", f"a record has at most {LONGEST} characters")
    text = text.strip()
    return from_line(text) if text.startswith(PREFIX) else from_json(load_json(text, "a record"))


def split_records(text: str) -> list[str]:
    """The records of a file, one a line; one JSON object spread over several lines counts as one."""
    lines = [line for line in text.splitlines() if line.strip()]
    return [text] if lines and lines[0].strip() == "{" else lines


def start(record: Record) -> Any:
    return record.find_game().begin(record.options, len(record.seats))


def walk(record: Record) -> Iterator[Step]:
    """Every step with the state it leads to. Raises InvalidRecord at the first that is not as it should be."""
    game, state = record.find_game(), start(record)
    rules, origin, dice_so_far = game.rules, record.origin, 0
    if origin.secret is not None and dice.commitment(origin.secret) != origin.commitment:
        raise InvalidRecord("commitment", "the secret is not the one the house committed to", 0)
    if wrong := wrong_contributions(origin, record.seats):
        raise InvalidRecord(*wrong, 0)
    duel, seats = is_duel(origin.contributions, len(record.seats)), len(record.seats)
    for number, departure in enumerate(record.departures):
        if wrong := wrong_departure(record.departures[:number], departure, seats, len(record.steps), duel):
            raise InvalidRecord(*wrong, 0)
    source = origin.dice()
    for number, text in enumerate(record.steps, 1):
        actor = rules.actor(state)
        if record.departures:
            _check_departed(record, number, actor, state)
        try:
            if actor == DICE:
                roll = read_roll(text)
                fits = len(roll) == rules.dice_to_roll(state)
                state = rules.rolled(state, roll) if fits else game.roll(state, roll)  # which says what does not fit
                for die in roll:
                    lost = origin.lost_at is not None and dice_so_far >= origin.lost_at
                    if source is not None and not lost and source.die(dice_so_far) != die:
                        raise InvalidRecord(
                            "die-mismatch",
                            f"the seed's die {dice_so_far + 1} is {source.die(dice_so_far)}, not {die}",
                            number,
                        )
                    dice_so_far += 1
            else:
                move = rules.read_move(text)
                if rules.move_text(move) != text:
                    raise InvalidText("move-spelling", f"{excerpt(text)} is written {rules.move_text(move)}")
                state = game.apply(state, move)
        except InvalidRecord:
            raise
        except DicehallError as error:
            raise InvalidRecord(error.code, str(error), number) from None
        yield Step(number, text, actor, state)
    _check_end(record, state, dice_so_far)


def replay(record: Record) -> Any:
    """The final state of a true record; InvalidRecord, with the step and the reason, for any other."""
    state = start(record)
    for step in walk(record):
        state = step.state
    return state


def check(text: str | Record) -> Verdict:
    """Reads and replays; never raises."""
    record = None
    try:
        record = text if isinstance(text, Record) else read_record(text)
        replay(record)
    except InvalidRecord as error:
        return Verdict(False, error.step, error.code, str(error), record, None)
    except DicehallError as error:
        return Verdict(False, 0, error.code, str(error), record, None)
    return Verdict(True, len(record.steps), "ok", "", record, record.result)


def prove(record: Record) -> int:
    """Check every die against commitment and seed, and return how many there were. Raises where there is no proof."""
    return sum(len(read_roll(step.text)) for step in proven_steps(record) if step.actor == DICE)


def proven_steps(record: Record) -> list[Step]:
    """`walk` for a record whose every die can be checked, and has been."""
    origin = record.origin
    if origin.lost_at is not None:
        raise InvalidRecord("seed-lost", f"the dice after die {origin.lost_at} did not come from the seed", 0)
    if origin.commitment is not None and origin.secret is None:
        raise InvalidRecord("not-revealed", "the secret behind the commitment has not been revealed yet", 0)
    if origin.dice() is None:
        raise InvalidRecord("no-seed", "the record names no seed: a script, or dice rolled by hand", 0)
    return list(walk(record))


def _check_departed(record: Record, number: int, actor: int, state: Any) -> None:
    """With the step of this number the run went on, and a seat that had departed before did what the table does."""
    game, text, gone = record.find_game(), record.steps[number - 1], gone_by(record.departures, number - 1)
    if cut_short(gone, len(record.seats)):
        raise InvalidRecord("game-over", f"{excerpt(text)}: the run had ended with a departure", number)
    if any(one.seat == actor for one in gone):
        played = game.rules.move_text(stand_in(game, state))
        if text != played:
            why = f"seat {actor} had departed: the table plays {played} for it, not {excerpt(text)}"
            raise InvalidRecord("departed", why, number)


def _check_end(record: Record, state: Any, dice_so_far: int) -> None:
    game, end = record.find_game(), len(record.steps) + 1
    origin = record.origin
    if origin.lost_at is not None and (origin.lost_at >= max(dice_so_far, 1) or SEED_MISMATCH not in record.unranked):
        raise InvalidRecord("lost-at", "the seed cannot have been lost there", end)
    departures, by_rules = record.departures, game.rules.actor(state) == NOBODY
    if by_rules and departures and departures[-1].step == len(record.steps):
        raise InvalidRecord("departure-late", "the run was over before that departure", end)
    result = result_of(game, state, departures)
    over = result is not None
    if over != (record.result is not None):
        raise InvalidRecord(
            "result", "the run is over and has a result" if over else "the run is not over, so it has no result", end
        )
    if result != record.result:
        raise InvalidRecord("result", f"the result is {tuple(result or ())}, not {tuple(record.result or ())}", end)
    if record.claimed_check is not None and record.claimed_check != record.check():
        raise InvalidRecord("check", "the check digits do not fit: something in the record has been changed", end)
