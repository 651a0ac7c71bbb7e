"""The game in which a strategy plays second, and play by the table that solves it."""

from __future__ import annotations

from typing import Any

import numpy as np

from backroll.database import Database
from backroll.errors import StrategyError
from backroll.game import Game, Move
from backroll.games.cantstop.rules import CantStop, Heights, Position
from backroll.spec import load, remember, spec_of
from backroll.strategies.exact import TurnPlayer
from backroll.strategies.names import strategy as strategy_of
from backroll.strategies.names import text_of
from backroll.strategies.protocol import NoLots, Player, Strategy
from backroll.strategies.turns import Turn
from backroll.wrappers import Fixed, Sided, fix

OPENING, SECOND = "fix(", ",2,"


class Answered(Fixed):
    """Can't Stop with the second player's moves made; it is all one who won a closed column."""

    def symmetry(self, position: Any) -> Any:
        """At an anchor: the leftmost closed columns are the mover's, as many as he has won."""
        here, who = position
        assert isinstance(self.base, CantStop)
        if here.neutral or here.dice or not self.base.anchor(here):
            return position
        return Sided(Position(*shared_out(self.base.lengths, here.mine, here.theirs)), who)


def answered(game: Game[Any], strategy: Strategy) -> Game[Any]:
    """The game in which a strategy plays second, and somebody else has the first moves."""
    if game.players != 2:
        raise StrategyError(f"{spec_of(game)}: expected a game for two to answer in")
    player = strategy.player(game, NoLots(text_of(strategy)))
    made: Game[Any] = (
        Answered(game, {2: player}) if type(game) is CantStop else fix(game, 2, player)
    )
    remember(made, f"fix({spec_of(game)},2,{text_of(strategy)})")
    return made


def answered_by(text: str) -> Game[Any]:
    """The game of a table whose spec is `fix(SPEC,2,STRATEGY)`."""
    spec, _, strategy = text.removeprefix(OPENING).removesuffix(")").partition(SECOND)
    if not strategy:
        raise StrategyError(f"expected {OPENING}SPEC{SECOND}STRATEGY), found {text!r}")
    return answered(load(spec), strategy_of(strategy))


def answering(database: Database[Any], game: Game[Any]) -> Player:
    """Plays by the table of an answer, in either seat."""
    base = getattr(database.game, "base", None)
    if base is None or spec_of(base) != spec_of(game):
        raise StrategyError(f"optimal: expected a table of {spec_of(game)}, found {database.spec}")
    if isinstance(game, CantStop):
        return TurnPlayer(game, _Answer(database))

    def move(position: Any) -> Move:
        return database.moves(Sided(position, 1))[0].move

    return move


class _Answer:
    """Values a turn by what its stops are worth when the strategy is to move."""

    def __init__(self, database: Database[Any]) -> None:
        self._database = database

    def __call__(self, turns: TurnPlayer, turn: Turn) -> None:
        """Evaluate it once."""
        found = np.ones(len(turn.states))
        for topped, there in turn.stops_by_fold():
            if (turn.won | topped).bit_count() < turns.game.columns:
                theirs = turn.theirs_after(topped)
                pairs = zip(there.tolist(), turn.heights(there).tolist(), strict=True)
                legal = {s: tuple(mine) for s, mine in pairs if apart(turns.game, mine, theirs)}
                legal.pop(len(turn.states) - 1, None)
                after = [Sided(Position(theirs, mine), 2) for mine in legal.values()]
                found[list(legal)] = self._database.values(after) if after else 0.0
        turn.take(found, 1.0)
        turn.value = self._database.value(Sided(Position(turn.mine, turn.theirs), 1))
        turn.evaluate(self._database.value(Sided(Position(turn.theirs, turn.mine), 2)))


def apart(game: CantStop, mine: Any, theirs: Heights) -> bool:
    """Whether both sides' markers may stand so."""
    return game.occupied != "roll" or all(
        a != b or a == 0 for a, b in zip(mine, theirs, strict=True)
    )


def shared_out(lengths: Heights, mine: Heights, theirs: Heights) -> tuple[Heights, Heights]:
    """The leftmost closed columns given to the mover, as many as he has won."""
    left = sum(a == n for a, n in zip(mine, lengths, strict=True))
    mover, other = list(mine), list(theirs)
    for c, n in enumerate(lengths):
        if n in (mine[c], theirs[c]):
            mover[c], other[c] = (n, 0) if left > 0 else (0, n)
            left -= 1
    return tuple(mover), tuple(other)
