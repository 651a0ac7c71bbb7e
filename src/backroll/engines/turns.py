"""The turns engine: levels of jobs on threads, from the end of the game to its start.

Components whose anchors are on one level do not rest on one another, so that their jobs can be
done in any order and on any thread, and the numbers are the same to the bit. Only anchors are
kept; the inside of a turn is a program that is run when it is needed.

The bound: let every value above a level be within E of the truth, and let the values of the
level map into themselves within r when those above are taken as they stand (`kernels/duels.py`).
A turn moves by no more than what it rests on, so the values of the level are within E + r.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter
from typing import Any

import numpy as np

from backroll.arrays import COUNTS, FIRST, KEPT, NEIGHBOURS, Desk, Floats, Steps
from backroll.engines.checkpoint import Checkpoint, reserved
from backroll.engines.duels import Duels
from backroll.engines.fitting import refuse_too_large
from backroll.engines.jobs import Counts, Job, Jobs, room
from backroll.engines.ladders import Ladders
from backroll.engines.solos import Solos
from backroll.errors import BackrollError, NoSolution, NotConverged
from backroll.game import Game
from backroll.games.cantstop.rules import CantStop
from backroll.games.pig import Pig
from backroll.kernels.vectors import LANES
from backroll.programs.boards import MERGED, Merging
from backroll.solution import Progress, Report, Rows, Solution, silent
from backroll.spec import spec_of

TOLERANCE = 1e-13
LIMIT = 40
"""Newton steps a component."""
SWEEPS = 100_000
"""Sweeps of value iteration."""
METHODS = {
    "auto": "newton",
    "newton": "newton",
    "topological": "topological iteration",
    "iteration": "iteration",
}
"""The methods of the engine, and what they are called in a report."""
STARTS = {"neighbours": NEIGHBOURS, "half": FIRST}


def suits(game: Game[Any]) -> bool:
    """Whether the engine can solve a game."""
    return type(game) is CantStop or (type(game) is Pig and game.players == 2)


def jobs_of(game: Game[Any], merging: Merging = MERGED) -> Jobs:
    """A game as the engine works through it."""
    if not suits(game):
        raise BackrollError(
            f"{spec_of(game)}: expected a game that the turns engine knows, "
            "cantstop or pig for two players"
        )
    if isinstance(game, Pig):
        return Ladders(game)
    assert isinstance(game, CantStop)
    return Duels(game, merging) if game.players == 2 else Solos(game, merging)


def steps_of(game: Game[Any], method: str, start: str) -> Steps:
    """How the components of a game are solved."""
    newton = METHODS[method] == "newton"
    first = 0.5 if game.players == 2 else 1.0
    return Steps(STARTS[start], first, newton, TOLERANCE, LIMIT if newton else SWEEPS)


class Workers:
    """Threads, each with a desk of its own."""

    def __init__(self, jobs: Jobs, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads)
        self._desks: SimpleQueue[Desk] = SimpleQueue()
        needs = jobs.needs()
        for _ in range(threads):
            self._desks.put(room(needs, LANES))

    def level(
        self, jobs: list[Job], table: Floats, steps: Steps, done: Callable[[Job], None]
    ) -> Counts:
        """Do the jobs of a level, the largest first."""
        total = Counts()

        def work(job: Job) -> tuple[Job, Any, Floats]:
            desk = self._desks.get()
            counts, found = np.zeros(COUNTS, np.int64), np.zeros(3)
            try:
                job.work(table, desk, steps, counts, found)
            finally:
                self._desks.put(desk)
            return job, counts, found

        largest_first = sorted(jobs, key=lambda job: -job.cost)
        for job, counts, found in self._pool.map(work, largest_first):
            total.add(counts, found)
            done(job)
        return total

    def close(self) -> None:
        """Let what has begun come to its end, and nothing else begin."""
        self._pool.shutdown(cancel_futures=True)


class Run:
    """One way through all levels, kept up to the last whole one when it is interrupted."""

    def __init__(
        self,
        jobs: Jobs,
        threads: int,
        progress: Progress,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self.jobs, self.threads, self.progress = jobs, threads, progress
        self.checkpoint = checkpoint
        self.table = np.empty(jobs.size) if checkpoint is None else checkpoint.table
        self.counts = Counts() if checkpoint is None else checkpoint.counts
        self.seconds = 0.0 if checkpoint is None else checkpoint.seconds
        self._began = perf_counter()
        self._levels = [(level, jobs.jobs(level)) for level in jobs.levels()]
        self._whole = sum(job.cost for _, level in self._levels for job in level)
        self._so_far = 0

    @property
    def took(self) -> float:
        """Seconds, those of earlier runs included."""
        return self.seconds + perf_counter() - self._began

    def solve(self, steps: Steps) -> None:
        """Solve level by level, from where an earlier run was interrupted."""
        kept = None if self.checkpoint is None else self.checkpoint.level
        if kept is None and steps.start != KEPT:
            self.jobs.fill(self.table)
        workers = Workers(self.jobs, self.threads)
        self._so_far = 0
        try:
            for level, jobs in self._levels:
                if kept is not None and level >= kept:
                    self._so_far += sum(job.cost for job in jobs)
                else:
                    self._level(workers, level, jobs, steps)
        finally:
            workers.close()
            if self.checkpoint is not None:
                self.checkpoint.keep()

    def _level(self, workers: Workers, level: int, jobs: list[Job], steps: Steps) -> None:
        found = workers.level(jobs, self.table, steps, self._done)
        if found.apart != 0:
            raise NotConverged(
                f"level {level}: expected every component to settle in {steps.limit:,} steps; "
                f"the last step of one still went {found.apart:.1e}"
            )
        self.counts = self.counts.plus(found)
        if self.checkpoint is not None:
            self.checkpoint.done(level, self.counts, self.took)

    def iterate(self, steps: Steps) -> int:
        """Algorithm 2: sweep everything until nothing moves; gives the number of sweeps.

        A last sweep, component by component, proves what was found.
        """
        self.jobs.fill(self.table)
        workers = Workers(self.jobs, self.threads)
        rolls = 0
        try:
            for sweep in range(1, SWEEPS + 1):
                found, self._so_far = Counts(), 0
                start = FIRST if sweep == 1 else KEPT
                for _, jobs in self._levels:
                    once = steps._replace(start=start, limit=1)
                    found = found.plus(workers.level(jobs, self.table, once, self._done))
                rolls += found.rolls
                if found.apart <= steps.tolerance:
                    self.solve(steps._replace(start=KEPT))
                    self.counts.rolls += rolls
                    return sweep
        finally:
            workers.close()
        raise NotConverged(f"{SWEEPS:,} sweeps: the last still moved a value by {found.apart:.1e}")

    def release(self) -> None:
        """Give back the memory of the engine's table, once nothing is asked of it any more."""
        self.table = np.empty(0)
        if self.checkpoint is not None:
            self.checkpoint.release()

    def _done(self, job: Job) -> None:
        self._so_far += job.cost
        self.progress("solve", self._so_far, self._whole)


def solve(
    game: Game[Any],
    method: str = "auto",
    *,
    start: str = "neighbours",
    merging: Merging = MERGED,
    threads: int = 2,
    bounds: bool = False,
    progress: Progress = silent,
    out: str | Path | None = None,
) -> Solution[Any]:
    """Solve a game turn by turn; with `out`, so that it can be interrupted and taken up again.

    `method` is one of `METHODS`: Newton, or value iteration by component or on everything.
    `start` is `neighbours` or `half`: the first estimate of a component.
    """
    if method not in METHODS:
        raise BackrollError(
            f"expected a method of the turns engine, {', '.join(METHODS)}; found {method!r}"
        )
    if start not in STARTS:
        raise BackrollError(f"expected a start among {', '.join(STARTS)}; found {start!r}")
    if threads < 1:
        raise BackrollError(f"expected 1 thread or more, found {threads}")
    jobs = jobs_of(game, merging)
    refuse_deadlock(game)
    there = 0 if out is None else reserved(out)
    refuse_too_large(spec_of(game), jobs.size, game.anchor_count(), out, there)
    checkpoint = None
    if out is not None and method != "iteration":
        about = {"spec": spec_of(game), "method": METHODS[method], "start": start}
        checkpoint = Checkpoint(out, {**about, **asdict(merging)}, jobs.size, Counts())
    steps = steps_of(game, method, start)
    with checkpoint or nullcontext():
        run = Run(jobs, threads, progress, checkpoint)
        iterations = None
        if method == "iteration":
            iterations = run.iterate(steps)
        else:
            run.solve(steps)
        return _solution(game, method, run, iterations, bounds)


def refuse_deadlock(game: Game[Any]) -> None:
    """Nobody need ever win if the players can close all columns with one short each."""
    if not isinstance(game, CantStop):
        return
    short = game.columns - 1
    if game.players * short >= len(game.lengths):
        both = "both players can win" if game.players == 2 else "the player can win"
        raise NoSolution(
            f"{spec_of(game)} has no unique value: of its {len(game.lengths)} columns {both} "
            f"{short}{' each' if game.players == 2 else ''}, and then nobody ever wins"
        )


def _solution(
    game: Game[Any], method: str, run: Run, iterations: int | None, bounds: bool
) -> Solution[Any]:
    took, began = run.took, perf_counter()
    values = run.jobs.values(run.table)
    run.release()
    rows = Rows(game)
    counts = run.counts
    value = float(values[game.anchor_row(game.start())])
    report = Report(
        spec=spec_of(game),
        quantity=game.quantity,
        method=method,
        value=value,
        bound=counts.radius,
        residual=counts.residual,
        positions=counts.positions,
        edges=0,
        anchors=len(rows),
        components=counts.components,
        cyclic=counts.components,
        iterations=counts.iterations if iterations is None else iterations,
        methods={f"{METHODS[method]} on lanes": counts.components},
        seconds={"solve": took, "list": perf_counter() - began},
        engine="turns",
        rolls=counts.rolls,
    )
    lower, upper = (values - counts.radius, values + counts.radius) if bounds else (None, None)
    return Solution(game, report, rows, values, lower, upper, run.checkpoint)
