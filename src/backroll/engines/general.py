"""The general engine: any game, explored, decomposed, solved component by component, proven."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np

from backroll.arrays import Flags, Floats
from backroll.engines.methods import METHODS
from backroll.engines.problem import Problem
from backroll.engines.proving import check_residual, prove, refuse_closed
from backroll.errors import BackrollError, NoSolution
from backroll.game import WIN, Game, Position
from backroll.graph import LIMIT, Explored, chances, explore, overrides
from backroll.solution import Progress, Report, Solution, silent
from backroll.spec import spec_of


def solve(
    game: Game[Position],
    method: str = "auto",
    *,
    bounds: bool = False,
    limit: int = LIMIT,
    progress: Progress = silent,
) -> Solution[Position]:
    """Solve a game exactly: its value, and the value of every anchor.

    `method` is one of `METHODS`; `bounds` keeps a proven lower and upper value per anchor;
    `limit` is how many positions may be explored.
    """
    if method not in METHODS:
        raise BackrollError(f"expected a method among {', '.join(METHODS)}; found {method!r}")
    clock = _Clock()
    explored = explore(game, limit, progress)
    clock.lap("explore")
    problem = Problem.of(explored)
    clock.lap("order")
    with _told_of_draws(explored):
        refuse_closed(problem)
        with np.errstate(over="ignore", invalid="ignore"):  # silent as when compiled: refused below
            METHODS[method](problem, progress)
            clock.lap("solve")
            off = check_residual(problem)
        lower, upper = prove(problem, progress)
    clock.lap("prove")
    return _solution(problem, method, clock.seconds, off, lower, upper, bounds)


@contextmanager
def _told_of_draws(explored: Explored[Any]) -> Iterator[None]:
    """Whoever has a game for two without chance is told what solves it if play can be endless."""
    try:
        yield
    except NoSolution as error:
        game = explored.game
        if game.players != 2 or game.quantity != WIN or chances(explored.graph).any():
            raise
        raise NoSolution(
            f"{error}; where play that goes on for ever is a draw, a game without chance says "
            "chance = False"
        ) from error


class _Clock:
    """Seconds by stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.last = perf_counter()

    def lap(self, stage: str) -> None:
        now = perf_counter()
        self.seconds[stage] = now - self.last
        self.last = now


def _solution(
    problem: Problem,
    method: str,
    seconds: dict[str, float],
    off: float,
    lower: Floats,
    upper: Floats,
    bounds: bool,
) -> Solution[Any]:
    """What is kept of a solved problem."""
    explored, order = problem.explored, problem.order
    kept = np.flatnonzero(_kept(explored, order.cut))
    centre = explored.centre
    value = problem.value
    width = max(upper[0] - value[0], value[0] - lower[0], 0.0)
    report = Report(
        spec=spec_of(explored.game),
        quantity=explored.game.quantity,
        method=method,
        value=float(value[0] + centre),
        bound=float(width + np.spacing(abs(value[0] + centre))),
        residual=off,
        positions=value.size,
        edges=explored.graph.child.size,
        anchors=kept.size,
        components=int(np.unique(order.component[kept]).size),
        cyclic=int(np.count_nonzero(order.cyclic)),
        iterations=problem.iterations,
        methods=problem.methods,
        seconds=seconds,
    )
    outward = np.spacing(max(abs(centre), 1.0)) if centre else 0.0
    return Solution(
        explored.game,
        report,
        [explored.positions[u] for u in kept],
        value[kept] + centre,
        lower[kept] + centre - outward if bounds else None,
        upper[kept] + centre + outward if bounds else None,
    )


def _kept(explored: Explored[Any], cut: Flags) -> Flags:
    """The positions a table keeps: anchors, and whatever else was needed to cut cycles."""
    ends = np.diff(explored.graph.first) == 0
    return explored.anchor | cut if overrides(explored.game, "anchor") else ~ends
