"""Strongly connected components, and an order in which positions can be evaluated.

Components come in reverse topological order (Tarjan 1972), so every support is numbered below
the components that rest on it. Within a component some positions are *cut*: the anchors, then
the head of every back edge that a depth-first search still meets. With the edges into cut
positions taken away no cycle is left, and the search finishes positions after their children.
This is the pruning of seed 000, section 3.3, on any graph.
"""

from __future__ import annotations

import numpy as np

from backroll.arrays import Flags, Ints, Longs
from backroll.kernels import kernel


@kernel
def strong_components(first: Longs, child: Ints) -> tuple[Ints, int]:
    """Number the component of every position, supports first."""
    n = first.size - 1
    component = np.full(n, -1, np.int32)
    number = np.full(n, -1, np.int32)
    low = np.empty(n, np.int32)
    edge = np.empty(n, np.int64)
    path = np.empty(n, np.int32)
    open_ones = np.empty(n, np.int32)
    depth, opened, seen, count = 0, 0, 0, 0
    for root in range(n):
        if number[root] >= 0:
            continue
        path[0], depth = root, 1
        while depth > 0:
            u = path[depth - 1]
            if number[u] < 0:
                number[u] = low[u] = seen
                seen += 1
                edge[u] = first[u]
                open_ones[opened] = u
                opened += 1
            descended = False
            while edge[u] < first[u + 1]:
                v = child[edge[u]]
                if number[v] < 0:
                    path[depth] = v
                    depth += 1
                    descended = True
                    break
                if component[v] < 0:
                    low[u] = min(low[u], low[v])
                edge[u] += 1
            if descended:
                continue
            depth -= 1
            if low[u] == number[u]:
                while True:
                    opened -= 1
                    v = open_ones[opened]
                    component[v] = count
                    if v == u:
                        break
                count += 1
            if depth > 0:
                parent = path[depth - 1]
                low[parent] = min(low[parent], low[u])
    return component, count


@kernel
def members_of(component: Ints, count: int) -> tuple[Ints, Longs]:
    """The positions of every component, one component after the other."""
    start = np.zeros(count + 1, np.int64)
    for u in range(component.size):
        start[component[u] + 1] += 1
    for c in range(count):
        start[c + 1] += start[c]
    slot = start[:-1].copy()
    members = np.empty(component.size, np.int32)
    for u in range(component.size):
        members[slot[component[u]]] = u
        slot[component[u]] += 1
    return members, start


@kernel
def evaluation_order(
    first: Longs, child: Ints, component: Ints, members: Ints, start: Longs, anchor: Flags
) -> tuple[Ints, Flags, Flags]:
    """Order each component so that children come first, cutting what would go round."""
    n = component.size
    count = start.size - 1
    order = members.copy()
    cyclic = np.zeros(count, np.bool_)
    cut = np.zeros(n, np.bool_)
    state = np.zeros(n, np.uint8)
    edge = np.empty(n, np.int64)
    path = np.empty(n, np.int32)
    for c in range(count):
        begin, end = start[c], start[c + 1]
        lone = members[begin]
        if end - begin == 1:
            for e in range(first[lone], first[lone + 1]):
                if child[e] == lone:
                    cyclic[c] = cut[lone] = True
            continue
        cyclic[c] = True
        slot = begin
        for i in range(begin, end):
            cut[members[i]] = anchor[members[i]]
        for round_of in range(2):
            for i in range(begin, end):
                root = members[i]
                if state[root] != 0 or (round_of == 0 and not cut[root]):
                    continue
                path[0], depth = root, 1
                state[root], edge[root] = 1, first[root]
                while depth > 0:
                    u = path[depth - 1]
                    if edge[u] == first[u + 1]:
                        state[u] = 2
                        order[slot] = u
                        slot += 1
                        depth -= 1
                        continue
                    v = child[edge[u]]
                    edge[u] += 1
                    if component[v] != c or cut[v]:
                        continue
                    if state[v] == 0:
                        state[v], edge[v] = 1, first[v]
                        path[depth] = v
                        depth += 1
                    elif state[v] == 1:
                        cut[v] = True
    return order, cut, cyclic


@kernel
def decompose(first: Longs, child: Ints, anchor: Flags) -> tuple[Ints, Ints, Longs, Flags, Flags]:
    """Components, order, where each starts, cut positions and which have a cycle."""
    component, count = strong_components(first, child)
    members, start = members_of(component, count)
    order, cut, cyclic = evaluation_order(first, child, component, members, start, anchor)
    return component, order, start, cut, cyclic
