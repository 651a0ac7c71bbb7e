"""Many games, and what they come to.

Game g of a seed has the same dice for every strategy, as far as the strategies make the same
decisions; so two simulations of a seed are best compared batch by batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from backroll.arena import intervals
from backroll.arena.intervals import Interval
from backroll.arena.playing import luck_of, play, worth
from backroll.arrays import Longs
from backroll.errors import StrategyError
from backroll.game import WIN, Game, Terminal
from backroll.games.cantstop.rules import CantStop
from backroll.kernels import arena
from backroll.played import Habits
from backroll.programs.habits import board_of
from backroll.solution import Progress, silent
from backroll.spec import spec_of
from backroll.strategies import Player, Strategy, Watching, text_of
from backroll.strategies.habits import Habitual
from backroll.strategies.names import refuse_entered

CHUNK = 5_000
"""Games a job at most: some hundredths of a second."""
BATCHES = 64
"""Batches that there should be, for a fair idea of how much their means differ."""
TURNS = 2_000
"""Turns after which kernels give a game up."""
STEPS = 100_000
"""Positions after which a game in plain Python is given up."""
SEEDS = 2**62
"""The largest seed."""
QUICK, PLAIN = 100_000, 1_000
"""How many games are played if nobody says: by kernels, and in plain Python."""


class Batch(NamedTuple):
    """Consecutive games that came to an end: how many, and their mean value."""

    games: int
    mean: float


@dataclass(frozen=True, slots=True)
class Simulation:
    """What some games came to."""

    spec: str
    quantity: str
    strategies: tuple[str, ...]
    games: int
    seed: int
    values: Mapping[float, int]
    """How often each value came out, player 1's: turns, 1 or 0, or whatever the game counts."""
    turns: Mapping[int, int]
    """How many games took so many turns, both sides' together."""
    unfinished: int
    """Games that were given up after very many turns."""
    seconds: float
    batches: tuple[Batch, ...] = ()

    @property
    def mean(self) -> float:
        """The mean value of the games that came to an end."""
        return intervals.mean(self.values)

    @property
    def deviation(self) -> float:
        """The standard deviation of a game."""
        return intervals.deviation(self.values)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return float(self.deviation / max(self.ended, 1) ** 0.5)

    @property
    def interval(self) -> Interval:
        """Where the mean lies, at 95 %: Wilson's interval for wins, the normal one otherwise."""
        if self.quantity == WIN and not set(self.values) - {0.0, 1.0}:
            return intervals.wilson(self.mean, self.ended)
        return intervals.normal(self.mean, self.error)

    @property
    def ended(self) -> int:
        """Games that came to an end."""
        return sum(self.values.values())

    @property
    def rate(self) -> float:
        """Games a second."""
        return self.games / max(self.seconds, 1e-9)

    def as_dict(self) -> dict[str, Any]:
        """The simulation as plain data."""
        return {
            "spec": self.spec,
            "quantity": self.quantity,
            "strategies": list(self.strategies),
            "games": self.games,
            "seed": self.seed,
            "mean": self.mean,
            "error": self.error,
            "interval": list(self.interval),
            "deviation": self.deviation,
            "values": dict(sorted(self.values.items())),
            "turns": dict(sorted(self.turns.items())),
            "unfinished": self.unfinished,
            "seconds": self.seconds,
        }


class Stopped(KeyboardInterrupt):
    """Somebody stopped a simulation; `simulation` has the games that were played until then."""

    def __init__(self, simulation: Simulation) -> None:
        super().__init__("interrupted")
        self.simulation = simulation


@dataclass(slots=True)
class Tally:
    """What has been counted so far, game after game, and when that began."""

    began: float = field(default_factory=perf_counter)
    values: Counter[float] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    unfinished: int = 0
    batches: list[Batch] = field(default_factory=list)

    @property
    def games(self) -> int:
        """Games counted, whether they came to an end or not."""
        return sum(self.values.values()) + self.unfinished

    def add(self, values: Mapping[float, int], turns: Mapping[int, int], unfinished: int) -> None:
        """Count another batch."""
        self.values.update(values)
        self.turns.update(turns)
        self.unfinished += unfinished
        ended = sum(values.values())
        if ended:
            self.batches.append(Batch(ended, intervals.mean(values)))


def simulate(
    game: Game[Any],
    strategies: Sequence[Strategy],
    games: int | None = None,
    *,
    seed: int = 0,
    threads: int = 2,
    progress: Progress = silent,
) -> Simulation:
    """Play games 0 to `games` - 1 of a seed; the result does not depend on the threads.

    By itself many games if kernels play them, and few if they are played in plain Python. Whoever
    interrupts is told what came of the games until then, by `Stopped`.
    """
    refuse_entered(game, strategies)
    refuse_seed(seed)
    habits = habits_of(game, strategies)
    wanted = games if games is not None else (QUICK if habits else PLAIN)
    if wanted < 1:
        raise StrategyError(f"expected at least one game, found {wanted}")
    if threads < 1:
        raise StrategyError(f"expected at least one thread, found {threads}")
    tally = Tally()

    def found() -> Simulation:
        texts, took = tuple(map(text_of, strategies)), perf_counter() - tally.began
        said = spec_of(game), game.quantity, texts, tally.games, seed
        counted = dict(tally.values), dict(tally.turns), tally.unfinished
        return Simulation(*said, *counted, took, tuple(tally.batches))

    try:
        if habits:
            assert isinstance(game, CantStop)
            _by_kernels(tally, game, habits, wanted, seed, threads, progress)
        else:
            _one_by_one(tally, game, strategies, wanted, seed, progress)
    except KeyboardInterrupt as error:
        raise Stopped(found()) from error
    return found()


def refuse_seed(seed: int) -> None:
    """Refuse a seed that the kernels cannot hold."""
    if not 0 <= seed <= SEEDS:
        raise StrategyError(f"expected a seed from 0 to {SEEDS}, found {seed}")


def habits_of(game: Game[Any], strategies: Sequence[Strategy]) -> list[Habits]:
    """The habits of strategies that kernels can play; none if one of them they cannot."""
    if type(game) is not CantStop or not all(isinstance(each, Habitual) for each in strategies):
        return []
    return [each.habits(game) for each in strategies if isinstance(each, Habitual)]


def by_habits(
    game: CantStop,
    habits: Sequence[Habits],
    games: int,
    seed: int = 0,
    threads: int = 2,
    progress: Progress = silent,
) -> tuple[dict[float, int], dict[int, int], int]:
    """Values, turns and unfinished games of habits, on threads."""
    tally = Tally()
    _by_kernels(tally, game, habits, games, seed, threads, progress)
    return dict(tally.values), dict(tally.turns), tally.unfinished


def _by_kernels(
    tally: Tally,
    game: CantStop,
    habits: Sequence[Habits],
    games: int,
    seed: int,
    threads: int,
    progress: Progress,
) -> None:
    """Count games of habits, batch by batch in their order, however many threads play them."""
    board = board_of(game)
    start = np.zeros((3, len(game.lengths)), np.int64)
    chunk = min(CHUNK, -(-games // BATCHES))

    def job(begin: int) -> tuple[Longs, Longs]:
        end = min(begin + chunk, games)
        turns, won = np.zeros(TURNS + 1, np.int64), np.zeros(3, np.int64)
        if len(habits) == 1:
            won[2] = arena.solitaire(board, habits[0], start[0], seed, begin, end, turns)
        else:
            first, second = habits
            arena.duels(board, first, second, start, 0, False, seed, begin, end, won, turns)
            turns[0] = 0
        return turns, won

    job(games)  # no game at all: what must be compiled is, and its time does not count
    tally.began = perf_counter()
    pool = ThreadPoolExecutor(threads)
    try:
        for turns, won in pool.map(job, range(0, games, chunk)):
            taken = {int(n): int(turns[n]) for n in np.flatnonzero(turns)}
            values = {float(n): count for n, count in taken.items()}
            if len(habits) == 2:
                values = {1.0: int(won[0]), 0.0: int(won[1])}
            tally.add(values, taken, int(won[2]))
            progress("play", tally.games, games)
    finally:
        pool.shutdown(cancel_futures=True)


def _one_by_one(
    tally: Tally,
    game: Game[Any],
    strategies: Sequence[Strategy],
    games: int,
    seed: int,
    progress: Progress,
) -> None:
    """Count games in plain Python."""
    chunk = min(CHUNK, -(-games // BATCHES))
    played = _played(game, strategies, games, seed)
    for begin in range(0, games, chunk):
        values: Counter[float] = Counter()
        turns: Counter[int] = Counter()
        unfinished = 0
        try:
            for number, (value, taken) in enumerate(islice(played, chunk), begin + 1):
                if value is None:
                    unfinished += 1
                else:
                    values[value] += 1
                    turns[taken] += 1
                progress("play", number, games)
        finally:
            tally.add(values, turns, unfinished)


def _played(
    game: Game[Any], strategies: Sequence[Strategy], games: int, seed: int
) -> Iterator[tuple[float | None, int]]:
    """The value of each game, or none if it does not end, and the turns that it took.

    Players are made once, but those who watch the other side and so remember what it did.
    """
    lots = [Random() for _ in strategies]
    players = made(game, strategies, lots)
    remembers = any(isinstance(player, Watching) for player in players)
    for number in range(games):
        draw(lots, seed, number)
        if remembers:
            players = made(game, strategies, lots)
        steps = list(islice(play(game, players, luck_of(game, seed, number)), STEPS))
        if not isinstance(game.node(steps[-1].position), Terminal):
            yield None, 0
            continue
        yield worth(game, steps), sum(game.anchor(step.position) for step in steps[:-1])


def made(game: Game[Any], strategies: Sequence[Strategy], lots: Sequence[Random]) -> list[Player]:
    """The players of some strategies."""
    return [each.player(game, random) for each, random in zip(strategies, lots, strict=True)]


def draw(lots: Sequence[Random], seed: int, number: int) -> None:
    """Begin the lots that players draw in one game."""
    for i, random in enumerate(lots):
        random.seed(f"{seed}/{number}/{i}")
