"""Charts as files: they say what they show, the same file every time, and one clear line for whatever is wrong."""

from __future__ import annotations

import builtins
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from dicehall.cli import main
from tests.soak import SOAKING

CHARTS: list[tuple[list[str], list[str]]] = [
    (["farkle"], ["Farkle: bank or roll?", "bank from the line on", "1,000", "up to 10,900", "dice left to roll"]),
    (["farkle", "--option", "hot_dice=false", "--objective", "turn"], ["hot dice off", ">150<"]),
    (["farkle", "--preset", "arcade", "--objective", "arcade"], ["average 4,860.82", "max turns 10", "of all turns"]),
    (["farkle", "--objective", "turns"], ["On average 21.27", "played for few turns"]),
    (["shut-the-box"], ["what an open tile costs", "in points left", "−4.6", "+3.6"]),
    (["shut-the-box", "--option", "tiles=12", "--objective", "shut"], ["chance to shut the box", "+1.69", "tiles 12"]),
    (["shut-the-box", "--objective", "digital"], ["−390,005"]),
    (["knucklebones"], ["what a lead is worth", "points ahead", "14 dice", ">even<"]),
    (["lite-solo"], ["Knucklebones-lite", "On average 65.51", "even 65: 50% of runs", "dream 111: once in 94 runs"]),
    (["lite-solo", "--option", "target=200"], ["target 200: never"]),
    (["lite-solo", "--preset", "gold"], ["gold 150:", "once in 120,000 runs"]),
    (["farkle", "--option", "bank_minimum=480"], ["Hatched: too few to bank.", ">500<", "bank minimum 480"]),
    (["farkle", "--option", "board_minimum=700"], ["seats on the board: getting there takes 700 in one turn", ">300<"]),
    (["shut-the-box", "--objective", "golf<=12"], ["the chance of at most 12 left in a round. Below zero"]),
    (["shut-the-box", "--objective", "total<=45"], ["the chance of a total of at most 45"]),
    (["shut-the-box", "--objective", "win"], ["the chance to win"]),
    (["shut-the-box", "--preset", "tournament", "--objective", "rounds"], ["in rounds."]),
    (["shut-the-box", "--objective", "missionary"], ["in tiles left"]),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), CHARTS, ids=lambda one: " ".join(one))
def test_a_chart_says_what_it_shows(arguments: list[str], words: list[str], tmp_path: Path) -> None:
    """Each is drawn again in `make soak`, here one of each game."""
    again = SOAKING or len(arguments) == 1
    for name in ("chart.svg", "again.svg") if again else ("chart.svg",):
        assert main(["chart", arguments[0], str(tmp_path / name), *arguments[1:]]) == 0
    drawn = (tmp_path / "chart.svg").read_text(encoding="utf-8")
    said = " ".join("".join(re.split(r"<[^>]*>", drawn)).split())  # however its lines break
    for word in words:
        assert word in drawn or word in said
    if again:
        assert drawn == (tmp_path / "again.svg").read_text(encoding="utf-8"), "the same picture is the same file"


def test_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "farkle.PNG"
    assert main(["chart", "farkle", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(file)}
    assert file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert main(["chart", "farkle", str(file)]) == 0
    assert capsys.readouterr().out == f"written: {file}\n"


@pytest.mark.parametrize(
    ("game", "name", "more", "why"),
    [
        ("farkle", "chart.gif", [], ".png or .svg"),
        ("farkle", "chart", [], ".png or .svg"),
        ("checkers", "chart.svg", [], "checkers"),
        ("lite-versus", "chart.svg", [], "no chart of lite-versus"),
        ("lite-solo", "chart.svg", ["--objective", "target:90"], "a chance has no distribution"),
        ("lite-solo", "chart.svg", ["--objective", "target:90"], "there are: score"),
        ("farkle", "chart.svg", ["--objective", "race"], "there are: turn, turns, arcade"),
        ("farkle", "chart.svg", ["--objective", "beauty"], "farkle has no objective 'beauty'"),
        ("farkle", "chart.svg", ["--objective", "arcade"], "--preset arcade"),
        ("shut-the-box", "chart.svg", ["--objective", "beauty"], "beauty"),
        ("farkle", "nowhere/chart.svg", [], "cannot write"),
    ],
)
def test_what_cannot_be_drawn(
    game: str, name: str, more: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["chart", game, str(tmp_path / name), *more]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert why in captured.err
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    importing = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")
        return importing(name, *rest)

    monkeypatch.delitem(sys.modules, "dicehall.lab.charts", raising=False)
    monkeypatch.setattr(builtins, "__import__", refuse)
    assert main(["chart", "farkle", "chart.svg"]) == 2
    assert capsys.readouterr().err == "dicehall: charts need more: pip install 'dicehall[charts]'\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["lite-solo", "--preset", "gold"],
        ["lite-solo", "--option", "target=162"],
        ["shut-the-box", "--objective", "golf<=12"],
        ["farkle", "--option", "bank_minimum=500", "--option", "board_minimum=700"],
        ["knucklebones"],
    ],
    ids=" ".join,
)
def test_every_word_is_on_the_paper(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Figure] = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *rest, **more: drawn.append(figure))
    assert main(["chart", arguments[0], str(tmp_path / "chart.png"), *arguments[1:]]) == 0
    (figure,) = drawn
    FigureCanvasAgg(figure)  # which knows how wide words are
    for text in (*figure.texts, *figure.axes[0].texts):
        box = text.get_window_extent()
        assert box.x0 >= 0, text.get_text()
        assert box.x1 <= figure.bbox.x1, text.get_text()
