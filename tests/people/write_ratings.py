"""Writes the tables of figures into docs/ratings.md, from what `python -m dicehall.lab.ratings` has found.

python -m tests.people.write_ratings
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import log
from typing import Any, Final

from dicehall.lab import ratings as lab
from dicehall.people.glicko import POOLS
from dicehall.people.skill import HALF_LIFE, in_points, points, scale
from tests.docs.pages import DOCS

PAGE: Final = DOCS / "ratings.md"
AS_MANY: Final = 2 * HALF_LIFE / log(2)  # runs that are in the number of somebody who has played for long
Row = list[str]


def pools_table(found: dict[str, Any]) -> list[Row]:
    rows = [["pool", "deviation at first", "volatility at first", "tau", "points of the seat that begins"]]
    for pool, one in POOLS.items():
        rows.append([f"`{pool}`", f"{one.deviation:g}", f"{one.volatility:g}", f"{one.tau:g}", f"{one.advantage:g}"])
    return rows


def fits_table(found: dict[str, Any]) -> list[Row]:
    """By how much predictions fall short of the truth, with the best volatility and tau for each first deviation."""
    rows = [["pool", *(f"{deviation}" for deviation in lab.DEVIATIONS), "as chosen"]]
    for pool in POOLS:
        rows.append([f"`{pool}`", *(f"{one['settled']:.1f}, {one['early']:.1f}" for one in found[pool]["fit"])])
    return rows


def begins_table(found: dict[str, Any]) -> list[Row]:
    rows = [["pool", *lab.NAMES, "in points, the mean"]]
    for pool in POOLS:
        shares = [f"{100 * one['share']:.1f}% ± {100 * one['error']:.1f}" for one in found[pool]["begins"]]
        rows.append([f"`{pool}`", *shares, f"{lab.edge_of(found[pool]['begins']):.1f}"])
    return rows


def ends_table(found: dict[str, Any]) -> list[Row]:
    rows = [["pool", *lab.NAMES, "from first to last", "accounts of one strength differ by"]]
    for pool in POOLS:
        ends = found[pool]["season"]["ends"]
        spread = sum(one["spread"] for one in ends) / len(ends)
        whole = ends[-1]["mean"] - ends[0]["mean"]
        rows.append([f"`{pool}`", *(f"{one['mean']:.0f}" for one in ends), f"{whole:.0f}", f"{spread:.0f}"])
    return rows


def hundred_table(found: dict[str, Any]) -> list[Row]:
    rows = [["pool", "games", "mean difference", "predicted", "won", "worst bin of predictions"]]
    for pool in POOLS:
        season = found[pool]["season"]
        near = season["hundred"]
        worst = max(season["bins"], key=lambda one: abs(one["won"] - one["predicted"]))
        off = f"predicted {_share(worst['predicted'])}, won {_share(worst['won'])}"
        told = [f"{near['games']:,}", f"{near['points']:.0f}", _share(near["predicted"]), _share(near["won"])]
        rows.append([f"`{pool}`", *told, off])
    return rows


def skills_table(found: dict[str, Any]) -> list[Row]:
    rows = [["pool", "choices of a run", *lab.NAMES]]
    for pool in POOLS:
        told = scale(pool)
        marks = [f"{loss:.3g}: {worth:.0f}" for loss, worth in reversed(told.marks)]
        rows.append([f"`{pool}`", f"{told.choices:.1f}", *marks])
    return rows


def sure_table(found: dict[str, Any]) -> list[Row]:
    """How wide the interval of a level's skill becomes, by how much its runs differed when it was measured."""
    rows = [["pool", *(f"level:{rung}" for rung in (1, 3, 5))]]
    for pool in POOLS:
        told, row = scale(pool), []
        for rung in (1, 3, 5):
            play = found[pool]["play"][rung - 1]
            one_run = play["error"] * play["runs"] ** 0.5 * told.choices
            loss = told.choices * play["lost"]
            wide = [1.96 * one_run / runs**0.5 for runs in (10, AS_MANY)]
            ends = [(points(pool, max(0, loss - one)) - points(pool, loss + one)) / 2 for one in wide]
            row.append(f"± {ends[0]:.0f}, ± {ends[1]:.0f}")
        rows.append([f"`{pool}`", *row])
    return rows


def true_table(found: dict[str, Any]) -> list[Row]:
    """What the ladder says directly: the share against perfect play, in points."""
    rows = [["pool", *lab.NAMES[:-1]]]
    for pool in POOLS:
        shares = lab.truth_of(pool, found[pool]).shares
        rows.append([f"`{pool}`", *(f"{in_points(shares[n][lab.BEST]):.0f}" for n in range(lab.BEST))])
    return rows


def _share(value: float) -> str:
    return f"{100 * value:.1f}%"


TABLES: Final[dict[str, Callable[[dict[str, Any]], list[Row]]]] = {
    "pools": pools_table,
    "fits": fits_table,
    "begins": begins_table,
    "true": true_table,
    "ends": ends_table,
    "hundred": hundred_table,
    "skills": skills_table,
    "sure": sure_table,
}


def page(text: str) -> str:
    """The page with its tables as they are to be: each follows its mark."""
    found = lab.read()
    for name, table in TABLES.items():
        rows = table(found)
        lines = [f"| {' | '.join(row)} |\n" for row in rows]
        lines.insert(1, f"|{'---|' * len(rows[0])}\n")
        text, times = re.subn(rf"(<!-- {name} -->\n)(?:\|.*\n)*", rf"\g<1>{''.join(lines)}", text)
        assert times == 1, name
    return text


def main() -> None:
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
