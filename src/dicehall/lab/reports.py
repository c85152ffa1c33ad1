"""What the coach says, as plain data for the command line and the server: here fractions become numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dicehall.coach.advise import Advice
from dicehall.coach.objective import Objective
from dicehall.coach.percentile import standing
from dicehall.coach.report import Report, of_all_rounds
from dicehall.play.record import Record


def advice_json(objective: Objective, advice: Iterable[Advice]) -> dict[str, Any]:
    moves = [{"move": one.text, "value": float(one.value), "loss": float(one.loss)} for one in advice]
    return {"objective": str(objective), "certainty": objective.certainty, "moves": moves}


def report_json(record: Record, told: Report) -> dict[str, Any]:
    """What is told of a run, as plain data with fractions as numbers; `exact` has those of the identity to the last
    digit, `shown` rounded ones that add up as well. Reasons are left out: the codes of `why` are for screens."""
    parts = ("start", "luck", "gifts", "lost", "corrected", "result")
    accuracy, shown, place = told.accuracy, told.shown, standing(record, told)
    return {
        "game": told.game,
        "objective": str(told.objective),
        "lower_is_better": told.objective.lower_is_better,
        "chance": told.unit == "chance",
        "seat": told.seat,
        **{name: float(getattr(told, name)) for name in parts},
        "exact": {name: str(getattr(told, name)) for name in parts},
        "of_all_rounds": of_all_rounds(record, told),
        "shown": {**{name: float(getattr(shown, name)) for name in parts}, "places": shown.places},
        "accuracy": None if accuracy is None else float(accuracy),
        "telling": told.telling,
        "percentile": told.compared and float(told.compared.percentile),
        "compared": told.compared
        and place
        and {
            "objective": str(told.compared.objective),
            "result": float(told.compared.result),
            "worse": float(place.worse),
            "equal": float(place.equal),
        },
        "worst": [moment.number for moment in told.worst],
        "moments": [
            {
                **{name: part for name, part in moment._asdict().items() if name != "why"},
                **{name: float(getattr(moment, name)) for name in ("value", "luck", "lost", "corrected")},
            }
            for moment in told.moments
        ],
    }
