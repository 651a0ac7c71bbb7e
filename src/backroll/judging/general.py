"""Exact judgement of any players of any game: with every choice made, the game is solved.

For one player also the second moment, from the same equations: with v(u) = a(u) + mean v(child),
the mean of the square is a (2 v - a) + mean of the squares of the children. And where costs are
whole numbers, the chance of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from backroll.arrays import Floats, Graph, Longs, Order
from backroll.engines.methods import METHODS
from backroll.engines.problem import Problem
from backroll.engines.proving import check_residual, prove, refuse_closed
from backroll.game import Game
from backroll.graph import explore
from backroll.kernels.scc import decompose
from backroll.kernels.spending import spend
from backroll.solution import Progress
from backroll.strategies import Player
from backroll.wrappers import fix

LEFT = 1e-12
"""The distribution of costs ends where less chance than this is left."""
MOST = 1_000_000
"""The highest cost in a distribution."""
SPAN = 1_000
"""The most that a position may add to the cost where there is to be a distribution."""


class Found(NamedTuple):
    """What players come to, with a proven bound; for one player also how it is spread."""

    value: float
    bound: float
    off: float
    anchors: int
    deviation: float | None
    distribution: Mapping[float, float]


def judge(
    game: Game[Any],
    players: Sequence[Player],
    *,
    distribution: bool,
    limit: int,
    progress: Progress,
) -> Found:
    """Judge players that always decide alike."""
    fixed = game
    for i, player in enumerate(players, 1):
        fixed = fix(fixed, i, player)
    problem = Problem.of(explore(fixed, limit, progress))
    off = _solve(problem, progress)
    lower, upper = prove(problem, progress)
    value = float(problem.value[0])
    width = max(upper[0] - value, value - lower[0], 0.0)
    anchors = int(problem.explored.anchor.sum())
    bound = float(width + np.spacing(abs(value)))
    if game.players == 2:
        return Found(value, bound, off, anchors, None, {})
    second = _squares(problem)
    _solve(second, progress)
    deviation = float(np.sqrt(max(float(second.value[0]) - value**2, 0.0)))
    found = dict(_costs(problem, progress)) if distribution else {}
    return Found(value, bound, off, anchors, deviation, found)


def _solve(problem: Problem, progress: Progress) -> float:
    """Fill in the values; gives the largest residual."""
    refuse_closed(problem)
    with np.errstate(over="ignore", invalid="ignore"):  # silent as when compiled: refused below
        METHODS["auto"](problem, progress)
        return check_residual(problem)


def _squares(problem: Problem) -> Problem:
    """The problem whose values are the means of the squares."""
    graph = problem.graph
    adds: Floats = graph.adds * (2 * problem.value - graph.adds)
    return Problem.of(replace(problem.explored, graph=graph._replace(adds=adds)))


def _costs(problem: Problem, progress: Progress) -> Iterator[tuple[float, float]]:
    """How likely each cost is; nothing where costs are not whole, or play can go on for none."""
    graph = problem.graph
    cost = graph.adds.astype(np.int64)
    if (cost != graph.adds).any() or (cost < 0).any() or cost.max() >= SPAN:
        return
    order = _without_cost(graph, cost)
    if order.cyclic.any():
        return
    span = int(cost.max()) + 1
    waiting, ended = np.zeros((span, cost.size)), np.zeros(span)
    waiting[0, 0] = 1.0
    gone = 0.0
    for so_far in range(MOST):
        now = so_far % span
        spend(graph, order.order, cost, now, waiting, ended)
        if ended[now]:
            yield float(so_far), float(ended[now])
        gone += ended[now]
        ended[now] = 0.0
        progress("spread", so_far, None)
        if 1 - gone < LEFT:
            return


def _without_cost(graph: Graph, cost: Longs) -> Order:
    """The order of the positions in which those that cost nothing come after their children."""
    free, degree = cost == 0, np.diff(graph.first)
    first = np.append(0, np.cumsum(np.where(free, degree, 0)))
    return Order(*decompose(first, graph.child[np.repeat(free, degree)], free & False))
