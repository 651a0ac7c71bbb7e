"""The contract: a game is `start`, `node` and `play`; everything else has a stated default.

    start()               the position the game begins with
    node(position)        what happens there: Terminal, Choice or Chance
    play(position, move)  the position after a move, or after an outcome of chance

A position is any hashable value. Values are numbers to the first player's taste: player 1
wants them high, player 2 low (when the quantity is a cost: player 1 wants them low).

There are two ways to write a game for two players. *Absolute*: each `Choice` names the player
who makes it, and every value is player 1's. *Relative*: a position is written from the side of
whoever is to move, every `Choice` is the default player's, every value is the mover's, and
`play` returns `Swap(position)` when the other side takes over. What is worth v to one side is
worth `total - v` to the other. Relative games are half the size.
"""

from __future__ import annotations

import ast
import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

from backroll.errors import NotationError

Position = TypeVar("Position", bound=Hashable)
Move: TypeAlias = Any

WIN = "win probability"
SCORE = "expected score"
COST = "expected cost"
QUANTITIES = (WIN, SCORE, COST)

ABSENT = -1
"""The row of a position that is no anchor."""


class Terminal(NamedTuple):
    """The end of the game, worth `value`."""

    value: float


class Choice(NamedTuple):
    """A player picks one of `moves`; `adds` is paid on the way."""

    moves: Iterable[Move]
    player: int = 1
    adds: float = 0


class Chance(NamedTuple):
    """Fate picks one of `outcomes`, a mapping from outcome to its whole-number weight.

    The weights of a position may add up to 2^53 at most.
    """

    outcomes: Mapping[Move, int]
    adds: float = 0


Node: TypeAlias = Terminal | Choice | Chance


class Swap(NamedTuple, Generic[Position]):
    """`position`, written from the side of the other player, who is to move now."""

    position: Position


class Game(ABC, Generic[Position]):
    """A game of chance and skill for one or two players.

    >>> from backroll import Chance, Game, Terminal
    >>> class Toss(Game[str]):
    ...     players = 1
    ...     def start(self) -> str:
    ...         return "coin"
    ...     def node(self, position: str) -> Terminal | Chance:
    ...         return Chance({"heads": 1, "tails": 1}) if position == "coin" else Terminal(1)
    ...     def play(self, position: str, move: str) -> str:
    ...         return move
    """

    name: ClassVar[str] = ""
    players: int = 2
    quantity: str = WIN
    total: float = 1.0
    """What one position is worth to both sides together."""
    chance: bool = True
    """Whether there can be chance. A game for two without it, in which play that goes on for ever
    is a draw, says False."""

    @abstractmethod
    def start(self) -> Position:
        """The position the game begins with."""

    @abstractmethod
    def node(self, position: Position) -> Node:
        """What happens at a position."""

    @abstractmethod
    def play(self, position: Position, move: Move) -> Position | Swap[Position]:
        """The position that a move, or an outcome of chance, leads to."""

    def anchor(self, position: Position) -> bool:
        """Whether a turn starts here. Tables keep anchors only; by default every position is one.

        A game may say what it likes here as long as few cycles avoid its anchors: where one does,
        the engine adds positions of its own to cut it.
        """
        return True

    def symmetry(self, position: Position) -> Position:
        """One position for all those that are worth the same; by default each its own."""
        return position

    def anchor_count(self) -> int:
        """How many rows there are for anchors, if arithmetic can find them; by default none.

        A game that says more than 0 here writes `anchor_row` and `anchor_at` as well. Its tables
        then need no list of anchors, in memory or on disk.
        """
        return 0

    def anchor_row(self, position: Position) -> int:
        """The row of an anchor, less than `anchor_count()`; ABSENT (-1) for what is no anchor.

        Positions that `symmetry` takes for one may share a row; each of them has one.
        """
        return ABSENT

    def anchor_at(self, row: int) -> Position:
        """The anchor at a row: `anchor_row` gives that row back, and every row has an anchor."""
        raise IndexError(row)

    def states(self) -> Any:
        """For a game without chance: its states in blocks of arrays, if it has them.

        Something like `backroll.states.States`, a state being a row of `anchor_row`.
        """
        return None

    def show(self, position: Position) -> str:
        """The text form of a position; by default a string itself, or a Python literal."""
        if isinstance(position, str):
            return position
        if isinstance(position, tuple):
            return repr(tuple(position))
        if dataclasses.is_dataclass(position) and not isinstance(position, type):
            return repr(dataclasses.astuple(position))
        return repr(position)

    def parse(self, text: str) -> Position:
        """The position that a text shows; the inverse of `show`."""
        start = self.start()
        if isinstance(start, str):
            return type(start)(text)
        try:
            value = ast.literal_eval(text)
            if isinstance(start, tuple) and hasattr(start, "_fields"):
                return type(start)(*value)
            if dataclasses.is_dataclass(start) and not isinstance(start, type):
                return type(start)(*value)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            value = None
        if type(value) is not type(start):
            raise NotationError(f"expected a position like {self.show(start)}, found {text!r}")
        return value

    def show_move(self, move: Move) -> str:
        """The text form of a move or an outcome."""
        return move if isinstance(move, str) else repr(move)

    def sample(self, random: Random) -> Position:
        """Some position that can be reached; by default the end of a random walk."""
        position = self.start()
        for _ in range(random.randrange(40)):
            node = self.node(position)
            if isinstance(node, Terminal):
                break
            options = list(node.outcomes if isinstance(node, Chance) else node.moves)
            child = self.play(position, random.choice(options))
            position = child.position if isinstance(child, Swap) else child
        return position


def minimises(quantity: str, player: int) -> bool:
    """Whether that player wants the value low."""
    return (player == 2) != (quantity == COST)
