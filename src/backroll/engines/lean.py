"""Outcomes in two bits a state, or wins in one, on threads, from the ends of the game back.

Each pass looks at what is marked, in blocks; what turns out to be lost is gone back from at once,
and so is what is won by that (`kernels/lean.py`). No state is ever new or old, so that nothing but
the facts is kept; links are worked out when they are needed. When nothing is marked any more, what
is open is drawn.

Which states are looked at depends on what others have found by then, and with threads on luck; the
facts do not. A run that was interrupted leaves facts that hold and marks that may not, so that
whoever takes it up looks at all that is not won.

With one bit only wins are kept. What is not won is lost if all its moves lead to what is won for
the other side, or if it is a lost end, and otherwise drawn: one look tells, where every move hands
over or wins. What leads to a loss and keeps the turn would take any number of looks, and is
refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np

from backroll.arrays import DRAWN, LOST, WON, Bytes, Longs
from backroll.engines.checkpoint import Checkpoint
from backroll.engines.layers import LISTED, Effort, Passes
from backroll.errors import GameError
from backroll.kernels.lean import KEPT, collect, fact, go_back, look, put_all, reopen
from backroll.outcomes import Packed, packed_size
from backroll.solution import Progress, silent
from backroll.states import States

BITS = {"outcomes": 2, "wins": 1}
"""By method."""
TOGETHER = 64
"""States that share a byte of marks, where there is one bit a state."""


def room(size: int, bits: int) -> int:
    """Bytes that are worked on: facts and marks."""
    return packed_size(size, bits) + (-(-size // TOGETHER) if bits == 1 else 0)


class Lean(Passes):
    """A game on its way back from its ends, in a bit or two a state."""

    def __init__(
        self,
        states: States,
        bits: int,
        threads: int,
        progress: Progress = silent,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        super().__init__(states, threads, progress, checkpoint)
        facts = packed_size(states.size, bits)
        self.bits = bits
        self.facts: Bytes = np.zeros(facts, np.uint8) if checkpoint is None else checkpoint.table
        self._marks = np.zeros(room(states.size, bits) - facts, np.uint8)
        self._writing = Lock()

    def found(self) -> Packed:
        """What is known of all states."""
        return Packed(self.facts, self.bits, self.states.size)

    def outcome(self, state: int) -> int:
        """The outcome of a state once all is solved: of one that is not won, by a look at it."""
        known = fact(self.facts, self.bits, state) or int(self.states.ends(state, state + 1)[0])
        if known:
            return known
        return LOST if self._lost(np.array([state]), Effort()).size else DRAWN

    def _begin(self, pool: ThreadPoolExecutor, *, again: bool) -> None:
        """Settle the ends; `again` after a run that was interrupted."""
        if not again:
            self.facts[:] = 0
        elif self.bits == 1:
            self._marks[:] = 255
        else:
            reopen(self.facts, self.bits, 0, self.states.size)
        self._each(pool, self._from_ends)

    def _next(self, pool: ThreadPoolExecutor) -> bool:
        """Look at all that is marked; gives whether there was any."""
        before = self.effort.forward
        self._each(pool, self._look)
        self.effort.passes += 1
        return self.effort.forward > before

    def _from_ends(self, begin: int, end: int) -> Effort:
        ends, effort = self.states.ends(begin, end), Effort()
        for outcome in (WON, LOST):
            self._settle(begin + np.flatnonzero(ends == outcome), outcome, effort)
        return effort

    def _look(self, begin: int, end: int) -> Effort:
        effort = Effort()
        for states in self._marked(begin, end):
            self._settle(self._lost(states, effort), LOST, effort)
        return effort

    def _marked(self, begin: int, end: int) -> Iterator[Longs]:
        """The marked states of a block, some at a time."""
        states = np.empty(LISTED, np.int64)
        while begin < end:
            with self._writing:
                count, begin = collect(self.facts, self._marks, self.bits, begin, end, states)
            if count:
                yield states[:count]

    def _lost(self, states: Longs, effort: Effort) -> Longs:
        """Those of some states that are lost by their moves."""
        links, lost = self.states.successors(states), np.empty(states.size, np.int64)
        effort.forward += states.size
        effort.done += links.state.size
        return lost[: look(self.facts, self.bits, self.states.turns, states, links, lost)]

    def _settle(self, states: Longs, outcome: int, effort: Effort) -> None:
        """Keep an outcome of some states, and all that follows from it but for marks."""
        if outcome == WON or self.bits > 1:
            with self._writing:
                put_all(self.facts, self.bits, states, outcome)
        waiting = [states]
        while waiting:
            news = waiting.pop()
            waiting.extend(
                self._go_back(news[begin : begin + LISTED], effort)
                for begin in range(0, news.size, LISTED)
            )

    def _go_back(self, states: Longs, effort: Effort) -> Longs:
        """Go back from settled states; gives who has won by that."""
        links, turns = self.states.predecessors(states), self.states.turns
        effort.backward += states.size
        effort.undone += links.state.size
        won = np.empty(links.state.size, np.int64)
        with self._writing:
            count = go_back(self.facts, self._marks, self.bits, turns, states, links, won)
        if count == KEPT:
            raise GameError(
                "expected moves that hand over or win, for one bit a state; found one that loses "
                "and keeps the turn, for which the method outcomes has two"
            )
        return won[:count].copy()
