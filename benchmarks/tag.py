"""A game of a hundred thousand states as a user would write it, and the same in arrays.

`backroll solve benchmarks/tag.py:Tag` explores it; `benchmarks/tag.py:TagInArrays` is made of
whole arrays of links.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from backroll import Choice, Game, Terminal
from backroll.arrays import LOST, WON, Links
from backroll.states import Listed

MOVES = {"wait": (0, 0), "north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)}
CAT, MOUSE = 1, 2


class Position(NamedTuple):
    """Where they are, and who is to move."""

    cat: int
    mouse: int
    player: int


class Tag(Game[Position]):
    """A cat is after a mouse, which is safe in its hole; who cannot be caught runs for ever."""

    chance = False

    def __init__(self, rows: int = 14, columns: int = 16) -> None:
        """The mouse's hole is in the corner of cell 0."""
        self.rows, self.columns = rows, columns
        self.near = [self._near(*divmod(cell, columns)) for cell in range(rows * columns)]

    def _near(self, row: int, column: int) -> dict[str, int]:
        places = {name: (row + down, column + right) for name, (down, right) in MOVES.items()}
        return {
            name: r * self.columns + c
            for name, (r, c) in places.items()
            if 0 <= r < self.rows and 0 <= c < self.columns
        }

    def start(self) -> Position:
        """The cat before the hole, the mouse far from it."""
        return Position(self.columns + 1, self.rows * self.columns - 1, MOUSE)

    def node(self, position: Position) -> Terminal | Choice:
        """Caught, at home, or running."""
        if position.cat == position.mouse:
            return Terminal(1)
        if position.mouse == 0:
            return Terminal(0)
        runs = position.cat if position.player == CAT else position.mouse
        return Choice(self.near[runs], position.player)

    def play(self, position: Position, move: str) -> Position:
        """Run to a cell beside."""
        cat, mouse, player = position
        if player == CAT:
            return Position(self.near[cat][move], mouse, MOUSE)
        return Position(cat, self.near[mouse][move], CAT)


class TagInArrays(Tag):
    """The same with every state there is, caught and at home included, numbered."""

    @property
    def cells(self) -> int:
        """How many there are."""
        return self.rows * self.columns

    def anchor_count(self) -> int:
        """Each of the two anywhere, and either of them to move."""
        return 2 * self.cells**2

    def anchor_row(self, position: Position) -> int:
        """By the cat, then the mouse, then the player."""
        cat, mouse, player = position
        return 2 * (cat * self.cells + mouse) + player - 1

    def anchor_at(self, row: int) -> Position:
        """The position of a row."""
        cat, mouse = divmod(row // 2, self.cells)
        return Position(cat, mouse, 1 + row % 2)

    def states(self) -> Listed:
        """All links at once."""
        near = np.full((self.cells, len(MOVES)), -1)
        for cell, moves in enumerate(self.near):
            near[cell, : len(moves)] = [*moves.values()]
        cat, mouse, turns = np.unravel_index(
            np.arange(self.anchor_count()), (self.cells, self.cells, 2)
        )
        after_cat = 2 * (near[cat] * self.cells + mouse[:, None]) + 1
        after_mouse = 2 * (cat[:, None] * self.cells + near[mouse])
        cats, mice = np.array([[WON, LOST], [LOST, WON]])[:, turns]  # by who is to move
        ends = np.select([cat == mouse, mouse == 0], [cats, mice], 0)
        there = (near[np.where(turns == 0, cat, mouse)] >= 0) & (ends == 0)[:, None]
        after = np.where((turns == 0)[:, None], after_cat, after_mouse)
        first = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
        links = Links(first, after[there].astype(np.int32))
        return Listed(links, ends.astype(np.uint8), turns.astype(np.uint8))
