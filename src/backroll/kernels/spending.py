"""What a game costs, as chances: each sent on together with the cost that it has met so far."""

from __future__ import annotations

from backroll.arrays import Floats, Graph, Ints, Longs
from backroll.kernels import bare


@bare
def spend(graph: Graph, order: Ints, cost: Longs, now: int, waiting: Floats, ended: Floats) -> None:
    """Send on what has met one cost, which waits in row `now`; rows are costs, in a ring.

    `order` is one of evaluation: among positions that cost nothing children come first.
    """
    span = ended.size
    for i in range(order.size - 1, -1, -1):
        u = order[i]
        here = waiting[now, u]
        begin, end = graph.first[u], graph.first[u + 1]
        if here == 0.0 or cost[u] > 0 or begin == end:
            continue
        waiting[now, u] = 0.0
        for e in range(begin, end):
            waiting[now, graph.child[e]] += here * graph.weight[e]
    for u in range(order.size):
        here = waiting[now, u]
        if here == 0.0:
            continue
        waiting[now, u] = 0.0
        then = (now + cost[u]) % span
        begin, end = graph.first[u], graph.first[u + 1]
        if begin == end:
            ended[then] += here
        for e in range(begin, end):
            waiting[then, graph.child[e]] += here * graph.weight[e]
