"""One game at a time, in plain Python, by the rules of the game.

Chance is drawn anew for every turn, from a seed, the number of the game, the side and the turn:
strategies that play the same game meet the same dice for as long as they make the same decisions.
Can't Stop draws its dice as the arena's kernels do: the same game comes out, whichever plays it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, product
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np

from backroll.errors import IllegalMove
from backroll.game import Chance, Game, Move, Swap, Terminal
from backroll.games.cantstop.rules import CantStop
from backroll.kernels import arena
from backroll.strategies.protocol import Player, Watching


class Step(NamedTuple):
    """A position, and what was chosen or came up there; `who` is the side it is written from."""

    position: Any
    who: int
    """1 or 2; in an absolute game always 1."""
    mover: int
    """The player who chose; 0 for chance."""
    move: Move


class Luck(Protocol):
    """What comes up."""

    def turn(self, who: int) -> None:
        """A turn begins."""
        ...

    def draw(self, outcomes: Mapping[Any, int]) -> Any:
        """One of some outcomes, by weight."""
        ...


class Lots:
    """Lots for any game, from a seed, the number of the game, the side and the turn."""

    def __init__(self, seed: int, game: int) -> None:
        self._name = f"{seed}/{game}"
        self._turns = [0, 0]
        self._who = 0
        self._random = Random()

    def turn(self, who: int) -> None:
        """Begin the lots of a turn, so that what came before does not matter."""
        self._turns[who - 1] += 1
        self._who = who

    def draw(self, outcomes: Mapping[Any, int]) -> Any:
        """One of some outcomes, by weight."""
        if self._who:  # seeding takes longer than drawing, and many turns draw nothing
            self._random.seed(f"{self._name}/{self._who}/{self._turns[self._who - 1]}")
            self._who = 0
        sums = list(accumulate(outcomes.values()))
        return list(outcomes)[bisect_right(sums, self._random.randrange(sums[-1]))]


class Dice:
    """The dice of Can't Stop, as the kernels roll them."""

    def __init__(self, sides: int, seed: int, game: int) -> None:
        self._faces = list(product(range(1, sides + 1), repeat=4))
        self._seed, self._game = seed, game
        self._turns = [0, 0]
        self._state = np.zeros(4, np.int64)

    def turn(self, who: int) -> None:
        """Begin the chance of a turn."""
        self._turns[who - 1] += 1
        number = self._turns[who - 1] - (who == 1)
        arena.begin(self._state, self._seed, self._game, who - 1, number)

    def draw(self, outcomes: Mapping[Any, int]) -> Any:
        """Four dice."""
        return tuple(sorted(self._faces[arena.roll(self._state, len(self._faces))]))


def luck_of(game: Game[Any], seed: int, number: int) -> Luck:
    """The chance of one game."""
    if type(game) is CantStop:
        return Dice(game.sides, seed, number)
    return Lots(seed, number)


def play(
    game: Game[Any], players: Sequence[Player], luck: Luck, position: Any = None
) -> Iterator[Step]:
    """Play a game to its end, which comes last; the first player begins."""
    here = game.start() if position is None else position
    who, began = 1, True
    while True:
        node = game.node(here)
        if began or game.anchor(here):
            luck.turn(who)
            began = False
        if isinstance(node, Terminal):
            yield Step(here, who, 0, None)
            return
        if isinstance(node, Chance):
            mover, move = 0, luck.draw(node.outcomes)
        else:
            mover = node.player if who == 1 else 3 - node.player
            moves = tuple(node.moves)
            move = players[mover - 1](here) if len(moves) > 1 else moves[0]
            if move not in moves:
                offered = ", ".join(map(game.show_move, moves))
                raise IllegalMove(
                    f"player {mover} at {game.show(here)}: expected one of {offered}, "
                    f"found {move!r}"
                )
            for player, other in enumerate(players, 1):
                if player != mover and isinstance(other, Watching):
                    other.watch(here, move)
        yield Step(here, who, mover, move)
        child = game.play(here, move)
        if isinstance(child, Swap):
            here, who = child.position, 3 - who
        else:
            here = child


def worth(game: Game[Any], steps: Sequence[Step]) -> float:
    """What a game that was played came to, in player 1's value."""
    total = 0.0
    for step in steps:
        node = game.node(step.position)
        if isinstance(node, Terminal):
            return total + (node.value if step.who == 1 else game.total - node.value)
        total += node.adds if step.who == 1 else -node.adds
    raise IllegalMove("expected a game that was played to its end")
