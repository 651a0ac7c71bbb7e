"""How good strategies are, in the turns that they take alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol

import numpy as np

from backroll.errors import EvolutionError
from backroll.games.cantstop.rules import CantStop
from backroll.judging import evaluate
from backroll.kernels import arena
from backroll.played import Habits
from backroll.programs.habits import board_of
from backroll.strategies.habits import Habitual

MOST = 200
"""A game that is not over by then counts as this many turns."""
CHUNK = 20_000
"""Games a job, at the most."""


class Fitness(Protocol):
    """Turns that strategies take in some games, added up."""

    def __call__(
        self, strategies: Sequence[Habitual], games: int, dice: int, *, common: bool
    ) -> list[float]:
        """The turns of each. In `common` games all meet the same dice."""
        ...


class Simulated:
    """By games played."""

    def __init__(self, game: CantStop, pool: ThreadPoolExecutor) -> None:
        self._game, self._pool = game, pool
        self._board = board_of(game)

    def __call__(
        self, strategies: Sequence[Habitual], games: int, dice: int, *, common: bool
    ) -> list[float]:
        """The turns of each; they do not depend on the threads."""
        begins = range(0, games, CHUNK)

        def job(place: int) -> float:
            i, part = divmod(place, len(begins))
            begin, offset = begins[part], 0 if common else i * games
            habits = strategies[i].habits(self._game)
            end = min(begin + CHUNK, games)
            return self._played(habits, dice, offset + begin, offset + end)

        found = list(self._pool.map(job, range(len(strategies) * len(begins))))
        return [sum(found[i : i + len(begins)]) for i in range(0, len(found), max(len(begins), 1))]

    def _played(self, habits: Habits, dice: int, begin: int, end: int) -> float:
        turns = np.zeros(MOST + 1, np.int64)
        nothing = np.zeros(len(self._game.lengths), np.int64)
        given_up = arena.solitaire(self._board, habits, nothing, dice, begin, end, turns)
        return float(turns @ np.arange(MOST + 1) + MOST * given_up)


class Exact:
    """By exact judgement, for boards that are small enough; then games are all the same."""

    def __init__(self, game: CantStop, threads: int) -> None:
        self._game, self._threads = game, threads

    def __call__(
        self, strategies: Sequence[Habitual], games: int, dice: int, *, common: bool
    ) -> list[float]:
        """The turns that are expected of each."""
        return [games * min(self._expected(each), MOST) for each in strategies]

    def _expected(self, strategy: Habitual) -> float:
        found = evaluate(
            self._game, [strategy], engine="habits", distribution=False, threads=self._threads
        )
        return found.value


@contextmanager
def fitness_of(game: CantStop, kind: str, threads: int) -> Iterator[Fitness]:
    """How strategies are judged, while they are."""
    if kind not in ("simulated", "exact"):
        raise EvolutionError(f"evolve: expected fitness simulated or exact, found {kind!r}")
    if kind == "exact":
        yield Exact(game, threads)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield Simulated(game, pool)
