"""Optimal and turn-exact play: the moves of a table, and estimates of what anchors are worth."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

from backroll import Database, load, solve
from backroll.arena import simulate
from backroll.arena.fitting import Fit, keep, refined, sample
from backroll.errors import BackrollError, MissingTable, StrategyError, WrongTable
from backroll.games.cantstop.rules import CantStop, Heights, Position
from backroll.solving import save
from backroll.strategies import strategy, text_of
from backroll.strategies.estimates import SoftTurns, rough
from backroll.strategies.exact import TurnPlayer
from backroll.strategies.turns import Turn

BOARDS = [
    "cantstop:players=1,sides=2,shortest=2",
    "cantstop:sides=2,shortest=2,columns=1",
    "cantstop:sides=2,shortest=3,columns=1,occupied=jump",
    "cantstop:sides=2,shortest=2,columns=1,occupied=share",
    pytest.param("cantstop:players=1,sides=3,shortest=2", marks=pytest.mark.compiled),
    pytest.param("cantstop:sides=3,shortest=1", marks=pytest.mark.compiled),
    pytest.param("cantstop:sides=3,shortest=1,occupied=jump", marks=pytest.mark.compiled),
]


def solved(spec: str, out: Path) -> Database[Position]:
    solution = solve(load(spec))
    save(solution, out)
    return Database.of(solution)


@pytest.mark.parametrize("spec", BOARDS)
@pytest.mark.parametrize("text", ["optimal:{}", "exact:table:{}"])
def test_every_move_is_the_best_of_the_table(spec: str, text: str, tmp_path: Path) -> None:
    database = solved(spec, tmp_path / "table")
    game = database.game
    player = strategy(text.format(tmp_path / "table")).player(game, Random(0))
    random, choices = Random(1), 0
    while choices < 25:
        position = game.sample(random)
        moves = {each.move: each.loss for each in database.moves(position)}
        if len(moves) > 1:
            choices += 1
            assert moves[player(position)] <= 1e-9


@pytest.mark.parametrize("spec", BOARDS)
def test_states_are_worth_what_the_rules_say(spec: str, tmp_path: Path) -> None:
    database = solved(spec, tmp_path / "table")
    game = database.game
    player = strategy(f"optimal:{tmp_path / 'table'}").player(game, Random(0))
    assert isinstance(player, TurnPlayer)
    sign = -1.0 if game.players == 1 else 1.0
    random, seen = Random(2), 0
    for _ in range(300):
        position = game.sample(random)
        if game.anchor(position):
            turn = player.turn(position.mine, position.theirs)
            assert turn.value == pytest.approx(sign * database.value(position), abs=1e-10)
        elif position.neutral and not position.dice and not position.rolling:
            turn = player.turn(position.mine, position.theirs)
            worth = turn.worth(position.neutral)
            assert worth == pytest.approx(sign * database.value(position), abs=1e-10)
            seen += 1
    assert seen > 10


def test_optimal_plays_any_game_with_a_table(tmp_path: Path) -> None:
    database = solved("pig:target=10", tmp_path / "table")
    game = database.game
    player = strategy(f"optimal:{tmp_path / 'table'}").player(game, Random(0))
    for position in (game.start(), game.parse("3/4/5")):
        if len(database.moves(position)) > 1:
            assert player(position) == database.moves(position)[0].move


def test_games_are_worth_what_the_table_says(tmp_path: Path) -> None:
    database = solved("cantstop:players=1,sides=2,shortest=2", tmp_path / "table")
    found = simulate(database.game, [strategy(f"optimal:{tmp_path / 'table'}")], 400, seed=3)
    exact = database.value(database.game.start())
    assert abs(found.mean - exact) < 4 * found.error


@pytest.mark.parametrize(
    ("text", "spec", "error", "said"),
    [
        ("exact:nonsense", "cantstop:players=1", StrategyError, "columns, fitted and table:PATH"),
        ("exact:fitted", "cantstop:players=1,sides=2", StrategyError, "no fitted estimate"),
        ("exact:columns", "pig:target=10", StrategyError, "expected a game of cantstop"),
        ("exact:aim=nothing", "cantstop", StrategyError, "best or turns"),
        ("optimal", "cantstop", StrategyError, "path"),
        ("optimal:nowhere", "cantstop", MissingTable, "nowhere"),
        ("optimal:{}", "cantstop:players=1,sides=3", WrongTable, "sides=3"),
        ("exact:table:{}", "cantstop:players=1,sides=3", StrategyError, "sides=3"),
        ("exact:(table:{})", "cantstop:players=1,sides=2,shortest=4", StrategyError, "shortest=4"),
    ],
)
def test_what_cannot_be_played_is_told_in_a_line(
    text: str, spec: str, error: type[BackrollError], said: str, tmp_path: Path
) -> None:
    if "{}" in text:
        solved("cantstop:players=1,sides=2", tmp_path / "table")
    with pytest.raises(error) as caught:
        strategy(text.format(tmp_path / "table")).player(load(spec), Random(0))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["exact", "exact:estimate=columns", "exact:aim=turns"])
def test_texts_are_read_back(text: str) -> None:
    assert text_of(strategy(text)) == text


def test_brackets_around_an_estimate_say_nothing() -> None:
    assert strategy("exact:(table:here)") == strategy("exact:estimate=table:here")
    assert strategy(text_of(strategy("exact:table:here"))) == strategy("exact:table:here")


def anchors(game: CantStop, count: int) -> list[tuple[Heights, Heights]]:
    random = Random(4)
    found: list[tuple[Heights, Heights]] = []
    while len(found) < count:
        position = game.sample(random)
        if game.anchor(position):
            found.append((position.mine, position.theirs))
    return found


def test_stops_are_estimated_as_the_anchors_after_them() -> None:
    game = CantStop(3, 1, players=2)
    noise = np.random.default_rng(0)
    worth = rough(game)
    worth.weight[:] = noise.normal(size=worth.weight.shape)
    worth.climb[:] += noise.normal(size=worth.climb.shape)
    forecast = SoftTurns(game, worth)
    for mine, theirs in anchors(game, 6):
        turn = Turn(game, mine, theirs)
        after = forecast.after(turn)
        heights = turn.heights(np.arange(len(turn.states)))
        for state in range(0, len(turn.states) - 1, 7):
            here = tuple(heights[state].tolist())
            turns = 0.0 if game.won(here) >= 3 else forecast.turns(here, theirs)
            assert after[state] == pytest.approx(turns, abs=1e-12)


def test_a_turn_alone_is_a_fixed_point() -> None:
    game = CantStop(3, 1, players=1)
    player = strategy("exact:columns").player(game, Random(0))
    assert isinstance(player, TurnPlayer)
    start = game.start()
    turn = player.turn(start.mine, start.theirs)
    value, _ = turn.evaluate(turn.value)
    assert value - 1.0 == pytest.approx(turn.value, abs=1e-9)


def test_two_turns_lost_to_each_other_are_a_fixed_point() -> None:
    game = CantStop(2, 2, players=2, columns=1)
    player = strategy("exact:columns").player(game, Random(0))
    assert isinstance(player, TurnPlayer)
    for mine, theirs in anchors(game, 6):
        one, two = player.turn(mine, theirs), player.turn(theirs, mine)
        assert one.evaluate(1.0 - two.value)[0] == pytest.approx(one.value, abs=1e-9)
        assert 0.0 < one.value < 1.0 + 1e-9


def test_a_fit_knows_its_derivatives() -> None:
    game = CantStop(3, 2, players=1)
    worth, noise = rough(game), np.random.default_rng(1)
    for left in (1, 2, 3):
        fitted = Fit(game, worth, left)
        p = fitted.pack() + 0.1 * noise.normal(size=fitted.size)
        heights = np.array([(1, 2, 3, 0, 1), (0, 0, 5, 3, 0), (0, 4, 6, 3, 0), (0, 4, 6, 1, 1)])
        heights = heights[(heights == np.array(game.lengths)).sum(1) == 3 - left]
        found, slopes = fitted.linear(p, heights)
        for row, turns in zip(heights, found, strict=True):
            there = tuple(row.tolist())
            forecast = SoftTurns(game, fitted.unpack(p))
            assert turns == pytest.approx(forecast.turns(there, (0,) * 5), abs=1e-12)
        for i in range(fitted.size):
            step = np.zeros(fitted.size)
            step[i] = 1e-6
            higher, _ = fitted.linear(p + step, heights)
            lower, _ = fitted.linear(p - step, heights)
            assert (higher - lower) / 2e-6 == pytest.approx(slopes[:, i], abs=1e-6)


@pytest.mark.compiled
def test_fitting_comes_near_the_optimum(tmp_path: Path) -> None:
    game = CantStop(3, 2, players=1)
    worth, errors = refined(game, rough(game), [60, 60, 60])
    assert max(errors) < 0.15
    start = game.start().mine
    assert sample(game, worth, [0], 0, 0.0)[start] == pytest.approx(1.7224007847, abs=0.02)
    keep(worth, tmp_path / "fit.json")
    kept = json.loads((tmp_path / "fit.json").read_text())
    assert kept["climb"] == pytest.approx(worth.climb, abs=1e-4)
