"""Charts as files: `dicehall chart GAME FILE`. The numbers are those of `chart.py` in the coach of each game."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill, shorten
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, PercentFormatter

from dicehall.coach.chart import BankOrRoll, ChartTarget, LeadWorths, Results, TileCosts, no_chart
from dicehall.coach.distribution import Distribution
from dicehall.coach.farkle.chart import HIGHEST_TURN_TOTAL
from dicehall.coach.objective import Objective
from dicehall.coach.protocol import find_coach, read_objective
from dicehall.errors import InvalidOption, excerpt, not_written
from dicehall.files import whole
from dicehall.rules.catalog import AnyGame
from dicehall.rules.farkle_scoring import USUAL_STEP
from dicehall.rules.options import option_text

ENDINGS: Final = (".png", ".svg")
PAPER, INK, QUIET, GREY, FAINT, ACCENT, PALE = "#fafafa", "#333", "#666", "#aaa", "#e0e0e0", "#4caf50", "#b7dfb9"
CLEAR: Final = 400.0  # points that make a choice as dark as it gets
LINE_LENGTH: Final = 100  # letters beside each other under a title
LONG: Final = 27  # what is said at a target takes two lines then
LETTER: Final = 0.0145  # how wide one is at a target, as a part of the axes
# What somebody plays for, in words.
PLAYED_FOR: Final = {"score": "the score", "turns": "few turns", "arcade": "the points of all turns"}
LOOK: Final[dict[Any, Any]] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": QUIET,
    "axes.edgecolor": FAINT,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "svg.hashsalt": "dicehall",  # equal charts are equal files
    "svg.fonttype": "none",
}


def chart(game: AnyGame, options: Any, objective: str | None, file: Path) -> None:
    """Draw into a file, as its ending says."""
    if file.suffix.lower() not in ENDINGS:
        raise InvalidOption("file", f"a chart is written to {' or '.join(ENDINGS)}, not {excerpt(file.name)}")
    coach = find_coach(game.id)
    if coach is None:
        raise no_chart(game.id)
    drawn = coach.chart(options, None if objective is None else read_objective(game, objective))
    with mpl.rc_context(LOOK):
        figure = Figure(figsize=(8, 5), dpi=150, facecolor=PAPER)
        match drawn:
            case BankOrRoll():
                _bank_or_roll(figure, drawn)
            case TileCosts():
                _tile_costs(figure, drawn)
            case Results():
                _results(figure, game, drawn)
            case LeadWorths():
                _lead_worths(figure, game, drawn)
        _options_line(figure, options)
        dated = {"Date": None} if file.suffix.lower() == ".svg" else {"Software": None}
        try:
            with whole(file) as out:
                figure.savefig(out, format=file.suffix[1:].lower(), metadata=dated, facecolor=PAPER)
        except OSError as error:
            raise not_written(file, error) from None


def _axes(figure: Figure, title: str, about: str) -> Axes:
    """One pair of axes under a title and a line that tells how to read them."""
    axes = figure.add_axes((0.105, 0.14, 0.855, 0.68), facecolor=PAPER)
    figure.text(0.035, 0.925, title, fontsize=15, fontweight="bold", color=INK)
    figure.text(0.035, 0.905, fill(about, LINE_LENGTH), va="top", fontsize=10, color=QUIET)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0)
    axes.set_axisbelow(True)
    return axes


def _options_line(figure: Figure, options: Any) -> None:
    words = {"true": "on", "false": "off"}
    changed = [(name.replace("_", " "), option_text(value)) for name, value in options.changed().items()]
    line = ", ".join(f"{name} {words.get(value, value)}" for name, value in changed)
    figure.text(0.035, 0.03, shorten(line, 70, placeholder=" …"), fontsize=8.5, color=QUIET)


def _bank_or_roll(figure: Figure, chart: BankOrRoll) -> None:
    least = chart.least
    about = "Playing for the points of the turn: bank from the line on. The darker, the more it matters."
    if least > USUAL_STEP:
        about += " Hatched: too few to bank."
    if chart.board_minimum:
        about += f" For seats on the board: getting there takes {chart.board_minimum:,} in one turn."
    axes = _axes(figure, "Farkle: bank or roll?", about)
    top = HIGHEST_TURN_TOTAL + USUAL_STEP / 2
    for row in chart.rows:
        left, right = row.dice - 0.46, row.dice + 0.46
        for turn_total, gain in row.gains.items():
            strength = min(abs(float(gain)) / CLEAR, 1.0) ** 0.6
            shade, most = (ACCENT, 0.75) if gain >= 0 else (GREY, 0.55)
            if turn_total >= least:
                place, alpha = (left, turn_total - USUAL_STEP / 2), 0.06 + most * strength
                axes.add_patch(Rectangle(place, right - left, USUAL_STEP, color=shade, alpha=alpha, lw=0))
        if least > USUAL_STEP:
            high = min(least - USUAL_STEP, HIGHEST_TURN_TOTAL)
            axes.add_patch(
                Rectangle((left, USUAL_STEP / 2), right - left, high, fill=False, hatch="////", edgecolor=FAINT, lw=0)
            )
        edge = min(row.threshold - USUAL_STEP / 2, top)
        low = least if edge > least + 200 else 0
        _word(axes, "roll", row.dice, (low + edge) / 2, edge > 200)
        _word(axes, "bank", row.dice, (edge + top) / 2, edge < top)
        if edge < top:
            axes.plot([left, right], [edge, edge], color=INK, lw=2, solid_capstyle="butt")
        words = f"{row.threshold:,}" if edge < top else f"up to {row.threshold:,}"
        height = edge + 25 if edge < top else top - 100
        axes.text(row.dice, height, words, ha="center", va="bottom", fontsize=10, fontweight="bold", color=INK)
    axes.set_xlim(0.5, 6.5)
    axes.set_ylim(USUAL_STEP / 2, HIGHEST_TURN_TOTAL + USUAL_STEP / 2)
    axes.set_xticks(range(1, 7))
    axes.set_xlabel("dice left to roll")
    axes.set_ylabel("points of the turn so far")
    axes.yaxis.set_major_formatter(_thousands())


def _word(axes: Axes, word: str, x: float, y: float, room: bool) -> None:
    """So that nothing is told by colour alone."""
    if room:
        axes.text(x, y, word, ha="center", va="center", fontsize=10, color=INK)


def _tile_costs(figure: Figure, chart: TileCosts) -> None:
    objective, rows = chart.objective, chart.tiles
    costs = [float(row.costs) * (100 if objective.chance else 1) for row in rows]
    about = (
        f"What it is worth to have this tile shut already, in {_unit_words(objective)}. Below zero, an open tile helps."
    )
    axes = _axes(figure, "Shut the Box: what an open tile costs", about)
    axes.bar([row.tile for row in rows], costs, width=0.72, color=[ACCENT if cost < 0 else INK for cost in costs])
    axes.axhline(0, color=QUIET, lw=1)
    reach = max(abs(cost) for cost in costs)
    for row, cost in zip(rows, costs, strict=True):
        words, side = f"{cost:+,.{_places(reach)}f}".replace("-", "−"), 1 if cost >= 0 else -1
        axes.annotate(words, (row.tile, cost), (0, 4 * side), textcoords="offset points", ha="center",
                      va="bottom" if side > 0 else "top", fontsize=9, fontweight="bold", color=INK)  # fmt: skip
    axes.set_ylim(min(costs) - 0.16 * reach, max(*costs, 0) + 0.16 * reach)
    axes.set_xticks([row.tile for row in rows])
    axes.set_xlabel("tile")
    axes.yaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)


def _unit_words(objective: Objective) -> str:
    scores = {"golf": "points left", "digital": "points, the digits in a row", "missionary": "tiles left"}
    chances = {
        "shut": "to shut the box", "golf<=": "of at most {} left in a round", "total<=": "of a total of at most {}",
    }  # fmt: skip
    if objective.chance:
        return f"percentage points of the chance {chances.get(objective.name, 'to win').format(objective.limit)}"
    return scores.get(objective.name, objective.unit)


def _places(largest: float) -> int:
    """Behind the point, so that small values can be told apart."""
    return 2 if largest < 3 else 1 if largest < 100 else 0


def _results(figure: Figure, game: AnyGame, chart: Results) -> None:
    objective, data, targets = chart.objective, chart.distribution, chart.targets
    title = f"{game.title}: what perfect play ends with"
    played_for, mean = PLAYED_FOR[objective.name], float(data.mean)
    about = f"How often each result comes, played for {played_for}. On average {mean:,.2f} (dashed)."
    axes = _axes(figure, title, about)
    shown = _middle(data, targets)
    step = USUAL_STEP if objective.name == "arcade" else 1
    wide = 10 * step if len(shown) > 400 else step  # so many bars that they are put together
    bars: dict[int, float] = {}
    for result, share in shown.items():
        bars[result // wide * wide] = bars.get(result // wide * wide, 0.0) + float(share)
    reached = [goal.target for goal in targets]
    colors = [ACCENT if reached and result >= reached[0] else PALE if reached else ACCENT for result in bars]
    middle = (wide - step) / 2
    axes.bar([result + middle for result in bars], list(bars.values()), width=0.86 * wide, color=colors)
    top = max(bars.values())
    axes.set_ylim(0, top * (1.1 + 0.1 * len(targets)))
    axes.plot([mean, mean], [0, 1.04 * top], color=INK, lw=1, ls=(0, (4, 3)))
    for number, goal in enumerate(targets):
        height = top * (1.06 + 0.1 * (len(targets) - number - 1))
        axes.plot([goal.target - 0.5] * 2, [0, height], color=INK, lw=1)
        name = "target" if goal.name == "own" else goal.name
        words = f"{name} {goal.target}:\n{_once(float(goal.best))}"
        words = words if len(words) > LONG else words.replace("\n", " ")
        axes.text(goal.target + 0.6, height, words, ha="left", va="top", fontsize=9.5, fontweight="bold", color=INK)
        first, last = axes.get_xlim()
        room = 1 - LETTER * max(map(len, words.split("\n")))
        axes.set_xlim(first, max(last, first + (goal.target + 0.6 - first) / room))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=1 if top < 0.05 else 0))
    axes.xaxis.set_major_formatter(_thousands())
    axes.grid(axis="y", color=FAINT, lw=0.8)
    axes.set_xlabel(objective.unit)
    if targets:
        figure.text(0.96, 0.03, "chances of somebody who plays for that target", ha="right", fontsize=8.5, color=QUIET)


def _lead_worths(figure: Figure, game: AnyGame, chart: LeadWorths) -> None:
    about = (
        "How often the seat that rolls next wins, by how many points it is ahead and how many dice lie on the table, "
        "between perfect players."
    )
    axes = _axes(figure, f"{game.title}: what a lead is worth", about)
    around = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}  # so that no line runs through it
    shades = [0.3 + 0.7 * at / (len(chart.rows) - 1) for at in range(len(chart.rows))]
    for row, shade in zip(chart.rows, shades, strict=True):
        leads, chances = [*row.chances], [float(chance) for chance in row.chances.values()]
        axes.plot(leads, chances, color=INK, alpha=shade, lw=1 + 2 * shade, solid_capstyle="round")
        axes.annotate(f"{row.dice} dice", (leads[-1], chances[-1]), (6, 0), textcoords="offset points", va="center",
                      fontsize=9.5, fontweight="bold", color=INK, bbox=around)  # fmt: skip
    axes.axhline(0.5, color=GREY, lw=1)
    axes.axvline(0, color=GREY, lw=1)
    axes.set_ylim(0, 1)
    axes.set_xlim(axes.get_xlim()[0], axes.get_xlim()[1] + 5)
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.xaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{value:+.0f}".replace("-", "−") if value else "even")
    )
    axes.grid(axis="y", color=FAINT, lw=0.8)
    axes.set_xlabel("points ahead")


def _middle(data: Distribution, targets: list[ChartTarget]) -> dict[int, Any]:
    """Without the far ends, which are too rare to be seen."""
    shares = data.shares
    rare = max(shares.values()) / 500
    seen = [result for result, share in shares.items() if share > rare]
    last = max([seen[-1], *[goal.target + 8 for goal in targets]])
    return {result: share for result, share in shares.items() if seen[0] <= result <= last}


def _once(chance: float) -> str:
    return (
        f"{100 * chance:.0f}% of runs"
        if chance > 0.2
        else f"once in {float(f'{1 / chance:.2g}'):,.0f} runs"
        if chance
        else "never"
    )


def _thousands() -> FuncFormatter:
    return FuncFormatter(lambda value, _: f"{value:,.0f}")
