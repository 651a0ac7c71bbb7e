"""Deterministic games by layers of equal distance, on threads, from the ends of the game back.

Each layer is made by going through the states in blocks: those of the last layer are gone back
from, and what they mark is looked at. Blocks are done on any thread in any order, and the words
are the same to the bit (`kernels/layers.py`). When no state is left that a layer changes, what is
open is drawn: both sides can go on for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from backroll.arrays import DRAWN, LOST, WON, Longs, Words
from backroll.engines.checkpoint import Checkpoint
from backroll.errors import BackrollError
from backroll.kernels.layers import (
    FARTHEST,
    MARKED,
    collect,
    look,
    mark,
    put_ends,
)
from backroll.solution import Progress, silent
from backroll.states import States

BLOCK = 1 << 18
"""States that a thread goes through at a time."""
LISTED = 1 << 15
"""States whose links a thread works out at a time."""


@dataclass(slots=True)
class Effort:
    """What was done: expansions either way, moves made and taken back, and layers or passes."""

    forward: int = 0
    backward: int = 0
    done: int = 0
    undone: int = 0
    passes: int = 0

    def add(self, more: Effort) -> None:
        """Count what was done elsewhere."""
        self.forward += more.forward
        self.backward += more.backward
        self.done += more.done
        self.undone += more.undone
        self.passes += more.passes


Block = Callable[[int, int], Effort]


class Passes:
    """Passes over all states in blocks, on threads, until one changes nothing."""

    def __init__(
        self,
        states: States,
        threads: int,
        progress: Progress = silent,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self.states, self.progress, self.checkpoint = states, progress, checkpoint
        self.layer = 0
        """Passes that are done."""
        self.effort, self.seconds = Effort(), 0.0
        if checkpoint is not None:
            self.effort, self.seconds = checkpoint.counts, checkpoint.seconds
        self._threads = threads

    def solve(self) -> None:
        """Make passes until one is empty, from where an earlier run was interrupted."""
        began = perf_counter() - self.seconds
        kept = None if self.checkpoint is None else self.checkpoint.level
        self.layer = kept or 0
        pool = ThreadPoolExecutor(self._threads)
        try:
            self._begin(pool, again=kept is not None)
            while self._next(pool):
                self.layer += 1
                self.seconds = perf_counter() - began
                self.progress("solve", self.effort.backward, self.states.size)
                if self.checkpoint is not None:
                    self.checkpoint.done(self.layer, replace(self.effort), self.seconds)
        finally:
            pool.shutdown(cancel_futures=True)
            if self.checkpoint is not None:
                self.checkpoint.keep()
        self.seconds = perf_counter() - began

    def _begin(self, pool: ThreadPoolExecutor, *, again: bool) -> None:
        """Settle the ends, or go on with what an earlier run has kept."""
        raise NotImplementedError

    def _next(self, pool: ThreadPoolExecutor) -> bool:
        """Make a pass; gives whether another is needed."""
        raise NotImplementedError

    def _each(self, pool: ThreadPoolExecutor, work: Block) -> int:
        """Do all blocks; gives how many states were gone back from."""
        size, before = self.states.size, self.effort.backward
        begins = range(0, size, BLOCK)
        for done in pool.map(lambda begin: work(begin, min(begin + BLOCK, size)), begins):
            self.effort.add(done)
        return self.effort.backward - before


class Layers(Passes):
    """A game on its way back from its ends, a layer a pass."""

    def __init__(
        self,
        states: States,
        threads: int,
        progress: Progress = silent,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        super().__init__(states, threads, progress, checkpoint)
        self.words: Words = (
            np.zeros(states.size, np.uint16) if checkpoint is None else checkpoint.table
        )

    def _begin(self, pool: ThreadPoolExecutor, *, again: bool) -> None:
        self._each(pool, self._forget if again else self._put_ends)

    def _next(self, pool: ThreadPoolExecutor) -> bool:
        """Make the next layer; gives whether there was one to make it from."""
        refuse_farther(self.layer - 1)
        from_here = self._each(pool, partial(self._go_back, wins=True))
        from_here += self._each(pool, partial(self._go_back, wins=False))
        self._each(pool, self._look)
        self.effort.passes += 1
        return from_here > 0

    def _put_ends(self, begin: int, end: int) -> Effort:
        put_ends(self.words, begin, self.states.ends(begin, end))
        return Effort()

    def _forget(self, begin: int, end: int) -> Effort:
        """Open again what an earlier run had settled beyond the layer that it kept."""
        words = self.words[begin:end]
        words[words > 4 * self.layer + DRAWN] = 0
        return Effort()

    def _go_back(self, begin: int, end: int, *, wins: bool) -> Effort:
        turns, effort = self.states.turns, Effort()
        lowest, highest = 4 * self.layer + WON, 4 * self.layer + LOST
        if not turns.size:  # who moves into what is lost wins, and into what is won may lose
            lowest = highest = highest if wins else lowest
        for states in self._listed(begin, end, lowest, highest):
            links = self.states.predecessors(states)
            mark(self.words, turns, states, links, self.layer, wins)
            if wins or not turns.size:
                effort.backward += states.size
            effort.undone += links.state.size
        return effort

    def _look(self, begin: int, end: int) -> Effort:
        effort = Effort()
        for states in self._listed(begin, end, MARKED, MARKED):
            links = self.states.successors(states)
            look(self.words, self.states.turns, states, links, self.layer)
            effort.forward += states.size
            effort.done += links.state.size
        return effort

    def _listed(self, begin: int, end: int, lowest: int, highest: int) -> Iterator[Longs]:
        """The states of a block whose words are in a range, some at a time."""
        states = np.empty(LISTED, np.int64)
        while begin < end:
            count, begin = collect(self.words, begin, end, lowest, highest, states)
            if count:
                yield states[:count]


def refuse_farther(distance: int) -> None:
    """Refuse to go on from states so far from their end that words have no room for more."""
    if distance >= FARTHEST:
        raise BackrollError(
            f"expected distances of less than {FARTHEST:,}, found one as large as that; "
            "the method outcomes finds who wins without any"
        )


class Counted(NamedTuple):
    """How many states there are of each outcome, and how far the farthest is from its end."""

    won: int
    lost: int
    drawn: int
    height: int


def counted(words: Words) -> Counted:
    """Count outcomes; what is open is drawn."""
    found = np.zeros(4, np.int64)
    height = 0
    for begin in range(0, words.size, BLOCK):
        block = words[begin : begin + BLOCK]
        found += np.bincount(block & 3, minlength=4)
        height = max(height, int(block.max(initial=0)) >> 2)
    return Counted(int(found[WON]), int(found[LOST]), int(found[0] + found[DRAWN]), height)
