"""Games played on from a position, more and more of them, and what each option came to.

All options meet the same chance, so that how far one is behind the best is told game by game. The
intervals are at 95 %: Wilson's for a share of wins, the normal one for anything else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from backroll.analysis.figures import Basis
from backroll.analysis.sources import Found
from backroll.arena.intervals import Interval, normal, wilson
from backroll.arena.playing import luck_of, play, worth
from backroll.arrays import Floats
from backroll.errors import NotConverged
from backroll.game import COST, WIN, Choice, Game, Move, Swap, Terminal
from backroll.games.cantstop.rules import CantStop, Position
from backroll.strategies import Strategy, text_of
from backroll.strategies.habits import Habitual
from backroll.strategies.playouts import Option, Start, played_on, ranked, start_of
from backroll.turn import MoveValue, seen_by

FIRST = 1_000
"""Games an option before the first figures; each time after that as many again as there are."""
STEPS = 10_000
"""Positions of a game in plain Python, after which it has no end."""


class Played(ABC):
    """Figures from games, refined by more games."""

    distances = False

    def __init__(self, game: Game[Any], base: Strategy, games: int, first: int) -> None:
        self.game, self.base, self.games, self.first = game, base, games, min(games, first)

    def lost(self, position: Any) -> None:
        """Nobody knows the best play."""
        return

    def distance(self, position: Any) -> None:
        """Nobody knows how far it is."""
        return

    def refine(self, position: Any) -> Iterator[Found]:
        """After so many games, twice as many, four times as many, …"""
        node = self.game.node(position)
        if isinstance(node, Terminal):
            yield Found(node.value, [], Basis("the end of the game, by the rules", exact=True))
            return
        moves = list(node.moves) if isinstance(node, Choice) else [None]
        worths = np.empty((len(moves), 0))
        while worths.shape[1] < self.games:
            begin = worths.shape[1]
            count = min(begin or self.first, self.games - begin)
            more = self.more(position, moves, begin, count)
            worths = np.concatenate([worths, more], 1)
            yield self._found(position, moves, worths)
            if more.shape[1] < count:
                return

    @abstractmethod
    def more(self, position: Any, moves: Sequence[Move], begin: int, count: int) -> Floats:
        """What games came to for the mover, a row a move; without a move, by the view."""

    def _found(self, position: Any, moves: Sequence[Move], worths: Floats) -> Found:
        lowest = self.game.quantity == COST
        options = ranked(moves, worths, lowest=lowest)
        games, intervals = worths.shape[1], [self._intervals(each, worths) for each in options]
        basis = Basis(self._said(games, intervals[0][0]), games=games)
        if moves == [None]:
            return Found(options[0].value, [], basis, intervals[0][0])
        found = [
            MoveValue(o.move, _position(self.game.play(position, o.move)), o.value, o.behind)
            for o in options
        ]
        return Found(options[0].value, found, basis, intervals[0][0], intervals)

    def _intervals(self, option: Option, worths: Floats) -> tuple[Interval, Interval]:
        """Of the value and of the loss."""
        value = normal(option.value, option.error)
        if self.game.quantity == WIN and self.game.total == 1:
            value = wilson(option.value, worths.shape[1])
        low, high = normal(option.behind, option.behind_error)
        return value, Interval(max(low, 0.0), high)

    def _said(self, games: int, interval: Interval) -> str:
        half = (interval.high - interval.low) / 2
        away = f"{100 * half:.2g} %" if self.game.quantity == WIN else f"{half:.2g}"
        return f"{games:,} games an option by {text_of(self.base)}, ± {away}"


def _position(child: Any) -> Any:
    return child.position if isinstance(child, Swap) else child


class PlayedByKernels(Played):
    """Can't Stop, played on by habits."""

    def __init__(self, game: CantStop, base: Habitual, games: int, seed: int, threads: int) -> None:
        super().__init__(game, base, games, FIRST)
        self.board, self.habits, self.seed, self.threads = game, base, seed, threads

    def more(self, position: Position, moves: Sequence[Move], begin: int, count: int) -> Floats:
        """What games came to, numbered from `begin`."""
        starts = [self._start(position, move) for move in moves]
        return played_on(
            self.board, starts, self.habits, self.habits, count,
            begin=begin, seed=self.seed, threads=self.threads,
        )  # fmt: skip

    def _start(self, position: Position, move: Move) -> Start | float:
        """Where games go on, after a move or at a position where dice are rolled."""
        if move is not None:
            return start_of(self.board, position, self.board.play(position, move))
        if position.neutral:
            return start_of(self.board, position, position)
        heights = np.array([position.mine, position.theirs, position.mine])
        # alone, turns are counted from this one on: it is the second of the games played on
        return Start(heights, 0, False, 3 - self.board.players)


class PlayedInPython(Played):
    """Any game, for as long as there is time."""

    def __init__(
        self, game: Game[Any], base: Strategy, games: int, seed: int, seconds: float
    ) -> None:
        super().__init__(game, base, games, 8)
        self.seed, self.seconds = seed, seconds
        self.player = base.player(game, Random(seed))
        self.until = 0.0

    def refine(self, position: Any) -> Iterator[Found]:
        """The same, until the time is over; at least one game an option is played."""
        self.until = perf_counter() + self.seconds
        yield from super().refine(position)

    def more(self, position: Any, moves: Sequence[Move], begin: int, count: int) -> Floats:
        """What games came to, for as many as there was time."""
        rows: list[list[float]] = []
        while len(rows) < count and (not begin + len(rows) or perf_counter() < self.until):
            rows.append([self._played(position, move, begin + len(rows)) for move in moves])
        return np.array(rows).reshape(len(rows), len(moves)).T

    def _played(self, position: Any, move: Move, number: int) -> float:
        """What one game comes to."""
        game = self.game
        if move is None:
            return self._worth(position, number)
        node, child = game.node(position), game.play(position, move)
        assert isinstance(node, Choice)
        if isinstance(child, Swap):
            return node.adds + game.total - self._worth(child.position, number)
        value = node.adds + self._worth(child, number)
        return seen_by(game, node, value)

    def _worth(self, position: Any, number: int) -> float:
        game, luck = self.game, luck_of(self.game, self.seed, number)
        steps = list(islice(play(game, [self.player] * 2, luck, position), STEPS))
        if len(steps) == STEPS:
            raise NotConverged(
                f"{game.show(position)}: expected games that {text_of(self.base)} brings to an "
                f"end within {STEPS:,} positions, found one without"
            )
        return worth(game, steps)
