"""A graph on its way to a solution: the arrays that every method reads and fills."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from backroll.arrays import Floats, Graph, Ints, Longs, Order, Room
from backroll.game import COST, WIN
from backroll.graph import Explored
from backroll.kernels.scc import decompose

WIDEST = 64
"""Cut positions that Newton's dense equations take on; with more, strategy iteration is used."""

TOLERANCE = 1e-15
"""How far, relative to the values, the cut positions may move in a component's last sweep."""

STRIDE = 100_000
"""Positions that a kernel goes through between two calls of progress."""


@dataclass(eq=False)
class Problem:
    """Values and chosen moves of an explored game, with the room that kernels work in."""

    explored: Explored[Any]
    order: Order
    value: Floats
    choice: Longs
    low: float
    high: float
    side: int
    """+1 for a lone player who wants low values, -1 for one who wants high, 0 for two players."""
    methods: dict[str, int] = field(default_factory=dict)
    iterations: int = 0
    room: Room = field(init=False)

    def __post_init__(self) -> None:
        self.widen(WIDEST)

    def widen(self, widest: int) -> None:
        """Make room for dense equations in that many unknowns."""
        self.room = Room.of(self.value.size, widest)

    @property
    def graph(self) -> Graph:
        """The graph that is solved."""
        return self.explored.graph

    @classmethod
    def of(cls, explored: Explored[Any]) -> Problem:
        """Decompose an explored game and make room for its values."""
        graph = explored.graph
        order = Order(*decompose(graph.first, graph.child, explored.anchor))
        low, high = value_range(explored)
        game = explored.game
        lone = game.players == 1 and not (graph.weight < 0).any()
        side = 0 if not lone else 1 if game.quantity == COST else -1
        n = graph.kind.size
        return cls(explored, order, np.zeros(n), np.full(n, -1, np.int64), low, high, side)

    @cached_property
    def spare(self) -> Longs:
        """Room for a second choice of moves."""
        return np.full(self.value.size, -1, np.int64)

    def count(self, method: str, steps: int = 0) -> None:
        """Note that a method solved a component."""
        self.methods[method] = self.methods.get(method, 0) + 1
        self.iterations += steps

    def stretches(self) -> Iterator[tuple[int, int, bool]]:
        """The order as (begin, end, whether it is one component with a cycle)."""
        start = self.order.start
        reached = 0
        for c in np.flatnonzero(self.order.cyclic):
            begin, end = int(start[c]), int(start[c + 1])
            if begin > reached:
                yield reached, begin, False
            yield begin, end, True
            reached = end
        if reached < self.value.size:
            yield reached, self.value.size, False

    def span(self, c: int) -> tuple[int, int]:
        """Where a component begins and ends in the order."""
        return int(self.order.start[c]), int(self.order.start[c + 1])

    def stride(self, c: int) -> int:
        """How far a kernel may go from a component on before progress is shown."""
        start = self.order.start
        return max(c + 1, int(np.searchsorted(start, start[c] + STRIDE, "right")) - 1)

    def cut_positions(self, begin: int, end: int) -> Ints:
        """The cut positions of a component."""
        members = self.order.order[begin:end]
        return np.asarray(members[self.order.cut[members]], np.int32)

    def show(self, u: int) -> str:
        """A position's text."""
        text: str = self.explored.game.show(self.explored.positions[u])
        return text

    def describe(self, begin: int, end: int) -> str:
        """A component's name in messages: one of its anchors and its size."""
        cuts = self.cut_positions(begin, end)
        u = int(cuts.min())
        anchors = "1 anchor" if cuts.size == 1 else f"{cuts.size:,} anchors"
        return f"{self.show(u)} (a component of {anchors}, {end - begin:,} positions)"


def value_range(explored: Explored[Any]) -> tuple[float, float]:
    """Numbers that no value can lie outside, infinite where play itself adds to the value.

    A win probability lies between 0 and the total, as in Lemma 2, whatever ends were reached.
    """
    graph, game = explored.graph, explored.game
    ends = np.diff(graph.first) == 0
    finals, paid = graph.adds[ends], graph.adds[~ends]
    if game.quantity == WIN:
        finals = np.append(finals, (-explored.centre, game.total - explored.centre))
    swapping = bool((graph.weight < 0).any())
    low, high = finals.min(initial=np.inf), finals.max(initial=-np.inf)
    if swapping:
        low, high = min(low, -high), max(high, -low)
    below = (paid < 0).any() or (swapping and (paid > 0).any())
    above = (paid > 0).any() or (swapping and (paid < 0).any())
    endless = low > high
    return -np.inf if below or endless else float(low), np.inf if above or endless else float(high)
