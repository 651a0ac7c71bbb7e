"""Sweeps over a graph in evaluation order: seed 000's first two algorithms.

`settle` evaluates what does not go round (Algorithm 1), `count_children` and `by_level` are its
two other forms. `iterate` is Algorithm 2 on any stretch of components, `one_turn` its step for a
limit of turns (seed 003).
"""

from __future__ import annotations

import numpy as np

from backroll.arrays import Flags, Floats, Graph, Ints, Longs
from backroll.kernels import kernel


@kernel
def look(graph: Graph, value: Floats, u: int) -> tuple[float, int]:
    """What the children of u say it is worth, and the edge chosen (-1 where chance does)."""
    begin, end = graph.first[u], graph.first[u + 1]
    if graph.kind[u] == 0:
        total = 0.0
        for e in range(begin, end):
            total += graph.weight[e] * value[graph.child[e]]
        return graph.adds[u] + total, -1
    best = graph.weight[begin] * value[graph.child[begin]]
    chosen = begin
    sign = 1.0 if graph.kind[u] == 1 else -1.0
    for e in range(begin + 1, end):
        worth = graph.weight[e] * value[graph.child[e]]
        if sign * worth > sign * best:
            best, chosen = worth, e
    return graph.adds[u] + best, chosen


@kernel
def settle(graph: Graph, order: Ints, begin: int, end: int, value: Floats, choice: Longs) -> None:
    """Evaluate a stretch of the order once."""
    for i in range(begin, end):
        u = order[i]
        value[u], choice[u] = look(graph, value, u)


@kernel
def parents_of(first: Longs, child: Ints) -> tuple[Longs, Ints]:
    """The graph with its edges turned round."""
    n = first.size - 1
    begin = np.zeros(n + 1, np.int64)
    for e in range(child.size):
        begin[child[e] + 1] += 1
    for u in range(n):
        begin[u + 1] += begin[u]
    slot = begin[:-1].copy()
    parent = np.empty(child.size, np.int32)
    for u in range(n):
        for e in range(first[u], first[u + 1]):
            parent[slot[child[e]]] = u
            slot[child[e]] += 1
    return begin, parent


@kernel
def count_children(graph: Graph, begin: Longs, parent: Ints, value: Floats, choice: Longs) -> int:
    """Algorithm 1 with children counting; gives how many positions it determined."""
    n = value.size
    waiting = np.empty(n, np.int64)
    ready = np.empty(n, np.int32)
    last = 0
    for u in range(n):
        waiting[u] = graph.first[u + 1] - graph.first[u]
        if waiting[u] == 0:
            ready[last] = u
            last += 1
    done = 0
    while done < last:
        u = ready[done]
        done += 1
        value[u], choice[u] = look(graph, value, u)
        for e in range(begin[u], begin[u + 1]):
            waiting[parent[e]] -= 1
            if waiting[parent[e]] == 0:
                ready[last] = parent[e]
                last += 1
    return done


@kernel
def by_level(first: Longs, child: Ints, order: Ints) -> tuple[Ints, Longs]:
    """Sort an order of evaluation by level, the longest distance to an end."""
    level = np.zeros(order.size, np.int64)
    for i in range(order.size):
        u = order[i]
        for e in range(first[u], first[u + 1]):
            level[u] = max(level[u], level[child[e]] + 1)
    start = np.zeros(level.max() + 2, np.int64)
    for u in range(level.size):
        start[level[u] + 1] += 1
    for k in range(1, start.size):
        start[k] += start[k - 1]
    slot = start.copy()
    by_levels = np.empty(order.size, np.int32)
    for i in range(order.size):
        by_levels[slot[level[order[i]]]] = order[i]
        slot[level[order[i]]] += 1
    return by_levels, start


@kernel
def iterate(
    graph: Graph,
    order: Ints,
    begin: int,
    end: int,
    value: Floats,
    choice: Longs,
    tolerance: float,
    most: int,
) -> tuple[int, float]:
    """Algorithm 2 on a stretch of the order: sweep until no value changes by more."""
    change = 0.0
    for sweep in range(1, most + 1):
        change = 0.0
        for i in range(begin, end):
            u = order[i]
            before = value[u]
            value[u], choice[u] = look(graph, value, u)
            change = max(change, abs(value[u] - before))
        if change <= tolerance:
            return sweep, change
    return most, change


@kernel
def one_turn(
    graph: Graph, order: Ints, anchor: Flags, value: Floats, choice: Longs, image: Floats
) -> None:
    """Every anchor's value with one turn more to play; `value` holds those with n turns."""
    for i in range(order.size):
        u = order[i]
        worth, choice[u] = look(graph, value, u)
        if anchor[u]:
            image[u] = worth
        else:
            value[u] = worth


@kernel
def residual(graph: Graph, value: Floats) -> tuple[float, int]:
    """The largest difference between a value and what the children say, and where."""
    largest, where = 0.0, 0
    for u in range(value.size):
        worth, _ = look(graph, value, u)
        off = abs(worth - value[u])
        if np.isnan(off):
            return np.inf, u
        if off > largest:
            largest, where = off, u
    return largest, where
