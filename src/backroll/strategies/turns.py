"""Turns of Can't Stop as programs for one anchor, with their states in reach of a position."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from backroll.arrays import Climbs, Floats, Lists, Longs, Programs
from backroll.game import Move
from backroll.games.cantstop.notation import NEUTRALS
from backroll.games.cantstop.rules import CantStop, Heights, Markers, Position
from backroll.kernels import exact
from backroll.kernels.climbs import build, count_shifts, count_states
from backroll.programs.boards import no_leaves
from backroll.programs.climbs import climbs, marked_sets
from backroll.strategies.protocol import options

TOLERANCE = 1e-10
"""How far the last Newton step may still go."""
AHEAD = 0.2
"""How far ahead of its estimate Newton begins, so that mostly it comes down to the solution."""


class Shape(NamedTuple):
    """The open columns of a turn as arrays, and the number of each set of marked columns."""

    opened: tuple[int, ...]
    climbs: Climbs
    lists: Lists
    number: dict[tuple[int, ...], int]


@cache
def shape_of(sides: int, lengths: Heights, closed: int) -> Shape:
    """The shape of the turns with some columns closed, written as bits."""
    opened = tuple(c for c in range(len(lengths)) if not closed >> c & 1)
    arrays, lists = climbs(sides, lengths, opened)
    return Shape(opened, arrays, lists, {s: i for i, s in enumerate(marked_sets(opened))})


def closed_of(lengths: Heights, heights: Heights) -> int:
    """The columns that a player has won, as bits."""
    return sum(1 << c for c, n in enumerate(lengths) if heights[c] == n)


class Turn:
    """The turn from an anchor, whose states are worth what its leaves and its loss make them.

    `states` says of each state which set is marked, which of its columns are topped, and the
    heights of up to three markers. Values are the mover's, turns left counted negative; `value`
    is what the anchor is worth, once that is known.
    """

    def __init__(self, game: CantStop, mine: Heights, theirs: Heights) -> None:
        self.game, self.mine, self.theirs = game, mine, theirs
        lengths = game.lengths
        self.won = closed_of(lengths, mine)
        self.dead = closed_of(lengths, theirs)
        self.shape = shape_of(game.sides, lengths, self.won | self.dead)
        opened, columns = self.shape.opened, self.shape.climbs
        base = np.array([mine[c] for c in opened], np.int64)
        other = np.array([theirs[c] for c in opened], np.int64)
        if game.occupied != "jump":
            other[:] = 0
        size = int(count_states(columns, base, False))
        shifts = int(count_shifts(columns, base, False))
        numbers = np.zeros((2, size), np.int32)
        unused = np.zeros(size, np.int64), np.zeros(size, np.int32)
        self.programs = Programs(
            np.zeros(2, np.int64), numbers[0], numbers[1], *unused, np.zeros(shifts, np.int32)
        )
        slabs = columns.entered.size
        self._first, self._stride = np.zeros(slabs, np.int64), np.zeros((slabs, 3), np.int64)
        leaves = no_leaves(columns.size.size, len(opened))
        build(
            columns, leaves, base, base, other, False, self.programs, 0, 0, 0,
            self._first, self._stride,
        )  # fmt: skip
        size = int(self.programs.first[1])
        self.states: Longs = np.zeros((size, 5), np.int64)
        self._moves = np.zeros(size, np.int64)
        exact.list_states(columns, base, other, self.states, self._moves)
        self.values, self._slopes = np.zeros(size), np.zeros(size)
        self.stops: Floats = np.zeros(size)
        self._stopped = np.zeros(size, np.uint8)
        self._over = 0.0
        self.value = np.nan

    @property
    def left(self) -> int:
        """How many columns the mover has still to win."""
        return self.game.columns - self.won.bit_count()

    def folds(self) -> Longs:
        """The columns that a stop closes, as bits, for each state."""
        bits = np.array([1 << c for c in self.shape.opened], np.int64)
        of = bits[self.shape.climbs.column[self.states[:, exact.SET]]]
        topped = self.states[:, exact.TOPPED, None] >> np.arange(NEUTRALS) & 1
        folds: Longs = (topped * of).sum(1)
        return folds

    def stops_by_fold(self) -> Iterator[tuple[int, Longs]]:
        """The states of which a stop closes the same columns, and those columns as bits."""
        folds = self.folds()
        for topped in np.unique(folds).tolist():
            yield topped, np.flatnonzero(folds == topped)

    def theirs_after(self, topped: int) -> Heights:
        """The other side's heights after a stop that closes some columns."""
        return tuple(0 if topped >> c & 1 else height for c, height in enumerate(self.theirs))

    def heights(self, some: Longs) -> Longs:
        """The mover's heights after a stop, for some states."""
        found = np.repeat(np.array([self.mine], np.int64), some.size, 0)
        sets = self.states[some, exact.SET]
        places = np.array(self.shape.opened)[self.shape.climbs.column[sets]]
        for q in range(NEUTRALS):
            there = np.flatnonzero(self.shape.climbs.size[sets] > q)
            found[there, places[there, q]] = self.states[some[there], exact.FIRST + q]
        return found

    def take(self, stops: Floats, over: float) -> None:
        """Take what stopping is worth at each state, and what a won game is worth.

        Where stopping is not allowed is seen to here.
        """
        self.stops, self._over = stops, over
        self.stops[-1] = -np.inf
        if self.game.players == 2 and self.game.occupied == "roll":
            self.stops[self._occupied()] = -np.inf

    def _occupied(self) -> Any:
        """The states with a marker on the other side's."""
        theirs = np.array([self.theirs[c] for c in self.shape.opened], np.int64)
        there = theirs[self.shape.climbs.column[self.states[:, exact.SET]]]
        return ((self.states[:, exact.FIRST :] == there) & (there > 0)).any(1)

    def evaluate(self, loss: float) -> tuple[float, float]:
        """What the turn is worth where losing it is worth `loss`, and its slope."""
        value, slope = exact.evaluate(
            self.programs, self.shape.lists, self._moves, self.stops, self._over, loss, False,
            self._stopped, self.values, self._slopes,
        )  # fmt: skip
        return float(value), float(slope)

    def settle(self, guess: float) -> None:
        """Solve a turn that costs 1 and begins again when it is lost."""
        self.value = exact.settle(
            self.programs, self.shape.lists, self._moves, self.stops, self._over, guess, AHEAD,
            TOLERANCE, self._stopped, self.values, self._slopes,
        )  # fmt: skip

    def state(self, neutral: Markers) -> int:
        """The number of the state with some neutral markers."""
        i = self.shape.number[tuple(c for c, _ in neutral)]
        own = self.shape.climbs.slabs[i]
        state = self._first[own]
        for q, (c, height) in enumerate(neutral):
            jumped = self.game.occupied == "jump" and self.mine[c] < self.theirs[c]
            above = height < self.theirs[c] if jumped else False
            state += self._stride[own, q] * (self.game.lengths[c] - height - above)
        return int(state)

    def worth(self, neutral: Markers) -> float:
        """What a state is worth to the mover."""
        return float(self.values[self.state(neutral)])

    def lost(self, neutral: Markers) -> float:
        """The chance to lose the turn from a state, with best play: the slope of its value."""
        return float(self._slopes[self.state(neutral)])

    def decide(self, position: Position) -> Move:
        """The best move at a position with a choice, the first of equally good ones."""
        if not position.dice:
            state = self.state(position.neutral)
            return "stop" if self.values[state] <= self.stops[state] else "roll"
        moves = options(self.game, position)
        if moves == ("bust",):
            return "bust"
        return max(moves, key=lambda move: self.worth(self._after(position, move)))

    def _after(self, position: Position, move: Move) -> Markers:
        child = self.game.play(position, move)
        assert isinstance(child, Position)
        return child.neutral
