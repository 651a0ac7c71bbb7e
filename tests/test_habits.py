"""Habits: kernels and plain Python play the same games, roll by roll, and the dice are fair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from backroll import load
from backroll.arena import simulate
from backroll.arena.playing import luck_of, play
from backroll.arena.simulation import by_habits
from backroll.games.cantstop.rules import CantStop
from backroll.kernels import arena
from backroll.played import Habits
from backroll.programs.habits import blank
from backroll.strategies import strategy
from backroll.strategies.habits import HabitsPlayer, Habitual


def drawn(game: CantStop, seed: int) -> Habits:
    """Habits without rhyme or reason, small whole numbers so that there are many ties."""
    random = np.random.default_rng(seed)
    habits = blank(game)
    sets = habits.hazard.size
    habits.climb[:] = random.integers(-2, 5, habits.climb.shape)
    habits.progress[:] = random.integers(0, 5, habits.progress.shape)
    return habits._replace(
        marker=float(random.integers(-1, 4)),
        hazard=random.integers(-2, 3, sets).astype(np.float64),
        limit=random.integers(3, 12, sets).astype(np.float64),
        eager=bool(seed & 1),
        topped=bool(seed & 2),
        last=bool(seed & 4),
        chase=bool(seed & 8),
        escaping=bool(seed & 16),
        escape=random.random(habits.escape.size),
        reach=random.random((sets, habits.escape.size)) * 3,
    )


@dataclass(frozen=True, slots=True)
class Whim(Habitual):
    seed: int

    def habits(self, game: CantStop) -> Habits:
        return drawn(game, self.seed)


SPECS = (
    "cantstop:sides=3,shortest=2,players=1",
    "cantstop:sides=4,shortest=1",
    "cantstop:sides=4,shortest=2,occupied=jump",
    "cantstop:sides=3,shortest=3,occupied=share,columns=2",
)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("seed", range(0, 32, 3))
def test_kernels_play_the_games_that_the_rules_play(spec: str, seed: int) -> None:
    game = load(spec)
    assert isinstance(game, CantStop)
    habits = [drawn(game, seed + side) for side in range(game.players)]
    for number in range(3):
        players = [HabitsPlayer(game, each) for each in habits]
        steps = list(play(game, players, luck_of(game, 7, number)))
        taken = sum(game.anchor(step.position) for step in steps)
        turns, won = np.zeros(2001, np.int64), np.zeros(3, np.int64)
        _one(game, habits, number, won, turns)
        assert turns.nonzero()[0].tolist() == [taken]
        if game.players == 2:
            assert won[steps[-1].who - 1] == 1  # whoever has won does not pass the dice


def _one(
    game: CantStop,
    habits: list[Habits],
    number: int,
    won: np.ndarray[tuple[int], np.dtype[np.int64]],
    turns: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> None:
    from backroll.programs.habits import board_of

    board, width = board_of(game), len(game.lengths)
    if len(habits) == 1:
        arena.solitaire(board, habits[0], np.zeros(width, np.int64), 7, number, number + 1, turns)
        return
    start = np.zeros((3, width), np.int64)
    first, second = habits
    arena.duels(board, first, second, start, 0, False, 7, number, number + 1, won, turns)


@pytest.mark.compiled
def test_games_that_hardly_end_are_given_up_and_counted() -> None:
    game = load("cantstop:sides=6,shortest=7,players=1")
    assert isinstance(game, CantStop)
    values, _, unfinished = by_habits(game, [blank(game)], 300)  # all three columns in one turn
    assert unfinished > 0
    assert sum(values.values()) == 300 - unfinished > 0


@pytest.mark.compiled
def test_results_do_not_depend_on_threads() -> None:
    game = load("cantstop")
    pair = [strategy("ruleof"), strategy("ruleof:n=20")]
    one, three = (simulate(game, pair, 22_000, seed=3, threads=n) for n in (1, 3))
    assert (one.values, one.turns) == (three.values, three.turns)
    assert simulate(game, pair, 22_000, seed=4).turns != one.turns


@pytest.mark.compiled
def test_dice_are_fair_within_and_across_turns() -> None:
    state = np.zeros(4, np.int64)
    firsts, pairs = np.zeros(1296), np.zeros((36, 36))
    for number in range(60_000):
        arena.begin(state, 1, number // 30, number % 2, number % 30)
        first, second = arena.roll(state, 1296), arena.roll(state, 1296)
        firsts[first] += 1
        pairs[first % 36, second // 36] += 1
    for counts in (firsts, pairs.ravel()):
        expected = counts.sum() / counts.size
        chi = ((counts - expected) ** 2 / expected).sum()
        freedom = counts.size - 1
        assert abs(chi - freedom) < 4 * np.sqrt(2 * freedom)
