"""Seed 000's Algorithm 3 on any component.

With the k cut positions held at x, one sweep gives their images g(x) and the move chosen
everywhere. Following the chosen moves from each cut position back to the cut positions gives
the slopes A of g at x, and x + (I - A)^-1 (g(x) - x) is the next estimate. g is piecewise
linear, so once the moves are those of the solution the step lands on it. One cut position is
the solitaire method of Glenn, Fang and Kruskal 2006, two with independent halves are
Algorithm 3 as printed, two without are the model at the end of section 3.3, and k are k.
"""

from __future__ import annotations

import numpy as np

from backroll.arrays import Bytes, Floats, Graph, Longs, Order, Room
from backroll.kernels import kernel
from backroll.kernels.sweeps import look, settle

SETTLED, TOO_WIDE, UNSETTLED, SINGULAR = 0, 1, 2, 3
ACYCLIC, ONE, TWO, HALVES, MANY, STEPS = 0, 1, 2, 3, 4, 5
"""Places in a tally."""


@kernel
def held_sweep(
    graph: Graph, order: Order, begin: int, end: int, value: Floats, choice: Longs, image: Floats
) -> float:
    """Evaluate a component with its cut positions held; gives how far their images are off."""
    off = 0.0
    for i in range(begin, end):
        u = order.order[i]
        worth, choice[u] = look(graph, value, u)
        if order.cut[u]:
            image[u] = worth
            off = max(off, abs(worth - value[u]))
        else:
            value[u] = worth
    return off


@kernel
def follow(
    graph: Graph,
    order: Order,
    choice: Longs,
    u: int,
    amount: float,
    room: Room,
    row: Floats,
    sizes: bool,
) -> None:
    """Hand what arrives at u on to its children; what reaches a cut position is gathered.

    With `sizes`, weights count by their size, so that nothing cancels where sides swap.
    """
    begin, end = graph.first[u], graph.first[u + 1]
    if graph.kind[u] != 0:
        begin, end = choice[u], choice[u] + 1
    for e in range(begin, end):
        v = graph.child[e]
        if order.component[v] != order.component[u]:
            continue
        arriving = amount * (abs(graph.weight[e]) if sizes else graph.weight[e])
        if order.cut[v]:
            row[room.rank[v]] += arriving
        else:
            room.visits[v] += arriving


@kernel
def slopes(
    graph: Graph, order: Order, begin: int, end: int, choice: Longs, room: Room, sizes: bool
) -> None:
    """How the image of each cut position moves with the value of each, by the chosen moves."""
    k = 0
    for i in range(begin, end):
        if order.cut[order.order[i]]:
            room.matrix[k, :] = 0.0
            room.rank[order.order[i]] = k
            k += 1
    for i in range(begin, end):
        source = order.order[i]
        if not order.cut[source]:
            continue
        row = room.matrix[room.rank[source]]
        follow(graph, order, choice, source, 1.0, room, row, sizes)
        for j in range(end - 1, begin - 1, -1):
            u = order.order[j]
            amount = room.visits[u]
            if amount != 0.0:
                room.visits[u] = 0.0
                follow(graph, order, choice, u, amount, room, row, sizes)


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
    graph: Graph, order: Order, begin: int, end: int, side: int, value: Floats
) -> float:
    """The worst that a component's supports offer a lone player: +1 wants low, -1 high."""
    worst = -np.inf
    paid = 0.0
    for i in range(begin, end):
        u = order.order[i]
        paid = max(paid, abs(graph.adds[u]))
        for e in range(graph.first[u], graph.first[u + 1]):
            if order.component[graph.child[e]] != order.component[u]:
                worst = max(worst, side * value[graph.child[e]])
    return side * (worst + paid)


@kernel
def newton(
    graph: Graph,
    order: Order,
    begin: int,
    end: int,
    value: Floats,
    choice: Longs,
    room: Room,
    side: int,
    low: float,
    high: float,
    tolerance: float,
    most: int,
) -> tuple[int, int]:
    """Algorithm 3 on one component: its status and the number of Newton steps.

    Two players start from the values that the cut positions have. A lone player who wants low
    (`side` 1) starts from above, where losing the turn hurts and so the chosen moves lead on;
    from there Newton comes down and never passes the solution, g being concave. From too far
    below, the best move may be never to stop (slope 1): the estimate is then moved up. A player
    who wants high is the mirror image.
    """
    guess = first_estimate(graph, order, begin, end, side, value) if side != 0 else 0.0
    k = 0
    for i in range(begin, end):
        u = order.order[i]
        if order.cut[u]:
            k += 1
            if side != 0:
                value[u] = min(max(guess, low), high)
    if k > room.right.size:
        return TOO_WIDE, 0
    before, push = np.inf, 1.0
    for steps in range(most + 1):
        off = held_sweep(graph, order, begin, end, value, choice, room.image)
        size = 1.0
        for i in range(begin, end):
            if order.cut[order.order[i]]:
                size = max(size, abs(value[order.order[i]]))
        if off <= tolerance * size or (off <= 100.0 * tolerance * size and off >= before):
            return SETTLED, steps
        before = off
        slopes(graph, order, begin, end, choice, room, False)
        for i in range(begin, end):
            u = order.order[i]
            if order.cut[u]:
                room.right[room.rank[u]] = room.image[u] - value[u]
        solved = solve_slopes(room.matrix, k, room.right)
        if not solved:
            if side == 0 or push > 1e12:
                return SINGULAR, steps
            push *= 2.0
        for i in range(begin, end):
            u = order.order[i]
            if order.cut[u]:
                step = room.right[room.rank[u]] if solved else side * push
                value[u] = min(max(value[u] + step, low), high)
    return UNSETTLED, most


@kernel
def halves(graph: Graph, order: Order, begin: int, end: int, colour: Bytes) -> int:
    """Lemma 2's conditions 1 and 2, whatever is played: how many cut positions there are.

    Gives -2 for two cut positions whose turns share no position and each end, inside the
    component, only at the other's cut position; otherwise the number of cut positions.
    """
    k = 0
    for i in range(begin, end):
        u = order.order[i]
        colour[u] = 0
        if order.cut[u]:
            k += 1
            if k <= 2:
                colour[u] = k
    if k != 2:
        return k
    apart = True
    for cut_ones in (True, False):  # they hand on first: they may stand anywhere in the order
        for i in range(end - 1, begin - 1, -1):
            u = order.order[i]
            if order.cut[u] != cut_ones:
                continue
            for e in range(graph.first[u], graph.first[u + 1]):
                v = graph.child[e]
                if order.component[v] != order.component[u]:
                    continue
                if order.cut[v]:
                    apart = apart and colour[v] != colour[u]
                else:
                    colour[v] |= colour[u]
    for i in range(begin, end):
        apart = apart and colour[order.order[i]] != 3
    return -2 if apart else 2


@kernel
def newton_on(
    graph: Graph,
    order: Order,
    c: int,
    last: int,
    value: Floats,
    choice: Longs,
    room: Room,
    side: int,
    low: float,
    high: float,
    middle: float,
    tolerance: float,
    most: int,
    tally: Longs,
) -> int:
    """Solve from component c on; gives the first that does not settle, or `last`.

    `tally` counts steps, positions that do not go round, and components by their shape.
    """
    while c < last:
        begin, end = order.start[c], order.start[c + 1]
        if not order.cyclic[c]:
            settle(graph, order.order, begin, end, value, choice)
            tally[ACYCLIC] += end - begin
        else:
            if side == 0:
                for i in range(begin, end):
                    value[order.order[i]] = middle
            status, steps = newton(
                graph, order, begin, end, value, choice, room, side, low, high, tolerance, most
            )
            tally[STEPS] += steps
            if status != SETTLED:
                return c
            k = halves(graph, order, begin, end, room.mark)
            tally[HALVES if k == -2 else MANY if k > 2 else k] += 1
        c += 1
    return c
