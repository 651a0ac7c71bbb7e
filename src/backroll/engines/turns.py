"""The turns engine: levels of jobs on threads, from the end of the game to its start."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

import numpy as np

from backroll.arrays import Desk, Floats, Steps
from backroll.engines.duels import Duels
from backroll.engines.jobs import Counts, Job, Jobs, room
from backroll.engines.solos import Solos
from backroll.game import Game
from backroll.games.cantstop.rules import CantStop
from backroll.kernels.vectors import LANES
from backroll.programs.boards import MERGED, Merging
from backroll.solution import Progress, silent


def jobs_of(game: Game[Any], merging: Merging = MERGED) -> Jobs | None:
    """A game as the engine works through it, or None for one that it cannot solve."""
    if not isinstance(game, CantStop):
        return None
    return Duels(game, merging) if game.players == 2 else Solos(game, merging)


class Workers:
    """Threads, each with a desk of its own."""

    def __init__(self, jobs: Jobs, threads: int) -> None:
        self._desks: SimpleQueue[Desk] = SimpleQueue()
        needs = jobs.needs()
        for _ in range(threads):
            self._desks.put(room(needs, LANES))
        self._pool = ThreadPoolExecutor(threads)

    def level(
        self, jobs: list[Job], table: Floats, steps: Steps, done: Callable[[Job], None]
    ) -> Counts:
        """Do the jobs of a level, the largest first; in any order the numbers are the same."""
        total = Counts()

        def work(job: Job) -> tuple[Job, Any, float]:
            desk = self._desks.get()
            counts = np.zeros(4, np.int64)
            try:
                return job, counts, job.work(table, desk, steps, counts)
            finally:
                self._desks.put(desk)

        for job, counts, found in self._pool.map(work, sorted(jobs, key=lambda j: -j.cost)):
            total.add(counts, found)
            done(job)
        return total


def run(
    jobs: Jobs, table: Floats, steps: Steps, threads: int, progress: Progress = silent
) -> Counts:
    """Solve everything into a table."""
    workers = Workers(jobs, threads)
    jobs.fill(table)
    whole, so_far = jobs.cost(), 0
    total = Counts()

    def done(job: Job) -> None:
        nonlocal so_far
        so_far += job.cost
        progress("solve", so_far, whole)

    for level in jobs.levels():
        found = workers.level(jobs.jobs(level), table, steps, done)
        for name in ("components", "positions", "iterations", "rolls"):
            setattr(total, name, getattr(total, name) + getattr(found, name))
        total.residual = max(total.residual, found.residual)
        if found.apart:
            raise ValueError(level)
    return total
