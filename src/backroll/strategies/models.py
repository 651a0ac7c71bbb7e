"""The mathematical model of Canakci, Serrano, Roy and Kruskal, in all its forms.

**Stopping.** Let S be the marked columns, w a weight a column, W the weight of the squares climbed
in this turn, p the chance that a roll can be used with S alone, and g the mean weight that it
climbs (the lost rolls counted as nothing). Rolling once more makes W into p W + g on average, so
the player rolls if p W + g > W (1 + error): he stops once

    W >= g / (1 + error - p).

The right side depends on S alone. `total` and `columns` have w = 1, `weighted` has w = 1 / the
chance that a column's total comes up. Where a roll can be paired in several ways, the pairing
counts that climbs most by w: with w = 1 then g = p_1 + 2 p_2, column by column or all together, so
`columns` is `total` written out. What the paper leaves open: near its top a column may take one
square only of two, which is not looked at; and where fewer than three columns are marked and no
other is open, the same formula is read for those.

**Pairing.** A pair of columns is worth the sum of what each column adds: by `m1` the height
reached over the length; by `m2` the same, times the chance of the column's total if the turn is
expected to end on the opponent's marker; by `m3` that, times 1/2 plus the lead over the opponent
there, of the length. The turn is expected to climb g / (1 - p) squares in all (w = 1), shared out
in proportion to those chances, and to end that many squares, rounded, above the coloured marker,
or where the move leads if that is higher.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Annotated, Literal, NamedTuple

import numpy as np

from backroll.arrays import Floats
from backroll.games.cantstop.notation import NEUTRALS
from backroll.games.cantstop.rules import CantStop
from backroll.parameters import Range
from backroll.played import Habits
from backroll.programs.habits import blank, board_of
from backroll.strategies.habits import Habitual


@dataclass(frozen=True, slots=True)
class Model(Habitual):
    """Stops if a column is won, rolls while a marker is free, and otherwise asks a formula."""

    stop: Literal["total", "columns", "weighted"] = "weighted"
    pair: Literal["m1", "m2", "m3"] = "m1"
    error: Annotated[float, Range(0, 10)] = 0.0
    """By how much of what he has the player wants to gain before he rolls."""

    def habits(self, game: CantStop) -> Habits:
        """The strategy as arrays."""
        habits = blank(game)
        weights = weights_of(game) if self.stop == "weighted" else np.ones(len(game.lengths))
        heights = np.arange(habits.progress.shape[1])
        climbed = np.maximum(heights[None, :] - heights[:, None], 0)
        habits.progress[:] = weights[:, None, None] * climbed
        reached = heights[:, None] + np.array([1, 2])
        habits.climb[:] = (reached / np.array(game.lengths)[:, None, None])[:, None]
        return habits._replace(
            limit=limits(outlook(game, tuple(weights)), self.error),
            topped=True,
            chase=self.pair == "m3",
            escaping=self.pair != "m1",
            escape=chances(game),
            reach=reach(game),
        )


class Outlook(NamedTuple):
    """What one more roll does with a set of marked columns, written as bits, and no others."""

    lost: Floats
    """The chance that it cannot be used."""
    gain: Floats
    """The mean weight that it climbs."""


def outlook(game: CantStop, weights: tuple[float, ...]) -> Outlook:
    """The outlook by set of at most three columns; of other sets nothing is said."""
    return _outlook(game.sides, weights)


@cache
def _outlook(sides: int, weights: tuple[float, ...]) -> Outlook:
    split = board_of(CantStop(sides=sides)).split
    worth = np.array([*weights, 0.0])[split]  # -1, no split, is the last one
    lost, gain = np.ones((2, 1 << len(weights)))
    for columns in marked_sets(len(weights)):
        inside = np.zeros(len(weights) + 1, bool)
        inside[list(columns)] = True
        climbed = (worth * inside[split]).sum(2).max(1)
        bits = sum(1 << c for c in columns)
        lost[bits] = np.count_nonzero(climbed == 0) / climbed.size
        gain[bits] = climbed.mean()
    return Outlook(lost, gain)


def marked_sets(width: int) -> list[tuple[int, ...]]:
    """The sets of columns that can be marked."""
    return [each for n in range(1, NEUTRALS + 1) for each in combinations(range(width), n)]


def limits(ahead: Outlook, error: float) -> Floats:
    """The weight at which to stop, by set of marked columns; infinite where nothing is risked."""
    with np.errstate(divide="ignore"):
        found: Floats = ahead.gain / (ahead.lost + error)
    return found


def chances(game: CantStop) -> Floats:
    """The chance that each column's total is among those of a roll."""
    width = len(game.lengths)
    lost = outlook(game, (1.0,) * width).lost
    return 1 - lost[[1 << c for c in range(width)]]


def weights_of(game: CantStop) -> Floats:
    """What a square of each column weighs: one over its chance."""
    return 1 / chances(game)


def reach(game: CantStop) -> Floats:
    """How far a turn is expected to climb, by set of marked columns and column."""
    width = len(game.lengths)
    squares = limits(outlook(game, (1.0,) * width), 0.0)
    inside = np.arange(1 << width)[:, None] >> np.arange(width) & 1
    shares = inside * chances(game)
    shares /= np.maximum(shares.sum(1, keepdims=True), 1e-9)  # the empty set has no shares
    longest = 2 * max(game.lengths)  # more than any column has, and whole
    found: Floats = np.minimum(squares, longest)[:, None] * shares
    return found
