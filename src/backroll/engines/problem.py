"""A graph on its way to a solution: the arrays that every method reads and fills."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroll.game import COST
from backroll.graph import Explored, Order, decompose

WIDEST = 64
"""Cut positions that Newton's dense equations take on; with more, strategy iteration is used."""

TOLERANCE = 1e-15
"""How far, relative to the values, the cut positions may move in a component's last sweep."""


@dataclass(slots=True, eq=False)
class Problem:
    """Values and chosen moves of an explored game, with the room that kernels work in."""

    explored: Explored[Any]
    order: Order
    value: NDArray[np.float64]
    choice: NDArray[np.int64]
    low: float
    high: float
    side: int
    """+1 for a lone player who wants low values, -1 for one who wants high, 0 for two players."""
    methods: dict[str, int] = field(default_factory=dict)
    iterations: int = 0
    matrix: NDArray[np.float64] = field(default_factory=lambda: np.zeros((WIDEST, WIDEST)))
    right: NDArray[np.float64] = field(default_factory=lambda: np.zeros(WIDEST))
    image: NDArray[np.float64] = field(init=False)
    visits: NDArray[np.float64] = field(init=False)
    rank: NDArray[np.int32] = field(init=False)
    colour: NDArray[np.uint8] = field(init=False)
    up: NDArray[np.bool_] = field(init=False)
    down: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        self.image = np.zeros_like(self.value)
        self.visits = np.zeros_like(self.value)
        self.rank = np.zeros(self.value.size, np.int32)
        self.colour = np.zeros(self.value.size, np.uint8)
        self.up = np.zeros(self.value.size, np.bool_)
        self.down = np.zeros(self.value.size, np.bool_)

    @classmethod
    def of(cls, explored: Explored[Any]) -> Problem:
        """Decompose an explored game and make room for its values."""
        graph = explored.graph
        order = decompose(graph, explored.anchor)
        low, high = value_range(explored)
        game = explored.game
        lone = game.players == 1 and not (graph.weight < 0).any()
        side = 0 if not lone else 1 if game.quantity == COST else -1
        n = graph.kind.size
        return cls(explored, order, np.zeros(n), np.full(n, -1, np.int64), low, high, side)

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

    def cut_positions(self, begin: int, end: int) -> NDArray[np.int32]:
        """The cut positions of a component."""
        members = self.order.order[begin:end]
        return members[self.order.cut[members]]

    def show(self, u: int) -> str:
        """A position's text."""
        return self.explored.game.show(self.explored.positions[u])

    def describe(self, begin: int, end: int) -> str:
        """A component's name in messages: one of its anchors and its size."""
        cuts = self.cut_positions(begin, end)
        u = int(cuts.min())
        anchors = "1 anchor" if cuts.size == 1 else f"{cuts.size:,} anchors"
        return f"{self.show(u)} (a component of {anchors}, {end - begin:,} positions)"


def value_range(explored: Explored[Any]) -> tuple[float, float]:
    """Numbers that no value can lie outside, infinite where play itself adds to the value."""
    graph = explored.graph
    ends = np.diff(graph.first) == 0
    if not ends.any():
        return -np.inf, np.inf
    finals, paid = graph.adds[ends], graph.adds[~ends]
    swapping = bool((graph.weight < 0).any())
    low, high = float(finals.min()), float(finals.max())
    if swapping:
        low, high = min(low, -high), max(high, -low)
    below = paid.size and (paid.min() < 0 or (swapping and paid.max() > 0))
    above = paid.size and (paid.max() > 0 or (swapping and paid.min() < 0))
    return -np.inf if below else low, np.inf if above else high


