"""Every game has a page, all pages have the same shape, and what they say of the code is so."""

from __future__ import annotations

from typing import Final

import pytest

from dicehall.bots.player import player_names
from dicehall.rules.catalog import GAMES
from tests.docs.pages import GAME_PAGES, dotted_paths, headings, read, resolve, section, table
from tests.docs.write_options import options_table, presets_table, with_new_tables

HEADINGS: Final = [
    "Rules",
    "Options",
    "Notation",
    "Players",
    "Spec actions and where they live",
    "Version history",
]
TO_COME: Final = {"bestScore", "medals"}  # what a spec names and nothing provides yet
# What each spec names: actions, test hooks, fields of state and configuration.
SPEC_NAMES: Final = {
    "lite-solo": """
        initRun rollDie getLegalCells placeDie scoreRow computeScore endRun undo setSeed nextSeed
        setRollSequence simulateRun validateScore
        board currentRoll placementsRemaining runSeed finalScore targetScore history bestScore lastSeed lastRun
        """,
    "lite-versus": """
        initGame rollDie getLegalCells placeDie scoreRow scoreBoard aiChooseCell endGame
        Board diceRolled turnCount currentPlayer gameOutcome
        rollsPerTurn gridSize scoringMode aiDifficulty tieBreaker
        """,
    "farkle": """
        initGame startTurn rollDice evaluateScoring selectKeepers bank endTurn checkEndGame hotDiceCheck
        computeRiskMeter seedRolls simulateTurn validateScore
        dice locked turnTotal gameScore remainingDice phase targetScore scoringRules scoringGroups hotDiceEnabled
        maxTurns riskMeter medals
        """,
    "shut-the-box": """
        initGame startRound computeCanRollOneDie rollDice legalCombos applyShut hasShutTheBox endTurnAndScore
        updateSoloProgress
        boardTiles isOpen dice canRollOneDie turnOpenSum playerScoreTotal roundCount roundScore
        variant tilesCount rounds scoringMode targetMode thresholdSum perRoundScoring difficulty
        """,
    "knucklebones": "playerGrid visualRow isPlayer existingCount destroyCount diceValue",
}


@pytest.fixture(params=list(GAMES.own))
def game_id(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def page(game_id: str) -> str:
    return read(GAME_PAGES / f"{game_id}.md")


def test_there_is_a_page_for_every_game_and_for_nothing_else() -> None:
    assert sorted(path.stem for path in GAME_PAGES.iterdir()) == sorted(GAMES.own)


def test_the_headings_are_the_same_everywhere(page: str) -> None:
    assert headings(page) == HEADINGS


def test_the_options_are_those_of_the_catalog(game_id: str, page: str) -> None:
    game = GAMES[game_id]
    assert options_table(game) in section(page, "Options"), "run: python -m tests.docs.write_options"
    assert presets_table(game) in section(page, "Options"), "run: python -m tests.docs.write_options"
    assert with_new_tables(game, page) == page, "run: python -m tests.docs.write_options"


def test_the_players_are_those_that_can_sit_down(game_id: str, page: str) -> None:
    named = [row[0].strip("`") for row in table(section(page, "Players"))]
    assert named == player_names(GAMES[game_id])


def test_every_name_of_the_spec_has_one_home(game_id: str, page: str) -> None:
    rows = {row[0].strip("`"): row[1] for row in table(section(page, HEADINGS[4]))}
    assert set(SPEC_NAMES[game_id].split()) <= set(rows)
    for name, home in rows.items():
        if home == "to come":
            assert name in TO_COME
            continue
        assert dotted_paths(home) == [home.strip("`")], f"{name} lives in one place, not {home}"
        resolve(home.strip("`"))


def test_the_version_history_begins_with_the_rules_of_today(game_id: str, page: str) -> None:
    assert section(page, "Version history").strip().startswith(f"**Rules {GAMES[game_id].version}.**")
