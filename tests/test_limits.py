"""Turns that stop at a limit: the mass of all turns against turns that are played, and by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Literal

import numpy as np
import pytest

from backroll.arena.limits import climbing, exactly, played
from backroll.games.cantstop.rules import CantStop
from backroll.strategies.models import limits, outlook, weights_of

OFFICIAL = CantStop()


def test_one_column_is_a_geometric_series() -> None:
    turns = climbing(OFFICIAL, (0,), (1.0,))
    twice, once = Fraction(1, 1296), Fraction(6 * 5**2 + 4 * 5, 1296)
    mean = {1: once + 2 * twice, 2: 2 * (once**2 + twice) + 3 * once * twice}
    for limit, found in zip((1, 2), exactly(turns, (1, 2)), strict=True):
        assert found.weight == pytest.approx(float(mean[limit]), rel=1e-12)


@pytest.mark.compiled
@pytest.mark.parametrize("doubles", ["twice", "once"])
def test_turns_that_are_played_come_to_the_same(doubles: Literal["twice", "once"]) -> None:
    turns = climbing(OFFICIAL, (4, 5, 6), (0.5, 0.4, 0.5), doubles)
    weights = (6.0, 1.2, 4.1, 5.3)
    for exact, found in zip(exactly(turns, weights), played(turns, weights, 200_000), strict=True):
        assert abs(found.weight - exact.weight) < 4 * found.error
        assert found.squares == pytest.approx(exact.squares, abs=0.06)
        assert found.weight == pytest.approx(float(found.squares @ turns.weights), rel=1e-12)


def test_played_turns_do_not_depend_on_threads_or_on_other_limits() -> None:
    turns = climbing(OFFICIAL, (4, 5, 6), (0.5, 0.4, 0.5))
    one, two = (played(turns, (6.0, 1.2), 2_000, threads=n) for n in (1, 2))
    alone = played(turns, (1.2,), 2_000)
    assert [each.weight for each in one] == [each.weight for each in two]
    assert one[1].weight == alone[0].weight


@pytest.mark.parametrize("columns", [(4, 5, 6), (0, 5, 10), (1, 2, 8)])
def test_no_limit_is_better_than_that_of_the_formula(columns: tuple[int, int, int]) -> None:
    weights = weights_of(OFFICIAL)[list(columns)]
    bits = sum(1 << c for c in columns)
    limit = limits(outlook(OFFICIAL, tuple(weights_of(OFFICIAL))), 0.0)[bits]
    turns = climbing(OFFICIAL, columns, list(weights))
    others = np.linspace(0.2, 2.0, 30) * limit
    best, *rest = (each.weight for each in exactly(turns, [limit, *others]))
    assert best >= max(rest) - 1e-12
    assert best > min(rest) + 0.1


def test_a_double_may_count_once_where_pairings_are_compared() -> None:
    rolls = {dice: r for r, dice in enumerate(product(range(1, 7), repeat=4))}
    once = climbing(OFFICIAL, (4, 6), (1, 1.5), "once").climbed
    twice = climbing(OFFICIAL, (4, 6), (1, 1.5), "twice").climbed
    assert twice[rolls[2, 4, 2, 4]].tolist() == [2, 0]  # 6 and 6 over 4 and 8
    assert once[rolls[2, 4, 2, 4]].tolist() == [0, 1]
    assert once[rolls[2, 4, 1, 5]].tolist() == [2, 0]
