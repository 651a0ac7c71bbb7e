"""Strategies that are habits: arrays in which decisions are looked up (`backroll.arrays.Habits`).

The arena's kernels play them by the million. The player here decides the same in plain Python, by
the rules of the game alone, and shares no line with the kernels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any

from backroll.game import Game, Move
from backroll.games.cantstop.notation import NEUTRALS
from backroll.games.cantstop.rules import CantStop, Position
from backroll.played import Habits
from backroll.programs.habits import place, shuffle
from backroll.strategies.protocol import Player, cantstop, options


class Habitual(ABC):
    """A strategy for Can't Stop that comes down to habits."""

    __slots__ = ()

    @abstractmethod
    def habits(self, game: CantStop) -> Habits:
        """The strategy as arrays, for a board."""

    def player(self, game: Game[Any], random: Random) -> Player:
        """Plays Can't Stop on any board."""
        known = cantstop(game, type(self).__name__.lower())
        return HabitsPlayer(known, self.habits(known))


class HabitsPlayer:
    """Plays by habits, in plain Python."""

    def __init__(self, game: CantStop, habits: Habits) -> None:
        self.game, self.habits = game, habits

    def __call__(self, position: Position) -> Move:
        """The move at a position with a choice."""
        if not position.dice:
            return "stop" if self.stops(position) else "roll"
        moves = options(self.game, position)
        best, highest = moves[0], -float("inf")
        for move in moves:
            worth = self.worth(position, move) if len(moves) > 1 else 0.0
            if worth > highest or (worth == highest and self.prefers(position, move, best)):
                best, highest = move, worth
        return best

    def prefers(self, position: Position, move: Any, other: Any) -> bool:
        """Whether a move is taken rather than an earlier one that is worth the same."""
        if not self.habits.shuffled:
            return self.habits.last
        heights = [
            length if length == other else mine
            for length, mine, other in zip(
                self.game.lengths, position.mine, position.theirs, strict=True
            )
        ]
        for column, height in position.neutral:
            heights[column] = height
        every = sum(position.dice)
        first, second = (
            place(position.dice, min(each[0], every - each[0]), shuffle(heights))
            for each in (move, other)
        )
        return first < second

    def stops(self, position: Position) -> bool:
        """Whether to stop where that is allowed."""
        game, habits = self.game, self.habits
        lengths, markers = game.lengths, dict(position.neutral)
        topped = sum(height == lengths[c] for c, height in markers.items())
        if game.won(position.mine) + topped >= game.columns:
            return True
        if topped and habits.topped:
            return True
        free = len(markers) < NEUTRALS and any(
            lengths[c] not in (position.mine[c], position.theirs[c])
            for c in range(len(lengths))
            if c not in markers
        )
        if habits.eager and free:
            return False
        progress = sum(habits.progress[c, position.mine[c], at] for c, at in markers.items())
        return bool(progress >= habits.limit[_bits(markers)])

    def worth(self, position: Position, move: Any) -> float:
        """What a move adds up to."""
        habits = self.habits
        before = dict(position.neutral)
        child = self.game.play(position, move)
        assert isinstance(child, Position)
        after = dict(child.neutral)
        total = -habits.marker * (len(after) - len(before)) - habits.hazard[_bits(after)]
        for column in dict.fromkeys(total - 2 for total in move):
            total += self._part(position, column, before, after)
        return float(total)

    def _part(
        self, position: Position, column: int, before: dict[int, int], after: dict[int, int]
    ) -> float:
        """What climbing in one column adds."""
        game, habits = self.game, self.habits
        start, theirs = position.mine[column], position.theirs[column]
        here, square = before.get(column, start), after[column]
        squares = square - here
        if game.occupied == "jump" and here < theirs <= square:
            squares -= 1
        worth = habits.climb[column, start, here, squares - 1]
        if habits.escaping and theirs > 0:
            end = start + int(habits.reach[_bits(after), column] + 0.5)
            if theirs == max(end, square):
                worth *= habits.escape[column]
        if habits.chase:
            worth *= 0.5 + (square - theirs) / game.lengths[column]
        return float(worth)


def _bits(columns: dict[int, int]) -> int:
    return sum(1 << c for c in columns)
