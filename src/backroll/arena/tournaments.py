"""Tournaments: every strategy against every other, from both seats; alone, on the same dice.

All matches are of the same seed, so that chance favours nobody: whoever sits in a seat meets
the dice that everybody else meets there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from time import perf_counter
from typing import Any, NamedTuple

from backroll.arena import intervals
from backroll.arena.intervals import Interval
from backroll.arena.ratings import Rating, Ratings, Score, ratings
from backroll.arena.simulation import PLAIN, QUICK, Simulation, Stopped, habits_of, simulate
from backroll.errors import StrategyError
from backroll.game import COST, Game
from backroll.solution import Progress, silent
from backroll.spec import spec_of
from backroll.strategies import Strategy, text_of


class Standing(NamedTuple):
    """How one strategy did in all."""

    place: int
    """Of the strategy among those that were entered, from 0."""
    strategy: str
    games: int
    mean: float
    """Of points a game for two; of the value alone."""
    interval: Interval
    rating: Rating | None
    """For two."""
    behind: Interval | None
    """Alone: how much better the best is, by games with the same dice."""


@dataclass(frozen=True)
class Tournament:
    """The simulations of a tournament: of (first, second) for two, of (alone,) for one."""

    spec: str
    quantity: str
    total: float
    strategies: tuple[str, ...]
    seed: int
    cells: Mapping[tuple[int, ...], Simulation]
    seconds: float

    @cached_property
    def scores(self) -> dict[tuple[int, int], Score]:
        """Points of who began: 1 for more than half of the total, half of one for half of it."""
        found = {}
        for (i, j), cell in self._pairs():
            half = self.total / 2
            points = sum(n * ((v > half) + (v == half) / 2) for v, n in cell.values.items())
            found[i, j] = Score(points, cell.ended)
        return found

    @cached_property
    def ratings(self) -> Ratings | None:
        """Ratings of games for two."""
        return ratings(len(self.strategies), self.scores) if self.scores else None

    def standings(self) -> list[Standing]:
        """The strategies, best first."""
        rows = range(len(self.strategies))
        found = [self._together(i) if self.scores else self._alone(i) for i in rows]
        low = not self.scores and self.quantity == COST
        return sorted(found, key=lambda each: each.mean if low else -each.mean)

    def rows(self) -> Iterator[tuple[str, str, Simulation]]:
        """First, second (nobody if alone) and what their games came to."""
        for seats, cell in self.cells.items():
            first, *others = (self.strategies[i] for i in seats)
            yield first, others[0] if others else "", cell

    def as_dict(self) -> dict[str, Any]:
        """The tournament as plain data."""
        rated = self.ratings
        return {
            "spec": self.spec,
            "quantity": self.quantity,
            "strategies": list(self.strategies),
            "seed": self.seed,
            "standings": [_plain(each) for each in self.standings()],
            "first": None if rated is None else rated.first._asdict(),
            "matches": [
                {"seats": list(seats), **cell.as_dict()} for seats, cell in self.cells.items()
            ],
            "seconds": self.seconds,
        }

    def _pairs(self) -> Iterator[tuple[tuple[int, int], Simulation]]:
        for seats, cell in self.cells.items():
            if len(seats) == 2 and cell.ended:
                yield (seats[0], seats[1]), cell

    def _together(self, player: int) -> Standing:
        """Points over all matches, from both seats."""
        points, games = 0.0, 0
        for (i, j), score in self.scores.items():
            if player in (i, j):
                points += score.points if player == i else score.games - score.points
                games += score.games
        share = points / max(games, 1)
        rating = self.ratings.players[player] if self.ratings else None
        interval = intervals.wilson(share, games)
        return Standing(player, self.strategies[player], games, share, interval, rating, None)

    def _alone(self, player: int) -> Standing:
        """The mean value, and the difference from the best on the same dice."""
        cell = self.cells[player,]
        sign = 1 if self.quantity == COST else -1
        best = min(self.cells.values(), key=lambda each: sign * each.mean)
        behind = None if best is cell else difference(cell, best)
        name = self.strategies[player]
        return Standing(player, name, cell.ended, cell.mean, cell.interval, None, behind)


def _plain(standing: Standing) -> dict[str, Any]:
    rating = None if standing.rating is None else standing.rating._asdict()
    return standing._asdict() | {"rating": rating}


def difference(one: Simulation, other: Simulation) -> Interval:
    """How much more the one has made than the other, by games of the same numbers.

    Luck that both have had does not count: batches of the same games are compared, not means.
    """
    if one.seed != other.seed or len(one.batches) != len(other.batches):
        raise StrategyError("expected two simulations of the same games to compare")
    pairs = list(zip(one.batches, other.batches, strict=True))
    sizes = [min(a.games, b.games) for a, b in pairs]
    error = intervals.error_of_batches([a.mean - b.mean for a, b in pairs], sizes)
    return intervals.normal(one.mean - other.mean, error)


def tournament(
    game: Game[Any],
    strategies: Sequence[Strategy],
    games: int | None = None,
    *,
    seed: int = 0,
    threads: int = 2,
    progress: Progress = silent,
) -> Tournament:
    """Let strategies play each other, `games` games in each seat; alone, so many games each.

    Whoever interrupts is told what came of the matches until then, by `Halted`.
    """
    texts = tuple(map(text_of, strategies))
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise StrategyError(f"expected each strategy once, found {twice} again")
    if len(texts) < 2:
        raise StrategyError(f"expected two strategies or more, found {len(texts)}")
    players = [strategies[i : i + 1] for i in range(len(texts))]
    if games is None:
        games = QUICK if all(habits_of(game, each) for each in players) else PLAIN
    began = perf_counter()
    cells: dict[tuple[int, ...], Simulation] = {}

    def found() -> Tournament:
        took = perf_counter() - began
        return Tournament(spec_of(game), game.quantity, game.total, texts, seed, cells, took)

    matches = list(permutations(range(len(texts)), game.players))
    try:
        for seats in matches:
            entered = [strategies[i] for i in seats]
            cells[seats] = simulate(game, entered, games, seed=seed, threads=threads)
            progress("matches", len(cells), len(matches))
    except Stopped as stop:
        if stop.simulation.ended:
            cells[seats] = stop.simulation
        raise Halted(found()) from stop
    return found()


class Halted(KeyboardInterrupt):
    """Somebody stopped a tournament; `tournament` has the matches that were played until then."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__("interrupted")
        self.tournament = tournament
