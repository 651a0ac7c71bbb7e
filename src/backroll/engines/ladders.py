"""Two-player Pig as levels of jobs: a turn climbs a ladder of points, and rests on longer scores.

The table has the mover's score by the other side's, as the game has its rows. A level is the
pairs of scores with the same sum.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from backroll.arrays import Desk, Floats, Leaves, Lists, Longs, Square, Steps
from backroll.engines.jobs import Job, Needs
from backroll.games.pig import Pig
from backroll.kernels.tiles import solve_ladders


class Ladders:
    """Pig, solved a pair of scores at a time."""

    def __init__(self, game: Pig) -> None:
        self.target = game.target
        self.size = game.target**2
        self.gains = np.array([*game.gains.values()], np.int64)
        self.lists = _lists(len(self.gains), game.lost)
        self.square = _square(game.target)

    def needs(self) -> Needs:
        """The room that a thread needs: two turns from nothing."""
        states = self.target + 1
        return Needs(
            programs=2,
            states=2 * states,
            shifts=2 * states * len(self.gains),
            slabs=0,
            folds=1,
            columns=0,
            longest=states,
            flags=2 * states,
        )

    def fill(self, table: Floats) -> None:
        """Nothing is known from the start."""
        table[:] = np.nan

    def values(self, table: Floats) -> Floats:
        """What the anchors are worth, in the order of the game's rows."""
        return table.reshape(self.target, self.target).T.ravel()

    def levels(self) -> list[int]:
        """The sums of the scores, the largest first."""
        return list(range(2 * self.target - 2, -1, -1))

    def jobs(self, level: int) -> list[Job]:
        """One job: a level of Pig is too short to be shared."""
        return [Job(self._cost(level), partial(self._work, self._pairs(level)))]

    def _pairs(self, level: int) -> Longs:
        """The scores of the level, the smaller one first."""
        low = np.arange(max(0, level - self.target + 1), level // 2 + 1)
        return np.stack([low, level - low], axis=1)

    def _cost(self, level: int) -> int:
        return int((2 * self.target - self._pairs(level).sum(1)).sum())

    def _work(
        self, pairs: Longs, table: Floats, desk: Desk, steps: Steps, counts: Longs, found: Floats
    ) -> None:
        solve_ladders(self.gains, self.lists, table, self.square, pairs, desk, steps, counts, found)


def _lists(gains: int, lost: int) -> Lists:
    """The one roll there is: each gain as likely as the others, and what loses the turn."""
    rolls = gains + lost
    return Lists(
        first=np.array([0, gains, gains, gains, gains], np.int32),
        weight=np.full(gains, 1 / rolls),
        option=np.zeros(1, np.int32),
        step=np.arange(gains, dtype=np.int32),
        lost=np.array([lost / rolls]),
    )


def _square(target: int) -> Square:
    """Scores as placements on one column, none of which closes."""
    scores = np.arange(target, dtype=np.int32)
    nothing = np.zeros((1, 1), np.int64)
    return Square(
        start=0,
        leaves=Leaves(nothing[0], nothing, nothing[0], nothing[0], np.zeros(0, np.int32)),
        heights=scores[:, None].astype(np.int64),
        place=scores[None],
        above=np.where(scores + 1 < target, scores + 1, -1)[:, None].astype(np.int32),
        image=scores,
    )
