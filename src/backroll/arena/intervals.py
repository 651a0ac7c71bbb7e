"""How far a mean over games can be trusted.

A mean of values has the normal interval, mean ± z · s / √n. A share of wins has Wilson's (1927):
with p of n games won, the shares q for which p is no more than z standard errors of q away,

    (p + z²/2n ± z √(p (1 - p) / n + z²/4n²)) / (1 + z²/n)

which never leaves 0 to 1 and is right where nobody has won yet.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from statistics import NormalDist
from typing import NamedTuple, TypeVar

Value = TypeVar("Value", int, float)
LEVEL = 0.95


class Interval(NamedTuple):
    """Where a number lies, with the confidence that was asked for."""

    low: float
    high: float


def normal(mean: float, error: float, level: float = LEVEL) -> Interval:
    """The interval about a mean with a standard error."""
    away = quantile(level) * error
    return Interval(mean - away, mean + away)


def wilson(share: float, games: int, level: float = LEVEL) -> Interval:
    """The interval about a share of some games.

    >>> [round(each, 3) for each in wilson(0.5, 100)]
    [0.404, 0.596]
    >>> [round(each, 3) for each in wilson(0.0, 100)]
    [0.0, 0.037]
    """
    if not games:
        return Interval(0.0, 1.0)
    z = quantile(level)
    middle = share + z * z / (2 * games)
    away = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return Interval(max((middle - away) / scale, 0.0), min((middle + away) / scale, 1.0))


def quantile(level: float) -> float:
    """How many standard errors away the ends of an interval are."""
    return NormalDist().inv_cdf((1 + level) / 2)


def mean(counts: Mapping[float, int]) -> float:
    """The mean of values that came up so often."""
    return sum(n * value for value, n in counts.items()) / max(sum(counts.values()), 1)


def deviation(counts: Mapping[float, int]) -> float:
    """The standard deviation of values that came up so often."""
    middle, games = mean(counts), sum(counts.values())
    squares = sum(n * (value - middle) ** 2 for value, n in counts.items())
    return math.sqrt(squares / max(games - 1, 1))


def percentile(counts: Mapping[Value, float], share: float) -> Value:
    """The least value with at least that share of all at or below it.

    >>> percentile({3: 1, 5: 2, 9: 1}, 0.5)
    5
    """
    values = sorted(counts)
    wanted = share * sum(counts.values())
    below = accumulate(counts[value] for value in values)
    return next((v for v, seen in zip(values, below, strict=True) if seen >= wanted), values[-1])


def error_of_batches(means: Sequence[float], sizes: Sequence[int]) -> float:
    """The standard error of the mean of batches, from how much their means differ.

    Where games of two strategies are paired by the same dice, this counts what pairing has gained.
    """
    games = sum(sizes)
    if len(means) < 2 or not games:
        return math.inf
    middle = sum(n * each for n, each in zip(sizes, means, strict=True)) / games
    squares = sum(n * (each - middle) ** 2 for n, each in zip(sizes, means, strict=True))
    return math.sqrt(squares / (len(means) - 1) / games)
