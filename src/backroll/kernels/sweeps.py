"""Sweeps over a graph in evaluation order: seed 000's three algorithms.

`settle` evaluates what does not go round (Algorithm 1), `count_children` and `by_level` are its
two other forms. `iterate` is Algorithm 2, on any stretch of components. `newton` is Algorithm 3
on any component: with the k cut positions held at x, one sweep gives their images g(x) and the
move chosen everywhere; following the chosen moves from each cut position back to the cut
positions gives the slopes A of g at x; and x + (I - A)^-1 (g(x) - x) is the next estimate. g is
piecewise linear, so as soon as the moves are those of the solution the step lands on it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backroll.kernels import kernel

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SETTLED, TOO_WIDE, UNSETTLED, SINGULAR = 0, 1, 2, 3


@kernel
def look(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, adds: Floats, value: Floats, u: int
) -> tuple[float, int]:
    """What the children of u say it is worth, and the edge chosen (-1 where chance does)."""
    begin, end = first[u], first[u + 1]
    if kind[u] == 0:
        total = 0.0
        for e in range(begin, end):
            total += weight[e] * value[child[e]]
        return adds[u] + total, -1
    best = weight[begin] * value[child[begin]]
    chosen = begin
    sign = 1.0 if kind[u] == 1 else -1.0
    for e in range(begin + 1, end):
        worth = weight[e] * value[child[e]]
        if sign * worth > sign * best:
            best, chosen = worth, e
    return adds[u] + best, chosen


@kernel
def settle(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, adds: Floats,
    order: Ints, begin: int, end: int, value: Floats, choice: Longs,
) -> None:
    """Evaluate a stretch of the order once."""
    for i in range(begin, end):
        u = order[i]
        value[u], choice[u] = look(kind, first, child, weight, adds, value, u)


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
def count_children(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, adds: Floats,
    begin: Longs, parent: Ints, value: Floats, choice: Longs,
) -> int:
    """Algorithm 1 with children counting; gives how many positions it determined."""
    n = first.size - 1
    waiting = np.empty(n, np.int64)
    ready = np.empty(n, np.int32)
    last = 0
    for u in range(n):
        waiting[u] = first[u + 1] - first[u]
        if waiting[u] == 0:
            ready[last] = u
            last += 1
    done = 0
    while done < last:
        u = ready[done]
        done += 1
        value[u], choice[u] = look(kind, first, child, weight, adds, value, u)
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
    sorted_order = np.empty(order.size, np.int32)
    for i in range(order.size):
        sorted_order[slot[level[order[i]]]] = order[i]
        slot[level[order[i]]] += 1
    return sorted_order, start


@kernel
def iterate(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, adds: Floats,
    order: Ints, begin: int, end: int, value: Floats, choice: Longs,
    tolerance: float, most: int,
) -> tuple[int, float]:
    """Algorithm 2 on a stretch of the order: sweep until no value changes by more."""
    change = 0.0
    for sweep in range(1, most + 1):
        change = 0.0
        for i in range(begin, end):
            u = order[i]
            before = value[u]
            value[u], choice[u] = look(kind, first, child, weight, adds, value, u)
            change = max(change, abs(value[u] - before))
        if change <= tolerance:
            return sweep, change
    return most, change


@kernel
def one_turn(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, adds: Floats,
    order: Ints, anchor: Flags, value: Floats, choice: Longs, image: Floats,
) -> None:
    """Every anchor's value with one turn more to play; `value` holds those with n turns."""
    for i in range(order.size):
        u = order[i]
        worth, choice[u] = look(kind, first, child, weight, adds, value, u)
        if anchor[u]:
            image[u] = worth
        else:
            value[u] = worth


@kernel
def held_sweep(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, adds: Floats,
    order: Ints, begin: int, end: int, cut: Flags, value: Floats, choice: Longs, image: Floats,
) -> float:
    """Evaluate a component with its cut positions held; gives how far their images are off."""
    off = 0.0
    for i in range(begin, end):
        u = order[i]
        worth, choice[u] = look(kind, first, child, weight, adds, value, u)
        if cut[u]:
            image[u] = worth
            off = max(off, abs(worth - value[u]))
        else:
            value[u] = worth
    return off


@kernel
def follow(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, component: Ints, cut: Flags,
    choice: Longs, u: int, amount: float, visits: Floats, rank: Ints, row: Floats,
) -> None:
    """Hand what arrives at u on to its children; what reaches a cut position is gathered."""
    begin, end = first[u], first[u + 1]
    if kind[u] != 0:
        begin, end = choice[u], choice[u] + 1
    for e in range(begin, end):
        v = child[e]
        if component[v] != component[u]:
            continue
        if cut[v]:
            row[rank[v]] += amount * weight[e]
        else:
            visits[v] += amount * weight[e]


@kernel
def slopes(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, component: Ints, order: Ints,
    begin: int, end: int, cut: Flags, choice: Longs, visits: Floats, rank: Ints, matrix: Floats,
) -> None:
    """How the image of each cut position moves with the value of each, by the chosen moves."""
    k = 0
    for i in range(begin, end):
        if cut[order[i]]:
            matrix[k, :] = 0.0
            rank[order[i]] = k
            k += 1
    for i in range(begin, end):
        source = order[i]
        if not cut[source]:
            continue
        row = matrix[rank[source]]
        follow(
            kind, first, child, weight, component, cut, choice, source, 1.0, visits, rank, row
        )
        for j in range(end - 1, begin - 1, -1):
            u = order[j]
            if visits[u] != 0.0:
                amount = visits[u]
                visits[u] = 0.0
                follow(
                    kind, first, child, weight, component, cut, choice, u, amount, visits,
                    rank, row,
                )


@kernel
def solve_slopes(matrix: Floats, k: int, right: Floats) -> bool:
    """Solve (I - A) d = right in place by elimination; false if there is no one solution."""
    for i in range(k):
        for j in range(k):
            matrix[i, j] = -matrix[i, j]
        matrix[i, i] += 1.0
    for i in range(k):
        pivot = i
        for r in range(i + 1, k):
            if abs(matrix[r, i]) > abs(matrix[pivot, i]):
                pivot = r
        if abs(matrix[pivot, i]) < 1e-14:
            return False
        if pivot != i:
            for j in range(k):
                matrix[i, j], matrix[pivot, j] = matrix[pivot, j], matrix[i, j]
            right[i], right[pivot] = right[pivot], right[i]
        for r in range(i + 1, k):
            factor = matrix[r, i] / matrix[i, i]
            if factor != 0.0:
                for j in range(i, k):
                    matrix[r, j] -= factor * matrix[i, j]
                right[r] -= factor * right[i]
    for i in range(k - 1, -1, -1):
        for j in range(i + 1, k):
            right[i] -= matrix[i, j] * right[j]
        right[i] /= matrix[i, i]
    return True


@kernel
def first_estimate(
    first: Longs, child: Ints, weight: Floats, adds: Floats, component: Ints, order: Ints,
    begin: int, end: int, side: int, value: Floats,
) -> float:
    """The worst that a component's supports offer a lone player: +1 wants low, -1 high."""
    worst = -np.inf
    paid = 0.0
    for i in range(begin, end):
        u = order[i]
        paid = max(paid, abs(adds[u]))
        for e in range(first[u], first[u + 1]):
            if component[child[e]] != component[u]:
                worst = max(worst, side * weight[e] * value[child[e]])
    return side * (worst + paid) if worst > -np.inf else 0.0


@kernel
def newton(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, adds: Floats,
    component: Ints, order: Ints, begin: int, end: int, cut: Flags,
    value: Floats, choice: Longs, image: Floats, visits: Floats, rank: Ints,
    matrix: Floats, right: Floats, side: int, low: float, high: float,
    tolerance: float, most: int,
) -> tuple[int, int]:
    """Algorithm 3 on one component: its status and the number of Newton steps.

    A lone player who wants low (`side` 1) starts from above, where losing the turn hurts and
    so every chosen move leads on; from there Newton comes down and never passes the solution,
    g being concave. From too far below, the best move may be never to stop (slope 1): the
    estimate is then doubled. A player who wants high is the mirror image.
    """
    k = 0
    for i in range(begin, end):
        if cut[order[i]]:
            k += 1
    if k > right.size:
        return TOO_WIDE, 0
    if side != 0:
        guess = first_estimate(
            first, child, weight, adds, component, order, begin, end, side, value
        )
        for i in range(begin, end):
            if cut[order[i]]:
                value[order[i]] = min(max(guess, low), high)
    before = np.inf
    step = side * 1.0
    for steps in range(most + 1):
        off = held_sweep(
            kind, first, child, weight, adds, order, begin, end, cut, value, choice, image
        )
        size = 1.0
        for i in range(begin, end):
            if cut[order[i]]:
                size = max(size, abs(value[order[i]]))
        if off <= tolerance * size or (off <= 100.0 * tolerance * size and off >= before):
            return SETTLED, steps
        before = off
        slopes(
            kind, first, child, weight, component, order, begin, end, cut, choice, visits, rank,
            matrix,
        )
        for i in range(begin, end):
            u = order[i]
            if cut[u]:
                right[rank[u]] = image[u] - value[u]
        if solve_slopes(matrix, k, right):
            for i in range(begin, end):
                u = order[i]
                if cut[u]:
                    value[u] = min(max(value[u] + right[rank[u]], low), high)
        elif side != 0 and abs(step) < 1e300 and low == -np.inf and high == np.inf:
            step *= 2.0
            for i in range(begin, end):
                if cut[order[i]]:
                    value[order[i]] += step
        else:
            return SINGULAR, steps
    return UNSETTLED, most


@kernel
def halves(
    kind: Bytes, first: Longs, child: Ints, component: Ints, order: Ints,
    begin: int, end: int, cut: Flags, colour: Bytes,
) -> int:
    """Lemma 2's conditions 1 and 2, whatever is played: how many cut positions there are.

    Gives -2 for two cut positions whose turns share no position and each end, inside the
    component, only at the other's cut position; otherwise the number of cut positions.
    """
    k = 0
    for i in range(begin, end):
        u = order[i]
        colour[u] = 0
        if cut[u]:
            k += 1
            if k <= 2:
                colour[u] = k
    if k != 2:
        return k
    apart = True
    for again in range(2):  # the cut positions hand on first: they stand anywhere in the order
        for i in range(end - 1, begin - 1, -1):
            u = order[i]
            if cut[u] != (again == 0):
                continue
            for e in range(first[u], first[u + 1]):
                v = child[e]
                if component[v] != component[u]:
                    continue
                if cut[v]:
                    apart = apart and colour[v] != colour[u]
                else:
                    colour[v] |= colour[u]
    for i in range(begin, end):
        apart = apart and colour[order[i]] != 3
    return -2 if apart else 2


@kernel
def residual(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, adds: Floats, value: Floats
) -> tuple[float, int]:
    """The largest difference between a value and what the children say, and where."""
    largest, where = 0.0, 0
    for u in range(value.size):
        worth, chosen = look(kind, first, child, weight, adds, value, u)
        off = abs(worth - value[u])
        if np.isnan(off):
            return np.inf, u
        if off > largest:
            largest, where = off, u
    return largest, where
