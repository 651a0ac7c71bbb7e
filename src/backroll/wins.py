"""Wins alone, a bit an anchor, as values: who has not won has lost or drawn, as the moves say.

The bit of a position says whether whoever is to move has won. If not, no move leads to what is
lost for the other side, so the best that is left is a draw: by a move to an end that is drawn, or
to a position that the other side has not won either. Without such a move it is lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backroll import turn
from backroll.arrays import Floats, Longs
from backroll.game import Game, Terminal
from backroll.index import Index
from backroll.outcomes import Numbers


class Wins:
    """Bits as values, as the game writes them; found by its rules where a bit says nothing."""

    def __init__(self, bits: Numbers, game: Game[Any], index: Index) -> None:
        self.words, self._game, self._index = bits, game, index

    def item(self, row: int) -> float:
        """What one anchor is worth."""
        position = self._game.parse(self._index.text(row))
        value = self._at_least(position)
        assert value is not None
        if value != self._game.total / 2:
            return value
        return turn.evaluate(self._game, position, self._at_least)

    def take(self, rows: Longs) -> Floats:
        """What many anchors are worth."""
        return np.array([self.item(row) for row in rows.tolist()], np.float64)

    def _at_least(self, position: Any) -> float | None:
        """What an end is worth or a win; half of it all where nobody has won so far."""
        row = self._index.find(position)
        if row < 0:
            return None
        node, total = self._game.node(position), self._game.total
        if isinstance(node, Terminal):
            return float(node.value)
        return turn.seen_by(self._game, node, total if self.words.item(row) else total / 2)
