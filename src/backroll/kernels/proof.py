"""What can be proven of values found in floating point.

Write the optimality equations of a component as x = F(x) over its cut positions. F is monotone
(in a game where sides swap: over pairs of a position and a side, so that a lower bound comes
from the other side's upper bound). Two facts carry everything here.

*Uniqueness.* If f and g >= f are two solutions, let S be where g - f is largest. At a mean in S
every child is in S. At a highest in S, g's best move leads into S and is also best for f; at a
lowest in S, every move best for f leads into S. So if no set closed in this way exists (`up`),
nor its mirror image (`down`), the solution is unique; and if one exists, f + e on S is raised by
F, so the solution is not. `can_stay` first asks the question without values (some move, all
outcomes): most components have no such set, whatever is played.

*Bounds.* If F(y) <= y then some solution lies at or below y; if F(z) >= z, some lies at or above
z (Knaster and Tarski). With uniqueness it lies in [z, y]. So a guess x, widened by
r = (I - |A|)^-1 * (what one sweep moves x, rounding and the supports' own bounds included),
is checked by one more sweep in intervals rounded outwards, and doubled until it holds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backroll.kernels import kernel
from backroll.kernels.sweeps import slopes, solve_slopes

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

HALF_ULP = 2.0**-53


@kernel
def look_between(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, adds: Floats,
    lower: Floats, upper: Floats, u: int,
) -> tuple[float, float]:
    """The interval that the children's intervals give u, rounded outwards."""
    begin, end = first[u], first[u + 1]
    if kind[u] == 0:
        low, high, size = 0.0, 0.0, abs(adds[u])
        for e in range(begin, end):
            w, v = weight[e], child[e]
            a, b = w * lower[v], w * upper[v]
            if w < 0.0:
                a, b = b, a
            low += a
            high += b
            size += max(abs(a), abs(b))
        slack = (end - begin + 4) * HALF_ULP * size
        return adds[u] + low - slack, adds[u] + high + slack
    sign = 1.0 if kind[u] == 1 else -1.0
    low, high = -sign * np.inf, -sign * np.inf
    for e in range(begin, end):
        w, v = weight[e], child[e]
        a, b = w * lower[v], w * upper[v]
        if w < 0.0:
            a, b = b, a
        if sign * a > sign * low:
            low = a
        if sign * b > sign * high:
            high = b
    if adds[u] != 0.0:
        slack = 2.0 * HALF_ULP * (abs(adds[u]) + max(abs(low), abs(high)))
        return adds[u] + low - slack, adds[u] + high + slack
    return low, high


@kernel
def sweep_between(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, adds: Floats,
    order: Ints, begin: int, end: int, cut: Flags, lower: Floats, upper: Floats,
    image_low: Floats, image_high: Floats,
) -> None:
    """Intervals of a component, those of its cut positions held."""
    for i in range(begin, end):
        u = order[i]
        low, high = look_between(kind, first, child, weight, adds, lower, upper, u)
        if cut[u]:
            image_low[u], image_high[u] = low, high
        else:
            lower[u], upper[u] = low, high


@kernel
def widths(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, component: Ints, order: Ints,
    begin: int, end: int, cut: Flags, choice: Longs, moved: Floats, radius: Floats, most: int,
) -> None:
    """r = moved + |A| r by sweeps, for components too wide for a matrix."""
    for i in range(begin, end):
        radius[order[i]] = moved[order[i]] if cut[order[i]] else 0.0
    for _ in range(most):
        grown = 0.0
        for i in range(begin, end):
            u = order[i]
            a, b = first[u], first[u + 1]
            if kind[u] != 0:
                a, b = choice[u], choice[u] + 1
            width = moved[u] if cut[u] else 0.0
            for e in range(a, b):
                if component[child[e]] == component[u]:
                    width += abs(weight[e]) * radius[child[e]]
            grown = max(grown, width - 1.01 * radius[u])
            radius[u] = max(radius[u], width)
        if grown <= 0.0:
            return


@kernel
def radii(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, component: Ints, order: Ints,
    begin: int, end: int, cut: Flags, choice: Longs, moved: Floats, visits: Floats, rank: Ints,
    matrix: Floats, right: Floats, radius: Floats,
) -> None:
    """How far the solution can be from x, were the chosen moves the right ones."""
    k = 0
    for i in range(begin, end):
        if cut[order[i]]:
            k += 1
    if k <= right.size:
        slopes(
            kind, first, child, weight, component, order, begin, end, cut, choice, visits, rank,
            matrix,
        )
        for i in range(k):
            for j in range(k):
                matrix[i, j] = abs(matrix[i, j])
        for i in range(begin, end):
            if cut[order[i]]:
                right[rank[order[i]]] = moved[order[i]]
        if solve_slopes(matrix, k, right) and right[:k].min() >= 0.0:
            for i in range(begin, end):
                if cut[order[i]]:
                    radius[order[i]] = right[rank[order[i]]]
            return
    widths(
        kind, first, child, weight, component, order, begin, end, cut, choice, moved, radius, 2000
    )


@kernel
def prove(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, adds: Floats,
    component: Ints, order: Ints, begin: int, end: int, cut: Flags,
    value: Floats, choice: Longs, lower: Floats, upper: Floats,
    image_low: Floats, image_high: Floats, moved: Floats, radius: Floats, visits: Floats,
    rank: Ints, matrix: Floats, right: Floats, low: float, high: float,
) -> bool:
    """Bounds on the values of one component with a cycle; false if none were found."""
    size = 0.0
    for i in range(begin, end):
        u = order[i]
        if cut[u]:
            size = max(size, abs(value[u]))
            lower[u] = upper[u] = value[u]
    sweep_between(
        kind, first, child, weight, adds, order, begin, end, cut, lower, upper,
        image_low, image_high,
    )
    for i in range(begin, end):
        u = order[i]
        if cut[u]:
            moved[u] = max(0.0, value[u] - image_low[u], image_high[u] - value[u])
    radii(
        kind, first, child, weight, component, order, begin, end, cut, choice, moved, visits,
        rank, matrix, right, radius,
    )
    wider = 1.001
    for _ in range(60):
        for i in range(begin, end):
            u = order[i]
            if cut[u]:
                width = wider * (radius[u] + HALF_ULP * size)
                lower[u] = max(low, value[u] - width)
                upper[u] = min(high, value[u] + width)
        sweep_between(
            kind, first, child, weight, adds, order, begin, end, cut, lower, upper,
            image_low, image_high,
        )
        holds = True
        for i in range(begin, end):
            u = order[i]
            if cut[u]:
                holds = holds and (image_low[u] >= lower[u] or lower[u] <= low)
                holds = holds and (image_high[u] <= upper[u] or upper[u] >= high)
        if holds:
            return True
        wider *= 2.0
    for i in range(begin, end):
        lower[order[i]], upper[order[i]] = low, high
    return False


@kernel
def leads_out(
    first: Longs, child: Ints, component: Ints, order: Ints, begin: int, end: int
) -> bool:
    """Whether any edge leaves a component."""
    for i in range(begin, end):
        u = order[i]
        for e in range(first[u], first[u + 1]):
            if component[child[e]] != component[u]:
                return True
    return False


@kernel
def can_stay(
    kind: Bytes, first: Longs, child: Ints, component: Ints, order: Ints,
    begin: int, end: int, cut: Flags, inside: Flags,
) -> bool:
    """Whether the players together could stay in a component for ever, against all luck."""
    for i in range(begin, end):
        inside[order[i]] = True
    left = True
    while left:
        left = False
        for i in range(begin, end):
            u = order[i]
            if not inside[u]:
                continue
            every, some = True, False
            for e in range(first[u], first[u + 1]):
                stays = component[child[e]] == component[u] and inside[child[e]]
                every, some = every and stays, some or stays
            if not (every if kind[u] == 0 else some):
                inside[u] = False
                left = left or cut[u]
    for i in range(begin, end):
        if inside[order[i]]:
            return True
    return False


@kernel
def undecided(
    kind: Bytes, first: Longs, child: Ints, weight: Floats, adds: Floats,
    component: Ints, order: Ints, begin: int, end: int, cut: Flags, value: Floats,
    up: Flags, down: Flags, low: float, high: float, slack: float,
) -> int:
    """A position of a component that could be worth more, or less, and still fit; or -1."""
    for i in range(begin, end):
        u = order[i]
        up[u] = value[u] < high - slack
        down[u] = value[u] > low + slack
    left = True
    while left:
        left = False
        for i in range(begin, end):
            u = order[i]
            if not (up[u] or down[u]):
                continue
            every_up, some_up, every_down, some_down = True, False, True, False
            for e in range(first[u], first[u + 1]):
                v = child[e]
                if kind[u] != 0 and abs(adds[u] + weight[e] * value[v] - value[u]) > slack:
                    continue
                same = component[v] == component[u]
                rises = same and (up[v] if weight[e] > 0.0 else down[v])
                falls = same and (down[v] if weight[e] > 0.0 else up[v])
                every_up, some_up = every_up and rises, some_up or rises
                every_down, some_down = every_down and falls, some_down or falls
            keeps_up = some_up if kind[u] == 1 else every_up and some_up
            keeps_down = some_down if kind[u] == 2 else every_down and some_down
            if (up[u] and not keeps_up) or (down[u] and not keeps_down):
                up[u] = up[u] and keeps_up
                down[u] = down[u] and keeps_down
                left = True
    for i in range(begin, end):
        if up[order[i]] or down[order[i]]:
            return int(order[i])
    return -1
