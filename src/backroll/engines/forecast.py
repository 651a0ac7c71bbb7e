"""What solving a game without chance would take, before it is begun.

The states of a game that numbers them by arithmetic are known. The time is that of working out
the links of some of them, drawn at random, both ways: each state is gone back from once, and
looked at about once.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from backroll.engines.fitting import ASIDE, available, memory
from backroll.engines.lean import BITS, room
from backroll.engines.retrograde import WORD
from backroll.errors import BackrollError
from backroll.game import Game
from backroll.outcomes import packed_size
from backroll.spec import spec_of
from backroll.states import states_to_solve

SAMPLE = 50_000
"""States whose links are worked out."""


AGAIN = {"wins": 2.5}
"""How often states are looked at and gone back from: measured in Chinese Checkers, 7 × 7."""


class Forecast(NamedTuple):
    """What there is to solve, and what it would take."""

    spec: str
    positions: int
    moves: float
    """From a position, in the mean of the sample."""
    table: int
    """Bytes of the finished table at the most."""
    memory: int
    available: int | None
    seconds: float
    rate: float
    """Links a second, on one thread."""

    @property
    def fits(self) -> bool:
        """Whether there is memory enough."""
        return self.available is None or self.memory <= self.available


def forecast(game: Game[Any], threads: int, method: str = "layers") -> Forecast:
    """Count the states of a game without chance and measure how long their links take.

    `method` is `layers`, `outcomes` or `wins`, which need different memory.
    """
    states = states_to_solve(game)
    if states is None:
        raise BackrollError(
            f"{spec_of(game)}: expected a game that counts its states by arithmetic, "
            "found one that has to be explored"
        )
    random = np.random.default_rng(0)
    count = min(SAMPLE, states.size)
    drawn = np.sort(random.integers(0, states.size, count))
    states.successors(drawn[:1])
    states.predecessors(drawn[:1])  # compiles
    began = perf_counter()
    links = states.successors(drawn).state.size + states.predecessors(drawn).state.size
    took = perf_counter() - began
    if method in BITS:
        table = packed_size(states.size, BITS[method])
        needed = room(states.size, BITS[method]) + ASIDE
    else:
        table, needed = WORD * states.size, memory(states.size, states.size, WORD)
    return Forecast(
        spec=spec_of(game),
        positions=states.size,
        moves=links / (2 * count),
        table=table,
        memory=needed,
        available=available(),
        seconds=took * AGAIN.get(method, 1) * states.size / count / threads,
        rate=links / took,
    )
