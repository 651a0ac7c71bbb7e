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
is checked by one more sweep in intervals rounded outwards, and widened until it holds; where
moves are all but equal, the slopes A are also tried for the one that spreads errors most.
"""

from __future__ import annotations

import numpy as np

from backroll.arrays import Bytes, Floats, Graph, Longs, Order, Room
from backroll.kernels import kernel
from backroll.kernels.newton import slopes, solve_slopes

HALF_ULP = 2.0**-53
HARDLY = 1.0 + 2.0**-30
"""By how much radii are first widened: every support widens again, and chains of them are long."""

UP, DOWN = 1, 2


@kernel
def look_between(graph: Graph, lower: Floats, upper: Floats, u: int) -> tuple[float, float]:
    """The interval that the children's intervals give u, rounded outwards."""
    begin, end = graph.first[u], graph.first[u + 1]
    adds = graph.adds[u]
    mean = graph.kind[u] == 0
    sign = 1.0 if graph.kind[u] == 1 else -1.0
    low, high = (0.0, 0.0) if mean else (-sign * np.inf, -sign * np.inf)
    size = abs(adds)
    for e in range(begin, end):
        w, v = graph.weight[e], graph.child[e]
        a, b = w * lower[v], w * upper[v]
        if w < 0.0:
            a, b = b, a
        if mean:
            low += a
            high += b
            size += max(abs(a), abs(b))
        else:
            low = a if sign * a > sign * low else low
            high = b if sign * b > sign * high else high
    if mean:
        slack = (end - begin + 4) * HALF_ULP * size
    elif adds != 0.0:
        slack = 2.0 * HALF_ULP * (size + max(abs(low), abs(high)))
    else:
        return low, high
    return adds + low - slack, adds + high + slack


@kernel
def sweep_between(
    graph: Graph, order: Order, begin: int, end: int, lower: Floats, upper: Floats, room: Room
) -> None:
    """Intervals of a stretch of the order, those of cut positions held."""
    for i in range(begin, end):
        u = order.order[i]
        low, high = look_between(graph, lower, upper, u)
        if order.cut[u]:
            room.image[u], room.other[u] = low, high
        else:
            lower[u], upper[u] = low, high


@kernel
def disturb(
    graph: Graph,
    order: Order,
    begin: int,
    end: int,
    value: Floats,
    lower: Floats,
    upper: Floats,
    room: Room,
) -> int:
    """How far one sweep can move each cut position; gives how many there are."""
    k = 0
    for i in range(begin, end):
        u = order.order[i]
        if order.cut[u]:
            k += 1
            lower[u] = upper[u] = value[u]
    sweep_between(graph, order, begin, end, lower, upper, room)
    for i in range(begin, end):
        u = order.order[i]
        room.moved[u] = 0.0
        if order.cut[u]:
            room.moved[u] = max(0.0, value[u] - room.image[u], room.other[u] - value[u])
    return k


@kernel
def radii(
    graph: Graph, order: Order, begin: int, end: int, k: int, choice: Longs, room: Room
) -> bool:
    """How far the solution can be from x, were the chosen moves the right ones."""
    slopes(graph, order, begin, end, choice, room, True)
    for i in range(begin, end):
        u = order.order[i]
        if order.cut[u]:
            room.right[room.rank[u]] = room.moved[u]
    if not solve_slopes(room.matrix, k, room.right):
        return False
    for i in range(begin, end):
        u = order.order[i]
        if order.cut[u]:
            room.radius[u] = max(0.0, room.right[room.rank[u]])
    return True


@kernel
def widest_choice(
    graph: Graph,
    order: Order,
    begin: int,
    end: int,
    value: Floats,
    room: Room,
    slack: float,
    choice: Longs,
) -> None:
    """Of the moves that rounding may have put in the wrong order, the one with most to spread.

    Where two moves are worth the same, the solution's neighbours may choose the other one.
    """
    for i in range(begin, end):
        u = order.order[i]
        a, b = graph.first[u], graph.first[u + 1]
        width, best = 0.0, -1.0
        for e in range(a, b):
            v, w = graph.child[e], graph.weight[e]
            inner = order.component[v] == order.component[u]
            spread = abs(w) * room.radius[v] if inner else 0.0
            if graph.kind[u] == 0:
                width += spread
            elif spread > best and abs(graph.adds[u] + w * value[v] - value[u]) <= slack:
                width = best = spread
                choice[u] = e
        if not order.cut[u]:
            room.radius[u] = width


@kernel
def confirm(
    graph: Graph,
    order: Order,
    begin: int,
    end: int,
    value: Floats,
    lower: Floats,
    upper: Floats,
    room: Room,
    low: float,
    high: float,
) -> bool:
    """Bounds on a component's values from the radii of its cut positions; false if none held."""
    size = 0.0
    for i in range(begin, end):
        u = order.order[i]
        if order.cut[u]:
            size = max(size, abs(value[u]))
    for attempt in range(21):
        wider = HARDLY if attempt == 0 else 1.001 * 2.0 ** (attempt - 1)
        for i in range(begin, end):
            u = order.order[i]
            if order.cut[u]:
                width = wider * (room.radius[u] + HALF_ULP * size)
                lower[u] = max(low, value[u] - width)
                upper[u] = min(high, value[u] + width)
        sweep_between(graph, order, begin, end, lower, upper, room)
        if holds(order, begin, end, lower, upper, room, low, high):
            return True
    return False


@kernel
def holds(
    order: Order,
    begin: int,
    end: int,
    lower: Floats,
    upper: Floats,
    room: Room,
    low: float,
    high: float,
) -> bool:
    """Whether the cut positions' images lie within their bounds, or those hold anyway."""
    for i in range(begin, end):
        u = order.order[i]
        if order.cut[u] and (
            (room.image[u] < lower[u] and lower[u] > low)
            or (room.other[u] > upper[u] and upper[u] < high)
        ):
            return False
    return True


@kernel
def leads_out(graph: Graph, order: Order, begin: int, end: int) -> bool:
    """Whether any edge leaves a component."""
    for i in range(begin, end):
        u = order.order[i]
        for e in range(graph.first[u], graph.first[u + 1]):
            if order.component[graph.child[e]] != order.component[u]:
                return True
    return False


@kernel
def first_closed(graph: Graph, order: Order) -> int:
    """The first component with a cycle that no edge leaves; or -1."""
    for c in range(order.cyclic.size):
        if order.cyclic[c] and not leads_out(graph, order, order.start[c], order.start[c + 1]):
            return c
    return -1


@kernel
def can_stay(graph: Graph, order: Order, begin: int, end: int, inside: Bytes) -> bool:
    """Whether the players together could stay in a component for ever, against all luck."""
    for i in range(begin, end):
        inside[order.order[i]] = 1
    left, any_inside = True, False
    while left:
        left, any_inside = False, False
        for i in range(begin, end):
            u = order.order[i]
            if inside[u] == 0:
                continue
            every, some = True, False
            for e in range(graph.first[u], graph.first[u + 1]):
                v = graph.child[e]
                stays = order.component[v] == order.component[u] and inside[v] == 1
                every, some = every and stays, some or stays
            if every if graph.kind[u] == 0 else some:
                any_inside = True
            else:
                inside[u] = 0
                left = True
    return any_inside


@kernel
def undecided(
    graph: Graph,
    order: Order,
    begin: int,
    end: int,
    value: Floats,
    mark: Bytes,
    low: float,
    high: float,
    slack: float,
) -> int:
    """A position of a component that could be worth more, or less, and still fit; or -1."""
    for i in range(begin, end):
        u = order.order[i]
        mark[u] = (UP if value[u] < high - slack else 0) | (DOWN if value[u] > low + slack else 0)
    left = True
    while left:
        left = False
        for i in range(begin, end):
            u = order.order[i]
            if mark[u] == 0:
                continue
            every, some = UP | DOWN, 0
            for e in range(graph.first[u], graph.first[u + 1]):
                v, w = graph.child[e], graph.weight[e]
                if graph.kind[u] != 0 and abs(graph.adds[u] + w * value[v] - value[u]) > slack:
                    continue
                moves = mark[v] if order.component[v] == order.component[u] else 0
                if w < 0.0:  # the other side's gain is this side's loss
                    moves = (moves >> 1) | ((moves & 1) << 1)
                every, some = every & moves, some | moves
            every &= some
            keeps = every
            if graph.kind[u] == 1:
                keeps |= some & UP
            if graph.kind[u] == 2:
                keeps |= some & DOWN
            if mark[u] & keeps != mark[u]:
                mark[u] &= keeps
                left = True
    for i in range(begin, end):
        if mark[order.order[i]] != 0:
            return int(order.order[i])
    return -1


@kernel
def prove_on(
    graph: Graph,
    order: Order,
    c: int,
    last: int,
    value: Floats,
    choice: Longs,
    lower: Floats,
    upper: Floats,
    room: Room,
    low: float,
    high: float,
) -> int:
    """Bounds from component c on; gives the first that wants a closer look, or `last`."""
    while c < last:
        begin, end = order.start[c], order.start[c + 1]
        if not order.cyclic[c]:
            sweep_between(graph, order, begin, end, lower, upper, room)
        elif can_stay(graph, order, begin, end, room.mark):
            return c
        else:
            k = disturb(graph, order, begin, end, value, lower, upper, room)
            if k > room.right.size or not radii(graph, order, begin, end, k, choice, room):
                return c
            if not confirm(graph, order, begin, end, value, lower, upper, room, low, high):
                return c
        c += 1
    return c
