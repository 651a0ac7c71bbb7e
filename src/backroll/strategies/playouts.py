"""Rollouts: each move of a decision played out by habits, and what it comes to on average."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from backroll.arrays import Floats, Longs
from backroll.game import Move, Swap, Terminal
from backroll.games.cantstop.rules import CantStop, Position
from backroll.kernels.rollouts import play_on, play_on_alone
from backroll.programs.habits import board_of
from backroll.strategies.habits import Habitual
from backroll.strategies.protocol import options

CHUNK = 5_000
"""Games a job: some hundredths of a second."""
TURNS = 2_000
"""Turns after which a game is given up, and is worth a half."""


class Option(NamedTuple):
    """What a move came to, played out many times."""

    move: Move
    value: float
    """The share of the games that the mover won; alone, how many more turns were begun."""
    error: float
    """The standard error of the value."""
    behind: float
    """How much worse than the best move; 0 for the best."""
    behind_error: float
    """The standard error of that, from the differences game by game with the same dice."""


class Start(NamedTuple):
    """Where games are played on from: what `play_on` takes."""

    heights: Longs
    marked: int
    rolling: bool
    opening: int


def rollout(
    game: CantStop,
    position: Position,
    base: Habitual,
    other: Habitual,
    games: int,
    *,
    seed: int = 0,
    threads: int = 2,
) -> list[Option]:
    """The moves at a decision, best first, ties in the order of the rules.

    The mover goes on with `base`, the opponent with `other`. All moves meet the same dice.
    """
    moves = options(game, position)
    starts = [start_of(game, position, game.play(position, move)) for move in moves]
    worths = played_on(game, starts, base, other, games, seed=seed, threads=threads)
    return ranked(moves, worths, lowest=game.players == 1)


def played_on(
    game: CantStop,
    starts: Sequence[Start | float],
    base: Habitual,
    other: Habitual,
    games: int,
    *,
    begin: int = 0,
    seed: int = 0,
    threads: int = 2,
) -> Floats:
    """What games came to, a row a start; they are numbered from `begin`, so more can follow."""
    worths = np.empty((len(starts), games))
    board, first, second = board_of(game), base.habits(game), other.habits(game)

    def job(i: int, at: int) -> None:
        worth, start = worths[i, at : at + CHUNK], starts[i]
        if isinstance(start, float):
            worth[:] = start
        elif game.players == 1:
            play_on_alone(board, first, *start, TURNS, seed, begin + at, worth)
        else:
            play_on(board, first, second, *start, TURNS, seed, begin + at, worth)

    with ThreadPoolExecutor(threads) as pool:
        jobs = [(i, at) for at in range(0, games, CHUNK) for i in range(len(starts))]
        list(pool.map(job, *zip(*jobs, strict=True)))
    return worths


def start_of(game: CantStop, position: Position, child: Any) -> Start | float:
    """Where a move leads to, as kernels see it; what it is worth if the game is over."""
    if isinstance(child, Swap):
        theirs, mine = child.position.mine, child.position.theirs
        return Start(np.array([mine, theirs, theirs]), 0, False, 2)
    node = game.node(child)
    if isinstance(node, Terminal):
        return float(node.value)
    at = list(child.mine)
    for column, height in child.neutral:
        at[column] = height
    marked = sum(1 << column for column, _ in child.neutral)
    return Start(
        np.array([child.mine, child.theirs, at]), marked, child.rolling, 1 if child.neutral else 2
    )


def ranked(moves: Sequence[Move], worths: Floats, *, lowest: bool) -> list[Option]:
    """Moves by the mean of what their games came to, best first, ties in their order."""
    means = worths.mean(1)
    ranks = np.argsort(means if lowest else -means, kind="stable")
    best = worths[ranks[0]]
    return [
        Option(
            moves[i],
            float(means[i]),
            _error(worths[i]),
            abs(float(means[i] - means[ranks[0]])),
            _error(worths[i] - best),
        )
        for i in ranks
    ]


def _error(sample: Floats) -> float:
    """The standard error of a mean."""
    return float(sample.std(ddof=min(1, sample.size - 1))) / math.sqrt(sample.size)
