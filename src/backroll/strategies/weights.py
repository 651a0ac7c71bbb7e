"""Weights of columns that do not change, or change linearly within them (Glenn and Aloï 2009).

What the Rule of 28 adds up (`backroll.strategies.rules`), with other numbers. The columns at the
same distance from the middle share their weights, which are written from the outermost to the one
in the middle; a board with fewer columns takes those nearest the middle.

With linear weights square j of a column of length l is worth

    floor(m (j - 1) / (l - 1) + b)    to a move, or with start=1    floor(m j / l + b),

m the slope and b the intercept. The second is what is printed; with the first the champion comes
nearer to its published turns. A column of one square has its intercept in the first.

The difficulty counts once three columns are marked, as with the Rule of 28, or from `marked` of
them on. Otherwise a search through all linear weights for (2,1) ends at 1.322 turns, published are
1.30; but the champion comes no nearer to its turns so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from backroll.arrays import Floats
from backroll.errors import StrategyError
from backroll.games.cantstop.rules import CantStop
from backroll.parameters import Numbers, Range
from backroll.played import Habits
from backroll.programs.habits import read
from backroll.spec import spec_of
from backroll.strategies.habits import Habitual
from backroll.strategies.rules import Ties, difficulties, weighted

HIGHEST = 1_000_000
"""Sums of larger weights would be less exact than their differences."""
Weight: TypeAlias = Annotated[float, Range(-HIGHEST, HIGHEST)]
ByColumn: TypeAlias = Annotated[Numbers, Range(-HIGHEST, HIGHEST)]


@dataclass(frozen=True, slots=True)
class Constant(Habitual):
    """Weights by column."""

    NAMED: ClassVar[dict[str, Constant]]

    progress: ByColumn
    move: ByColumn
    evens: Weight
    odds: Weight
    highs: Weight
    lows: Weight
    marker: Weight
    threshold: Weight
    ties: Ties = "shuffled"
    wary: bool = True

    def habits(self, game: CantStop) -> Habits:
        """The strategy as arrays."""
        habits = weighted(
            game,
            progress=spread(game, "constant: progress", self.progress),
            move=spread(game, "constant: move", self.move),
            difficulty=difficulties(
                game, odds=self.odds, evens=self.evens, highs=self.highs, lows=self.lows
            ),
            marker=self.marker,
            threshold=self.threshold,
        )
        return read(habits, self.ties, wary=self.wary)


@dataclass(frozen=True, slots=True)
class Linear(Habitual):
    """Weights that change linearly within a column; high and low are equally difficult."""

    NAMED: ClassVar[dict[str, Linear]]

    progress: ByColumn
    slope: ByColumn
    intercept: ByColumn
    evens: Weight
    odds: Weight
    highs: Weight
    marker: Weight
    threshold: Weight
    start: Literal[0, 1] = 0
    whole: bool = True
    """Round the weights of squares down to whole numbers."""
    ties: Ties = "shuffled"
    wary: bool = True
    marked: Annotated[int, Range(1, 3)] = 3
    """From how many marked columns on the difficulty counts."""

    def habits(self, game: CantStop) -> Habits:
        """The strategy as arrays."""
        habits = weighted(
            game,
            progress=spread(game, "linear: progress", self.progress),
            move=self.squares(game),
            difficulty=difficulties(
                game,
                odds=self.odds,
                evens=self.evens,
                highs=self.highs,
                lows=self.highs,
                least=self.marked,
            ),
            marker=self.marker,
            threshold=self.threshold,
        )
        return read(habits, self.ties, wary=self.wary)

    def squares(self, game: CantStop) -> Floats:
        """What square j of column c is worth to a move."""
        slope = spread(game, "linear: slope", self.slope)[:, None]
        intercept = spread(game, "linear: intercept", self.intercept)[:, None]
        length = np.array(game.lengths)[:, None]
        j = np.arange(length.max() + 1)
        # m times the square first: then whole slopes give exact quotients where there is one
        climbed = slope * j / length if self.start else slope * (j - 1) / np.maximum(length - 1, 1)
        found: Floats = np.floor(climbed + intercept) if self.whole else climbed + intercept
        return found


def spread(game: CantStop, name: str, weights: Numbers) -> Floats:
    """The weights of all columns, from those of half the board, the outermost first."""
    if len(weights) < game.sides:
        raise StrategyError(
            f"{name} expected {game.sides} weights or more for {spec_of(game)}, "
            f"found {len(weights)}"
        )
    half = np.array(weights[len(weights) - game.sides :], float)
    return np.concatenate((half, half[-2::-1]))


def constant_rule(sides: int, n: float) -> Constant:
    """The Rule of N as constant weights."""
    progress = tuple(float(weight) for weight in range(sides, 0, -1))
    return Constant(
        progress, progress[::-1], evens=-2, odds=2, highs=4, lows=4, marker=sides, threshold=n
    )


def linear_rule(sides: int, n: float) -> Linear:
    """The Rule of N as linear weights, which do not change within a column."""
    rule = constant_rule(sides, n)
    return Linear(
        rule.progress, (0,) * sides, rule.move, evens=-2, odds=2, highs=4, marker=sides,
        threshold=n,
    )  # fmt: skip


Constant.NAMED = {
    "champion": Constant(
        progress=(7, 7, 3, 2, 2, 1), move=(7, 0, 2, 0, 4, 3), evens=1, odds=7, highs=6, lows=5,
        marker=6, threshold=29,
    ),
    "rule28": constant_rule(6, 28),
}  # fmt: skip
Linear.NAMED = {
    "champion": Linear(
        progress=(7, 6, 4, 3, 2, 1), slope=(64, 24, 28, 8, 18, 12), intercept=(7, 1, 2, 1, 3, 4),
        evens=0, odds=1, highs=-4, marker=4, threshold=24,
    ),
    "rule28": linear_rule(6, 28),
}  # fmt: skip
