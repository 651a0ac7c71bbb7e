"""Games of Can't Stop played on from the middle of a turn, and what each of them came to.

Chance is that of the arena: by the seed, the game's number, the side and the turn. Options of one
decision that are played on with the same numbers meet the same dice.
"""

from __future__ import annotations

import numpy as np

from backroll.arrays import Floats, Longs
from backroll.kernels import kernel
from backroll.kernels.arena import FIRST, WON, seed, turn
from backroll.played import Board, Habits


@kernel
def play_on(
    board: Board, first: Habits, second: Habits, start: Longs, marked: int, rolling: bool,
    opening: int, limit: int, number: int, begin: int, worth: Floats,
) -> None:  # fmt: skip
    """Play a game for each place of `worth`, numbered from `begin`, and see what the first gets.

    `start` has the heights of the first and the second, and those of whoever is to move in this
    turn: with `opening` 1 the first, who has marked `marked` and may have decided to roll
    (`rolling`); with 2 the second, at the start of his turn. worth[i] is 1 or 0, or a half for a
    game that is not over after `limit` turns.
    """
    ours, others, at = start[0].copy(), start[1].copy(), start[2].copy()
    chance, room = np.zeros(4, np.int64), np.zeros((2, start.shape[1]))
    for game in range(worth.size):
        ours[:] = start[0]
        others[:] = start[1]
        at[:] = start[2]
        worth[game] = 0.5
        bits, rolls = marked, rolling
        for n in range(opening, limit + 1):
            side = (n - 1) % 2
            seed(chance, number, begin + game, side, n // 2)
            if side == FIRST:
                ended = turn(board, first, ours, others, at, room, bits, rolls, chance)
            else:
                ended = turn(board, second, others, ours, at, room, bits, rolls, chance)
            if ended == WON:
                worth[game] = 1.0 if side == FIRST else 0.0
                break
            at[:] = others if side == FIRST else ours
            bits, rolls = 0, False


@kernel
def play_on_alone(
    board: Board, habits: Habits, start: Longs, marked: int, rolling: bool, opening: int,
    limit: int, number: int, begin: int, worth: Floats,
) -> None:  # fmt: skip
    """The same alone: worth[i] is how many turns begin after this one, at most `limit`."""
    nobody = start[1] * 0
    mine, at = start[0].copy(), start[2].copy()
    chance, room = np.zeros(4, np.int64), np.zeros((2, start.shape[1]))
    for game in range(worth.size):
        mine[:] = start[0]
        at[:] = start[2]
        worth[game] = limit
        bits, rolls = marked, rolling
        for n in range(opening, limit + 1):
            seed(chance, number, begin + game, 0, n - 1)
            if turn(board, habits, mine, nobody, at, room, bits, rolls, chance) == WON:
                worth[game] = n - 1
                break
            bits, rolls = 0, False
