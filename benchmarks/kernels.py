"""One sweep over an explored graph on one core, compiled, beside the same sweep in plain Python."""

from __future__ import annotations

import sys
from collections.abc import Callable
from timeit import repeat

import numpy as np
from papers.sheet import NONE, Sheet

from backroll import load
from backroll.arrays import MEAN, Floats, Graph
from backroll.engines.problem import Problem
from backroll.graph import explore
from backroll.kernels.scc import decompose
from backroll.kernels.sweeps import iterate, residual, settle
from benchmarks.exploring import fastest

QUICK = ("pig:target=30",)
FULL = ("shutthebox:aim=win", "pig", "cantstop:players=1,sides=3,shortest=2")
SAMPLE = 100_000
"""Positions that plain Python sweeps."""
SWEEPS, ROUNDS = 10, 5


def sheets(*, quick: bool) -> list[Sheet]:
    return [
        Sheet(
            "One sweep on one core",
            ("game", "kernel", "edges", "edges/s", "against plain Python"),
            [row for spec in (QUICK if quick else FULL) for row in _rows(spec)],
            "Plain Python sweeps the same arrays as lists, a sample of the positions.",
        )
    ]


def _rows(spec: str) -> list[tuple[str, ...]]:
    problem = Problem.of(explore(load(spec)))
    graph, order = problem.graph, problem.order.order
    first, child, anchor = graph.first, graph.child, problem.explored.anchor
    value, choice, size = problem.value, problem.choice, problem.value.size
    plain = _plain(problem)
    kernels: dict[str, Callable[[], object]] = {
        "settle": lambda: settle(graph, order, 0, size, value, choice),
        "iterate": lambda: iterate(graph, order, 0, size, value, choice, 0.0, 1),
        "residual": lambda: residual(graph, value),
        "decompose": lambda: decompose(first, child, anchor),
    }
    rows = [("plain Python", plain, NONE)]
    for name, work in kernels.items():
        work()
        rate = child.size * SWEEPS / min(repeat(work, number=SWEEPS, repeat=ROUNDS))
        rows.append((name, rate, f"{rate / plain:,.0f} ×" if name != "decompose" else NONE))
    edges = f"{child.size:,}"
    return [(f"`{spec}`", name, edges, f"{rate:,.0f}", ratio) for name, rate, ratio in rows]


def _plain(problem: Problem) -> float:
    """Edges a second of a sweep in plain Python, which must find what `settle` finds."""
    graph, size = problem.graph, min(SAMPLE, problem.value.size)
    order = problem.order.order[:size]
    found, choice = np.zeros(problem.value.size), problem.choice.copy()
    settle(graph, order, 0, size, found, choice)
    lists = Graph(*(each.tolist() for each in graph))
    members = order.tolist()
    values = [0.0] * problem.value.size
    seconds = fastest(lambda: sweep(lists, members, values), 1)
    if not np.array_equal(np.array(values), found):
        sys.exit("the sweep in plain Python and settle differ")
    return float(np.diff(graph.first)[order].sum() / seconds)


def sweep(graph: Graph, order: list[int], values: list[float] | Floats) -> None:
    """What `settle` does, over lists."""
    kind, first, child, weight, adds = graph
    for u in order:
        worths = [weight[e] * values[child[e]] for e in range(first[u], first[u + 1])]
        if kind[u] == MEAN:
            values[u] = adds[u] + sum(worths)
        else:
            values[u] = adds[u] + (max(worths) if kind[u] == 1 else min(worths))
