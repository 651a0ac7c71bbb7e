"""The protocol of strategies.

A strategy is a frozen dataclass: its parameters and nothing else. For a game that it can play it
gives a *player*, a function from a position with a choice to one of the moves there, as the game
writes both. `fix` takes players as they are; so does the arena.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NoReturn, Protocol, TypeAlias, TypeVar, runtime_checkable
from weakref import WeakKeyDictionary

from backroll.errors import StrategyError
from backroll.game import Choice, Game, Move
from backroll.games.cantstop.rules import CantStop
from backroll.spec import spec_of

Player: TypeAlias = Callable[[Any], Move]
Known = TypeVar("Known", bound=Game[Any])
_PLAYERS: WeakKeyDictionary[Game[Any], dict[Any, Player]] = WeakKeyDictionary()


class Strategy(Protocol):
    """What picks moves, as a value."""

    def player(self, game: Game[Any], random: Random) -> Player:
        """What plays a game; StrategyError if it is not one that the strategy can play.

        `random` is for strategies that draw lots, and for nobody else.
        """
        ...


@runtime_checkable
class Watching(Protocol):
    """A player who wants to see what the other side does."""

    def watch(self, position: Any, move: Move) -> None:
        """The other side chose a move at a position, which is written from that side."""
        ...


class NoLots(Random):
    """Lots that may not be drawn: an exact value wants decisions that are alike each time."""

    def __init__(self, text: str) -> None:
        self._text = text

    def random(self) -> NoReturn:
        """Refuse."""
        raise StrategyError(f"{self._text}: expected one that draws no lots, found one that does")

    def getrandbits(self, k: int) -> NoReturn:
        """Refuse."""
        self.random()


def cantstop(game: Game[Any], name: str) -> CantStop:
    """A game that is Can't Stop; StrategyError for any other."""
    if type(game) is not CantStop:
        raise StrategyError(f"{name}: expected a game of cantstop, found {spec_of(game)}")
    return game


def options(game: Game[Any], position: Any) -> tuple[Move, ...]:
    """The moves at a position with a choice."""
    node = game.node(position)
    if not isinstance(node, Choice):
        raise StrategyError(f"{game.show(position)}: expected a choice, found {node}")
    return tuple(node.moves)


def kept(strategy: Any, game: Known, make: Callable[[Known], Player]) -> Player:
    """A player that is made once for a game, as it opens tables or remembers turns.

    Only for those whose moves do not depend on what they were asked before.
    """
    players = _PLAYERS.setdefault(game, {})
    if strategy not in players:
        players[strategy] = make(game)
    return players[strategy]
