"""The Rule of 28 and its like on every board (Keller 1986; Glenn and Aloï 2009).

Each marked column has a progress value, its weight times one more than the squares climbed in this
turn; the player stops once these, and a difficulty for what the three columns have in common, add
up to N. A move is worth the weights of the squares it climbs, less a penalty for every new marker
and, once three are down, less the difficulty, if the player is wary.

Many moves are worth the same. Three readings of which is then taken: the `first` in the order of
the rules, whose dice are sorted, so that the totals furthest apart come first; the `last`, whose
totals are closest; or `shuffled`, what comes of pairing dice in the order in which they fell, as a
person or a program would. So that a decision depends on the position alone, a hash of it stands
for that order. On the official board the three take 10.55, 10.78 and 10.74 turns, published are
10.74; players that are not wary, as the formula for moves is printed, 10.67, 10.86 and 10.85.

On other boards the paper says no more than N. Its turns are met where high and low are told by
column 7, as they are in print, and not by the column in the middle: then three columns are always
low where no total is above 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations
from typing import Annotated, Literal, TypeAlias

import numpy as np

from backroll.arrays import Floats
from backroll.games.cantstop.notation import NEUTRALS
from backroll.games.cantstop.rules import CantStop
from backroll.parameters import Range
from backroll.played import Habits
from backroll.programs.habits import blank, by_set, read
from backroll.strategies.habits import Habitual

Ties: TypeAlias = Literal["first", "last", "shuffled"]
PUBLISHED = {
    (2, 1): 19, (2, 2): 29, (2, 3): 26, (3, 1): 26, (3, 2): 25, (3, 3): 30, (4, 1): 30,
    (4, 2): 35, (4, 3): 40, (5, 1): 26, (5, 2): 28, (5, 3): 27, (6, 1): 27, (6, 2): 28, (6, 3): 28,
}  # fmt: skip
"""N by sides and shortest column: Glenn and Aloï, Table 3."""


@dataclass(frozen=True, slots=True)
class RuleOf(Habitual):
    """The Rule of 28, or of another N; 0 is the N that was published for the board."""

    n: Annotated[int, Range(0, 1000)] = 0
    ties: Ties = "shuffled"
    wary: bool = True
    seven: bool = True
    """High and low are told by column 7 on every board, not by the one in the middle."""

    def habits(self, game: CantStop) -> Habits:
        """The strategy as arrays."""
        middle = game.sides - 1
        away = np.array([abs(c - middle) for c in range(len(game.lengths))])
        n = self.n or PUBLISHED.get((game.sides, game.shortest), 28)
        habits = weighted(
            game,
            progress=away + 1.0,
            move=game.sides - 1.0 * away,
            difficulty=difficulties(
                game, odds=2, evens=-2, highs=4, lows=4, middle=7 if self.seven else None
            ),
            marker=game.sides,
            threshold=n,
        )
        return read(habits, self.ties, wary=self.wary)


def weighted(
    game: CantStop,
    *,
    progress: Floats,
    move: Floats,
    difficulty: Floats,
    marker: float,
    threshold: float,
) -> Habits:
    """Habits from weights: progress by column, moves by column or by column and square.

    move[c, j] is what square j of column c is worth, from 1 to its length.
    """
    habits = blank(game)
    squares = habits.progress.shape[1]
    heights = np.arange(squares)
    if move.ndim == 1:
        move = np.repeat(move[:, None], squares, 1)
    climbed = np.maximum(heights[None, :] - heights[:, None], 0)
    habits.progress[:] = progress[:, None, None] * (climbed + 1)
    for m in range(squares - 1):
        habits.climb[:, :, m, 0] = move[:, m + 1, None]
        if m + 2 < squares:
            habits.climb[:, :, m, 1] = (move[:, m + 1] + move[:, m + 2])[:, None]
    return habits._replace(
        marker=float(marker), hazard=difficulty, limit=float(threshold) - difficulty
    )


def difficulties(
    game: CantStop,
    *,
    odds: float,
    evens: float,
    highs: float,
    lows: float,
    middle: int | None = None,
    least: int = NEUTRALS,
) -> Floats:
    """What three marked columns, or fewer, add to progress for what they have in common.

    High and low are told by the column in the middle, or by the one that is said.
    """
    limit = game.sides + 1 if middle is None else middle
    found = {}
    sizes = range(least, NEUTRALS + 1)
    for columns in chain(*(combinations(range(len(game.lengths)), size) for size in sizes)):
        totals = [c + 2 for c in columns]
        found[columns] = (
            odds * all(t % 2 for t in totals)
            + evens * all(t % 2 == 0 for t in totals)
            + highs * all(t >= limit for t in totals)
            + lows * all(t <= limit for t in totals)
        )
    return by_set(game, found)
