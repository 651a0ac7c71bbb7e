"""Methods run against one another on one explored game, so that only they are timed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from backroll.arrays import Floats
from backroll.engines.methods import METHODS
from backroll.engines.problem import Problem
from backroll.engines.proving import refuse_closed
from backroll.graph import Explored
from backroll.solution import silent


class Run(NamedTuple):
    """What a method took and found."""

    method: str
    iterations: int
    looks: int | None
    """Edges looked at in sweeps; None for strategy iteration, which solves equations instead."""
    seconds: float
    values: Floats

    def apart(self, other: Run) -> float:
        """The largest difference between two runs' values of the same position."""
        return float(np.abs(self.values - other.values).max())


class _Watched(Problem):
    """A problem that notes how often each of its components is swept."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._at = (0, 0)
        self.sweeps: list[tuple[int, int, int]] = []

    def stretches(self) -> Iterator[tuple[int, int, bool]]:
        """The stretches, the one at hand kept in mind."""
        for begin, end, cyclic in super().stretches():
            self._at = (begin, end)
            yield begin, end, cyclic

    def count(self, method: str, steps: int = 0) -> None:
        """Newton sweeps once more than it steps, to see that nothing moves."""
        super().count(method, steps)
        self.sweeps.append((*self._at, steps + method.startswith("newton")))

    def looks(self, method: str) -> int | None:
        """The edges that a method's sweeps looked at."""
        every = self.graph.child.size
        whole = {"acyclic": 1, "levels": 1, "turns": self.iterations + 1}
        if method in whole or method == "iteration":
            return every * whole.get(method, self.iterations)
        if "policy" in (method, *self.methods):
            return None
        degree = np.diff(self.graph.first)[self.order.order]
        before = np.concatenate(([0], np.cumsum(degree)))
        again = sum(
            (sweeps - 1) * (before[end] - before[begin]) for begin, end, sweeps in self.sweeps
        )
        return int(every + again)


def race(explored: Explored[Any], methods: Sequence[str], rounds: int = 1) -> list[Run]:
    """Run each method on the same graph, turn about, and keep the fastest run of each."""
    runs = [[run_once(explored, method) for method in methods] for _ in range(rounds)]
    return [min(each, key=lambda one: one.seconds) for each in zip(*runs, strict=True)]


def run_once(explored: Explored[Any], method: str) -> Run:
    """Time a method on a graph that is decomposed already; nothing is proven."""
    problem = _Watched.of(explored)
    refuse_closed(problem)
    began = perf_counter()
    METHODS[method](problem, silent)
    seconds = perf_counter() - began
    assert isinstance(problem, _Watched)
    return Run(method, problem.iterations, problem.looks(method), seconds, problem.value)
