"""How far turns climb that stop at a limit, exactly and by playing them.

The turn is in some columns only, from their feet and without tops, as in the exhaustive search of
Canakci, Serrano, Roy and Kruskal: a roll climbs by the pairing that weighs most, or the turn is
lost. The weight W of the squares climbed only grows, so whether a state of the turn is visited does
not depend on limits above it. With v(s) the expected visits of state s when nobody stops, a turn
that stops at L or more ends in t with chance

    sum over s with W(s) < L <= W(t) of v(s) P(s -> t),

so one pass over the moves s -> t serves every limit: each counts for those between W(s) and W(t).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Literal, NamedTuple

import numpy as np

from backroll.arrays import Floats, Longs
from backroll.games.cantstop.rules import CantStop
from backroll.kernels.limits import climb_to_limits

CHUNK = 50_000
"""Turns a job."""
SLACK = 1e-9
"""Squares that weigh the same may differ by so much, added up in another order."""
PAIRS = [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 3], [1, 2]]]
"""Which dice go together."""


class Climbing(NamedTuple):
    """Turns in some columns: what each roll climbs in each of them, and what a square weighs."""

    climbed: Longs
    weights: Floats

    def weight(self, squares: Longs) -> Floats:
        """What squares weigh, added column by column as the kernel adds."""
        found = np.zeros(squares.shape[:-1])
        for c, weight in enumerate(self.weights):
            found += weight * squares[..., c]
        return found


class Climbed(NamedTuple):
    """What turns came to that stop at a limit, on average."""

    squares: Floats
    """The squares of each column; a lost turn has none."""
    weight: float
    error: float
    """The standard error of the weight; 0 where it is exact."""


def climbing(
    game: CantStop,
    columns: Sequence[int],
    weights: Sequence[float],
    doubles: Literal["twice", "once"] = "twice",
) -> Climbing:
    """Turns in some columns, numbered from the left.

    `doubles` says how often a column counts that a pairing climbs twice, where pairings are
    compared. The first of equal ones is taken, in the order of the dice as they fell.
    """
    dice = np.array(list(product(range(1, game.sides + 1), repeat=4)))
    totals = dice[:, PAIRS].sum(-1) - 2  # by roll, pairing and pair
    ways = (totals[..., None] == np.array(columns)).sum(2)
    turns = Climbing(ways[:, 0], np.array(weights, float))
    best = turns.weight(np.minimum(ways, 1 if doubles == "once" else 2)).argmax(1)
    return turns._replace(climbed=ways[np.arange(len(ways)), best].astype(np.int64))


def exactly(turns: Climbing, limits: Sequence[float]) -> list[Climbed]:
    """What turns come to that stop at each of some limits."""
    order = np.argsort(limits, kind="stable")
    rising = np.array(limits, float)[order] - SLACK
    steps, counts = np.unique(turns.climbed, axis=0, return_counts=True)
    chances = np.where(steps.any(1), counts, 0) / len(turns.climbed)
    ended = np.zeros((len(limits) + 1, len(turns.weights)))
    states, visits = np.zeros((1, len(turns.weights)), np.int64), np.ones(1)
    while len(states):  # those after as many rolls
        after = states[:, None] + steps
        passed = np.searchsorted(rising, turns.weight(states), "right")
        passes = np.searchsorted(rising, turns.weight(after), "right")
        flow = visits[:, None] * chances
        carried = flow[..., None] * after
        np.add.at(ended, np.repeat(passed[:, None], len(steps), 1), carried)
        np.subtract.at(ended, passes, carried)
        going = (passes < len(limits)) & (chances > 0)
        states, place = np.unique(after[going], axis=0, return_inverse=True)
        visits = np.zeros(len(states))
        np.add.at(visits, place.ravel(), flow[going])
    squares = ended.cumsum(0)[np.argsort(order)]
    return [Climbed(each, float(each @ turns.weights), 0.0) for each in squares]


def played(
    turns: Climbing, limits: Sequence[float], count: int, *, seed: int = 0, threads: int = 2
) -> list[Climbed]:
    """What a number of turns came to, the same turns for every limit."""
    order = np.argsort(limits, kind="stable")
    rising = np.array(limits, float)[order] - SLACK

    def job(begin: int) -> tuple[Longs, Floats]:
        squares = np.zeros((len(limits), len(turns.weights)), np.int64)
        weighed = np.zeros((len(limits), 2))
        end = min(begin + CHUNK, count)
        climb_to_limits(*turns, rising, seed, begin, end, squares, weighed)
        return squares, weighed

    with ThreadPoolExecutor(threads) as pool:
        jobs = list(pool.map(job, range(0, count, CHUNK)))
    squares = np.sum([each[0] for each in jobs], axis=0) / count
    mean, mean_square = np.sum([each[1] for each in jobs], axis=0).T / count
    errors = np.sqrt((mean_square - mean**2) / count)
    ranks = np.argsort(order)
    return [Climbed(squares[i], float(mean[i]), float(errors[i])) for i in ranks]
