"""Many games, and what they come to on average."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from backroll.arena.playing import luck_of, play, worth
from backroll.arrays import Habits, Longs
from backroll.errors import StrategyError
from backroll.game import Game
from backroll.games.cantstop.rules import CantStop
from backroll.kernels import arena
from backroll.programs.habits import board_of
from backroll.solution import Progress, silent
from backroll.spec import spec_of
from backroll.strategies import Strategy, text_of
from backroll.strategies.habits import Habitual

CHUNK = 5_000
"""Games a job: some hundredths of a second."""
TURNS = 2_000
"""Turns after which a game is given up."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What some games came to."""

    spec: str
    strategies: tuple[str, ...]
    games: int
    seed: int
    values: Mapping[float, int]
    """How often each value came out, player 1's: turns, 1 or 0, or whatever the game counts."""
    turns: Mapping[int, int]
    """How many games of Can't Stop took so many turns, both sides' together."""
    unfinished: int
    """Games that were given up after very many turns."""
    seconds: float

    @property
    def mean(self) -> float:
        """The mean value of the games that came to an end."""
        return _mean(self.values)

    @property
    def deviation(self) -> float:
        """The standard deviation of a game."""
        mean, count = self.mean, sum(self.values.values())
        squares = sum(n * (value - mean) ** 2 for value, n in self.values.items())
        return math.sqrt(squares / max(count - 1, 1))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / math.sqrt(max(sum(self.values.values()), 1))

    @property
    def rate(self) -> float:
        """Games a second."""
        return self.games / max(self.seconds, 1e-9)


def _mean(counts: Mapping[Any, int]) -> float:
    total: float = sum(n * value for value, n in counts.items())
    return total / max(sum(counts.values()), 1)


def simulate(
    game: Game[Any],
    strategies: Sequence[Strategy],
    games: int,
    *,
    seed: int = 0,
    threads: int = 2,
    progress: Progress = silent,
) -> Simulation:
    """Play games 0 to `games` - 1 of a seed; the result does not depend on the threads."""
    if len(strategies) != game.players:
        raise StrategyError(
            f"{spec_of(game)}: expected {game.players} strateg"
            f"{'y' if game.players == 1 else 'ies'}, found {len(strategies)}"
        )
    began = perf_counter()
    if type(game) is CantStop and all(isinstance(each, Habitual) for each in strategies):
        habits = [each.habits(game) for each in strategies]  # type: ignore[attr-defined]
        values, turns, unfinished = by_habits(game, habits, games, seed, threads, progress)
    else:
        values, turns = _one_by_one(game, strategies, games, seed, progress)
        unfinished = 0
    took = perf_counter() - began
    texts = tuple(map(text_of, strategies))
    return Simulation(spec_of(game), texts, games, seed, values, turns, unfinished, took)


def by_habits(
    game: CantStop,
    habits: Sequence[Habits],
    games: int,
    seed: int = 0,
    threads: int = 2,
    progress: Progress = silent,
) -> tuple[dict[float, int], dict[int, int], int]:
    """Values, turns and unfinished games of habits, on threads."""
    board = board_of(game)
    width = len(game.lengths)

    def job(begin: int) -> tuple[Longs, Longs]:
        end = min(begin + CHUNK, games)
        turns, won = np.zeros(TURNS + 1, np.int64), np.zeros(3, np.int64)
        if len(habits) == 1:
            nothing = np.zeros(width, np.int64)
            won[2] = arena.solitaire(board, habits[0], nothing, seed, begin, end, turns)
        else:
            start = np.zeros((3, width), np.int64)
            first, second = habits
            arena.duels(board, first, second, start, 0, False, seed, begin, end, won, turns)
            turns[0] = 0
        return turns, won

    turns, won = np.zeros(TURNS + 1, np.int64), np.zeros(3, np.int64)
    with ThreadPoolExecutor(threads) as pool:
        for i, (some, ended) in enumerate(pool.map(job, range(0, games, CHUNK)), 1):
            turns += some
            won += ended
            progress("play", min(i * CHUNK, games), games)
    taken = {int(n): int(turns[n]) for n in np.flatnonzero(turns)}
    if len(habits) == 1:
        return {float(n): count for n, count in taken.items()}, taken, int(won[2])
    return {1.0: int(won[0]), 0.0: int(won[1])}, taken, int(won[2])


def _one_by_one(
    game: Game[Any], strategies: Sequence[Strategy], games: int, seed: int, progress: Progress
) -> tuple[dict[float, int], dict[int, int]]:
    """Values and turns of games in plain Python."""
    values: Counter[float] = Counter()
    turns: Counter[int] = Counter()
    for number in range(games):
        players = [
            each.player(game, Random(f"{seed}/{number}/{i}")) for i, each in enumerate(strategies)
        ]
        steps = list(play(game, players, luck_of(game, seed, number)))
        values[worth(game, steps)] += 1
        if type(game) is CantStop:
            turns[sum(game.anchor(step.position) for step in steps)] += 1
        progress("play", number + 1, games)
    return dict(values), dict(turns)
