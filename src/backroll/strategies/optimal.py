"""Optimal play from a table, for any game that has one."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backroll.database import Database, open_table
from backroll.game import Game, Move
from backroll.games.cantstop.rules import CantStop
from backroll.index import RowIndex
from backroll.strategies.answers import OPENING, answered_by, answering
from backroll.strategies.estimates import Alone, Estimate
from backroll.strategies.exact import TurnPlayer
from backroll.strategies.protocol import Player
from backroll.strategies.tables import TabledTurns, TabledWins
from backroll.strategies.turns import Turn
from backroll.table import Table


@dataclass(frozen=True, slots=True)
class Optimal:
    """The best move by a table, also by one of an answer; the first of equally good ones."""

    path: str

    def player(self, game: Game[Any], random: random.Random) -> Player:
        """Plays the game of the table."""
        with Table(Path(self.path)) as table:
            spec = table.manifest.spec
        if spec.startswith(OPENING):
            return answering(open_table(Path(self.path), answered_by(spec)), game)
        database = open_table(Path(self.path), game)
        if type(game) is CantStop and isinstance(database.index, RowIndex):
            return TurnPlayer(game, _Known(game, database))
        return lambda position: _best(database, position)


def _best(database: Database[Any], position: Any) -> Move:
    return database.moves(position)[0].move


class _Known:
    """Values a turn whose anchors are all in a table, its own start among them."""

    def __init__(self, game: CantStop, database: Database[Any]) -> None:
        self._worth: Estimate = (
            Alone(TabledTurns(game, database)) if game.players == 1 else TabledWins(game, database)
        )

    def __call__(self, turns: TurnPlayer, turn: Turn) -> None:
        """Evaluate it once, where losing it is worth what the table says."""
        two = turns.game.players == 2
        turn.take(self._worth.stops(turn), 1.0 if two else 0.0)
        turn.value = self._worth.anchor(turn.mine, turn.theirs)
        turn.evaluate(1.0 - self._worth.anchor(turn.theirs, turn.mine) if two else turn.value)


def turns_by(game: CantStop, database: Database[Any]) -> TurnPlayer:
    """Plays a board by a database of it whose rows are found by arithmetic."""
    return TurnPlayer(game, _Known(game, database))
