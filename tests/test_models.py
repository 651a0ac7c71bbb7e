"""The model of stopping and pairing: its formulas by hand, and kernels against plain Python."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any

import numpy as np
import pytest

from backroll import load
from backroll.arena import play, simulate
from backroll.arena.playing import Dice, worth
from backroll.errors import StrategyError
from backroll.games.cantstop.rules import CantStop, Position, splits
from backroll.strategies import strategy, text_of
from backroll.strategies.models import Model, chances, reach

OFFICIAL = CantStop()
NOTHING = (0,) * 11
ROLLS = [tuple(sorted(dice)) for dice in product(range(1, 7), repeat=4)]
SETS = list(combinations(range(2, 13), 3))


def chance_of(total: int) -> Fraction:
    hits = sum(any(total in pair for pair in splits(dice)) for dice in ROLLS)
    return Fraction(hits, len(ROLLS))


def used(columns: tuple[int, ...], weight: dict[int, Fraction]) -> list[tuple[int, ...]]:
    """What each roll climbs with these columns marked: of its pairings the one that is most."""
    found = []
    for dice in ROLLS:
        ways = [tuple(t for t in pair if t in columns) for pair in splits(dice)]
        found.append(max(ways, key=lambda way: sum((weight[t] for t in way), Fraction(0))))
    return found


@pytest.mark.parametrize("columns", Random(1).sample(SETS, 12))
@pytest.mark.parametrize("error", [0.0, 0.25])
def test_the_player_stops_by_the_papers_formulas(columns: tuple[int, ...], error: float) -> None:
    ones = {t: Fraction(1) for t in range(2, 13)}
    inverse = {t: 1 / chance_of(t) for t in range(2, 13)}
    for stop, weight in (("total", ones), ("columns", ones), ("weighted", inverse)):
        ways = used(columns, weight)
        players = [model(f"stop={stop},error={error}"), model(f"stop={stop},pair=m3,error={error}")]
        for climbed in Random(2).sample(list(product(range(1, 4), (1, 2), range(1, 3))), 6):
            now = dict(zip(columns, climbed, strict=True))
            current = sum(weight[t] * n for t, n in now.items())
            expected = sum(
                (current + sum((weight[t] for t in way), Fraction(0)) for way in ways if way),
                Fraction(0),
            ) / len(ROLLS)
            if any(n >= OFFICIAL.lengths[t - 2] for t, n in now.items()):
                continue
            neutral = tuple((t - 2, n) for t, n in now.items())
            rolls = expected > current * (1 + Fraction(error))
            for player in players:
                made = player(Position(NOTHING, NOTHING, neutral))
                assert made == ("roll" if rolls else "stop"), (stop, now)


def model(text: str) -> Any:
    return strategy(f"model:{text}").player(OFFICIAL, Random(0))


def test_by_columns_is_in_total_written_out() -> None:
    models = Model(stop="total"), Model(stop="columns")
    arrays: list[Any] = [list(each.habits(OFFICIAL)) for each in models]
    assert all(np.array_equal(x, y) for x, y in zip(*arrays, strict=True))


def test_of_the_simple_formula_comes_the_reach_of_a_turn() -> None:
    assert chances(OFFICIAL) == pytest.approx(
        [float(chance_of(t)) for t in range(2, 13)], abs=1e-14
    )
    for columns in ((6, 7, 8), (2, 3, 12), (4, 7)):
        ways = used(columns, dict.fromkeys(range(2, 13), Fraction(1)))
        one, two = (sum(len(way) == n for way in ways) for n in (1, 2))
        limit = Fraction(one + 2 * two, len(ways) - one - two)
        row = reach(OFFICIAL)[sum(1 << t - 2 for t in columns)]
        assert row.sum() == pytest.approx(float(limit), abs=1e-12)
        shares = [chance_of(t) if t in columns else 0 for t in range(2, 13)]
        assert row / row.sum() == pytest.approx([float(x / sum(shares)) for x in shares], abs=1e-12)


def test_pairs_are_weighed_by_height_by_getting_stuck_and_by_the_lead() -> None:
    # 1,3,4,4 makes 4 and 8 or 5 and 7; from nothing the heights reached are equal
    dice = Position((0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0), NOTHING, (), (1, 3, 4, 4))
    assert model("pair=m1")(dice) == (4, 8)
    empty = Position(NOTHING, NOTHING, (), (1, 3, 4, 4))
    by_height = {(4, 8): 1 / 7 + 1 / 11, (5, 7): 1 / 9 + 1 / 13}
    assert model("pair=m1")(empty) == max(by_height, key=lambda way: by_height[way])
    ahead = empty._replace(theirs=(0, 0, 6, 0, 0, 0, 10, 0, 0, 0, 0))
    assert model("pair=m3")(ahead) == (5, 7)
    assert model("pair=m2")(ahead) == (4, 8)
    stuck = empty._replace(theirs=(0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0))
    marked = reach(OFFICIAL)[(1 << 2) + (1 << 6)]
    assert [round(marked[2]), round(marked[6])] == [1, 2]
    stuck = empty._replace(theirs=(0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0))
    assert model("pair=m2")(stuck) == (5, 7)
    assert model("pair=m1")(stuck) == (4, 8)


@pytest.mark.parametrize("text", ["model", "model:pair=m2,stop=total", "model:pair=m3,error=0.3"])
@pytest.mark.parametrize(
    "spec",
    [
        "cantstop:sides=3,shortest=2",
        "cantstop:sides=4,occupied=jump",
        "cantstop:occupied=share",
        "cantstop",
        "cantstop:sides=3,shortest=1,players=1",
    ],
)
def test_kernels_play_as_plain_python_does(text: str, spec: str) -> None:
    game, seed, games = load(spec), 5, 12
    assert isinstance(game, CantStop)
    sides = [strategy(text), strategy("model:stop=total")][: game.players]
    kernel = simulate(game, sides, games, seed=seed)
    values, turns = [], []
    for number in range(games):
        players = [each.player(game, Random(0)) for each in sides]
        steps = list(play(game, players, Dice(game.sides, seed, number)))
        values.append(worth(game, steps))
        turns.append(sum(game.anchor(step.position) for step in steps))
    assert {v: values.count(v) for v in values} == {v: n for v, n in kernel.values.items() if n}
    assert {n: turns.count(n) for n in turns} == kernel.turns


def test_text_says_what_differs_from_the_defaults() -> None:
    assert text_of(Model(pair="m2", error=0.5)) == "model:pair=m2,error=0.5"
    assert strategy("model:total") == Model(stop="total")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model:pair=m4", "model: pair expected m1, m2 or m3, found 'm4'"),
        ("model:error=-1", "model: error expected a number from 0 to 10, found '-1'"),
        ("model:error=much", "model: error expected a number from 0 to 10, found 'much'"),
    ],
)
def test_bad_parameters_are_one_line(text: str, message: str) -> None:
    with pytest.raises(StrategyError, match=message):
        strategy(text)
