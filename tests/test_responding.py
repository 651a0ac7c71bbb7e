"""Best answers to strategies: against the general path, by hand, and in play."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from backroll import load, solve
from backroll.arena import simulate
from backroll.arena.responding import respond
from backroll.database import Database, open_table
from backroll.engines import general
from backroll.errors import StrategyError, WrongTable
from backroll.solving import save
from backroll.strategies import strategy
from backroll.strategies.answers import answered, answered_by
from backroll.verifying import verify
from backroll.wrappers import Sided
from commands import data, refused, run

BOARDS = [
    "cantstop:sides=2,shortest=3,columns=1",
    "cantstop:sides=2,shortest=2,columns=1,occupied=jump",
    pytest.param("cantstop:sides=3,shortest=1,columns=1", marks=pytest.mark.compiled),
    pytest.param(
        "cantstop:sides=3,shortest=1,columns=1,occupied=share", marks=pytest.mark.compiled
    ),
]


@pytest.mark.parametrize("spec", BOARDS)
def test_answers_agree_with_the_general_path(spec: str) -> None:
    game, ruleof = load(spec), strategy("ruleof:n=8")
    found = Database.of(respond(game, ruleof))
    checked = general.solve(answered(game, ruleof))
    for anchor, value in zip(checked.anchors, checked.values, strict=True):
        assert found.value(anchor) == pytest.approx(value, abs=1e-10)


def test_an_answer_wins_no_less_than_optimal_play_and_is_kept(tmp_path: Path) -> None:
    game, ruleof = load("cantstop:sides=2,shortest=3,columns=1"), strategy("ruleof:n=6")
    optimal = Database.of(solve(game))
    found = respond(game, ruleof)
    save(found, tmp_path / "answer")
    with open_table(tmp_path / "answer", answered_by(found.report.spec)) as database:
        start = game.start()
        for who, least in ((1, optimal.value(start)), (2, 1.0 - optimal.value(start))):
            assert database.value(Sided(start, who)) >= least - 1e-12
        assert verify(database).residual < 1e-9
    text = f"optimal:{tmp_path / 'answer'}"
    assert simulate(game, [strategy(text), ruleof], 20).games == 20
    with pytest.raises(StrategyError, match="sides=2"):
        strategy(text).player(load("cantstop:sides=3"), Random(0))
    with pytest.raises(WrongTable):
        open_table(tmp_path / "answer", game)


def test_the_command_says_what_the_answer_wins(tmp_path: Path) -> None:
    out = tmp_path / "answer"
    said = run("respond", "cantstop:sides=2,shortest=3,columns=1", "ruleof:n=6", "--out", str(out))
    assert "moving first" in said.stdout
    assert "moving second" in said.stdout
    assert 0.5 < data("respond", "pig:target=6", "hold:at=3")["first"] < 1.0
    assert "for two" in refused("respond", "cantstop:players=1,sides=2", "ruleof")


def test_any_game_for_two_can_be_answered() -> None:
    game = load("pig:target=6")
    worth = Database.of(solve(game)).value(game.start())
    assert respond(game, strategy("hold:at=3")).report.value > worth
    with pytest.raises(StrategyError, match="for two"):
        respond(load("cantstop:players=1,sides=2"), strategy("ruleof"))


@pytest.mark.parametrize("spec", [BOARDS[0], "pig:target=5"])
def test_a_strategy_that_draws_lots_has_no_best_answer(spec: str) -> None:
    with pytest.raises(StrategyError, match="random: expected one that draws no lots"):
        respond(load(spec), strategy("random"))
