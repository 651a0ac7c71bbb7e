"""Every registered game keeps the contract, in each of its forms, small enough to try whole."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import naive
from backroll import Choice, Database, fix, load, solve, verify
from backroll.engines.methods import METHODS
from backroll.spec import GAMES, spec_of
from backroll.testing import check

SPECS = [
    "nim:stones=7,most=3",
    "nim:stones=4,piles=2,most=0,misere=yes",
    "pig:target=6",
    "pig:target=9,players=1",
    "pig:target=4,piglet=yes",
    "shutthebox:tiles=5",
    "shutthebox:tiles=4,aim=shut",
    "shutthebox:tiles=4,aim=win,one_die=sum6",
    "cantstop:sides=2,shortest=1,players=1",
    "cantstop:sides=2,shortest=1,columns=1",
    "cantstop:sides=2,shortest=2,columns=1,occupied=share",
    "cantstop:sides=2,shortest=2,columns=1,occupied=jump",
    "chinesecheckers:size=3,pieces=1",
    "chinesecheckers:size=3",
    "chinesecheckers:size=3,pieces=3,merged=false",
    "chinesecheckers:size=3,width=4",
    "rookending:size=3",
]
LOOPY = ("chinesecheckers", "rookending")
"""Games without chance that can go on for ever: only an engine that knows draws proves them."""
SOLVED = [spec for spec in SPECS if not spec.startswith(LOOPY)]
EXACT = [spec for spec in SOLVED if "shortest=2" not in spec]


def test_no_registered_game_is_left_out() -> None:
    assert {spec.partition(":")[0] for spec in SPECS} == set(GAMES)


@pytest.mark.parametrize("spec", SPECS)
def test_the_contract_holds(spec: str) -> None:
    assert check(load(spec), positions=300) == []


@pytest.mark.parametrize("spec", SPECS)
def test_specs_and_positions_read_back(spec: str) -> None:
    game = load(spec)
    assert spec_of(load(spec_of(game))) == spec_of(game)
    random = Random(1)
    for _ in range(200):
        position = game.sample(random)
        assert game.parse(game.show(position)) == position


@pytest.mark.parametrize("spec", EXACT)
def test_every_method_gives_the_exact_value(spec: str) -> None:
    game = load(spec)
    exact = naive.values(game)[game.start()]
    for method in METHODS:
        if method in ("acyclic", "levels") and solve(game).report.cyclic:
            continue
        if method == "turns" and spec.startswith("nim"):
            continue
        report = solve(game, method).report
        assert abs(report.value - exact) <= report.bound < 1e-11, method


@pytest.mark.parametrize("spec", SOLVED)
def test_the_rules_agree_with_every_anchor(spec: str) -> None:
    verification = verify(Database.of(solve(load(spec))), sample=None)
    assert verification.checked > 0
    assert verification.residual < 1e-13


@pytest.mark.parametrize("spec", SOLVED)
def test_no_strategy_does_better_than_the_best(spec: str) -> None:
    game = load(spec)
    database: Database[Any] = Database.of(solve(game))

    def best(position: Any) -> Any:
        return database.moves(position)[0].move

    def last(position: Any) -> Any:
        node = game.node(position)
        assert isinstance(node, Choice)
        return list(node.moves)[-1]

    value = solve(game).value
    assert solve(fix(game, 1, best)).value == pytest.approx(value, abs=1e-12)
    sign = 1 if game.quantity == "expected cost" else -1
    if spec.startswith("cantstop"):
        return  # rolling on for ever, as the last move says, ends no game
    assert sign * (solve(fix(game, 1, last)).value - value) >= -1e-12
