"""Tables of Can't Stop as estimates of anchors: the rows of many anchors at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from backroll.arrays import Floats, Longs
from backroll.database import Database, open_table
from backroll.errors import StrategyError
from backroll.games.cantstop.index import index_of, mirror
from backroll.games.cantstop.rules import CantStop, Heights
from backroll.index import RowIndex
from backroll.spec import spec_of
from backroll.strategies.turns import Turn, closed_of


class Places:
    """Where anchors stand: row = start + sum of stride[c] * digit[c, mine, theirs]."""

    def __init__(self, game: CantStop) -> None:
        self.game = game
        width, squares = len(game.lengths), max(game.lengths) + 1
        index = index_of(game)
        self.digit = np.zeros((width, squares, squares), np.int64)
        for c, pairs in enumerate(index.blocks[0].digits):
            for digit, (mine, theirs) in enumerate(pairs):
                self.digit[c, mine, theirs] = digit
        self._places: dict[tuple[int, int], tuple[int, Longs]] = {}
        for block in index.blocks:
            strides = np.zeros(width, np.int64)
            strides[list(block.opened)] = block.strides
            image = mirror(block.closed, width), block.mine
            self._places[image] = block.start, strides[::-1].copy()
            self._places[block.closed, block.mine] = block.start, strides

    def rows(self, closed: int, won: int, mine: Longs, theirs: Longs) -> Longs:
        """The rows of anchors with the same columns closed, of which the mover has won `won`."""
        start, strides = self._places[closed, won]
        columns = np.arange(strides.size)
        digits = self.digit[columns, mine, theirs]
        return np.asarray(start + digits @ strides)


class TabledTurns:
    """Turns left as a table for one player says, whatever the other side does."""

    def __init__(self, game: CantStop, database: Database[Any]) -> None:
        self._columns, self._database = game.columns, database
        assert isinstance(database.game, CantStop)
        self._places = Places(database.game)

    def turns(self, mine: Heights, theirs: Heights) -> float:
        """Expected turns left at an anchor."""
        return float(self._turns(closed_of(self._places.game.lengths, mine), np.array([mine]))[0])

    def after(self, turn: Turn) -> Floats:
        """Expected turns left after a stop at each state."""
        found = np.zeros(len(turn.states))
        for topped, there in turn.stops_by_fold():
            won = turn.won | topped
            if won.bit_count() < self._columns:
                found[there] = self._turns(won, turn.heights(there))
        return found

    def _turns(self, won: int, heights: Longs) -> Floats:
        rows = self._places.rows(won, won.bit_count(), heights, heights * 0)
        return self._database.at(rows)


class TabledWins:
    """Win probabilities as a table for two players says."""

    def __init__(self, game: CantStop, database: Database[Any]) -> None:
        self._columns, self._database = game.columns, database
        self._places = Places(game)

    def anchor(self, mine: Heights, theirs: Heights) -> float:
        """What an anchor is worth to the mover."""
        lengths = self._places.game.lengths
        won, lost = closed_of(lengths, mine), closed_of(lengths, theirs)
        rows = self._places.rows(won | lost, won.bit_count(), np.array([mine]), np.array([theirs]))
        return float(self._database.at(rows)[0])

    def stops(self, turn: Turn) -> Floats:
        """What stopping is worth at each state of a turn."""
        found = np.ones(len(turn.states))
        for topped, there in turn.stops_by_fold():
            won = turn.won | topped
            if won.bit_count() < self._columns:
                mine, theirs = turn.heights(there), np.array([turn.theirs_after(topped)])
                lost = turn.dead.bit_count()
                rows = self._places.rows(won | turn.dead, lost, theirs, mine)
                found[there] = 1.0 - self._database.at(rows)
        return found


def database_of(path: str, game: CantStop, name: str) -> Database[Any]:
    """The table at a path, if it is of the board of a game, for one player or for as many."""
    database = open_table(Path(path))
    found = database.game
    same = isinstance(found, CantStop) and (
        (found.lengths, found.sides, found.columns) == (game.lengths, game.sides, game.columns)
        and (found.players == 1 or (found.players, found.occupied) == (2, game.occupied))
        and found.players <= game.players
    )
    if not same:
        raise StrategyError(
            f"{name}: expected a table of {spec_of(game)}, found one of {database.spec} at {path}"
        )
    if not isinstance(database.index, RowIndex):
        raise StrategyError(f"{name}: expected a table with rows by arithmetic, found {path}")
    return database
