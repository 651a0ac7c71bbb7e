"""Decisions of the arena's kernels and of plain Python at the same positions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import numpy as np

from backroll.game import Chance, Swap, Terminal
from backroll.games.cantstop.rules import CantStop, Position
from backroll.kernels import habits as kernels
from backroll.played import Habits
from backroll.programs.habits import board_of
from backroll.strategies.habits import Habitual
from backroll.strategies.protocol import options


def decided_alike(game: CantStop, strategy: Habitual) -> int:
    """How many moves both chose alike, at positions drawn by lot; they must all be."""
    player, habits = strategy.player(game, Random(0)), strategy.habits(game)
    faces = list(product(range(1, game.sides + 1), repeat=4))
    random = Random(3)
    asked = 0
    for position in positions(game, 2, 60):
        for roll in random.sample(range(len(faces)), 12):
            here = position._replace(dice=tuple(sorted(faces[roll])), rolling=False)
            move = chosen(game, habits, position, roll)
            assert move == ("bust" if options(game, here) == ("bust",) else player(here))
            asked += move != "bust"
    return asked


def positions(game: CantStop, seed: int, count: int) -> Iterator[Position]:
    """Positions in games by lot, before the dice are thrown."""
    random = Random(seed)
    while True:
        here = game.start()
        while not isinstance(node := game.node(here), Terminal):
            if isinstance(node, Chance):
                if random.random() < 0.2:
                    yield here
                    count -= 1
                    if not count:
                        return
                move: Any = random.choices(list(node.outcomes), list(node.outcomes.values()))[0]
            else:
                moves = options(game, here)
                move = "roll" if "roll" in moves and random.random() < 0.7 else moves[0]
            child = game.play(here, move)
            here = child.position if isinstance(child, Swap) else child


def chosen(game: CantStop, habits: Habits, position: Position, roll: int) -> Any:
    """What the kernels do with a roll: the move as the rules write it."""
    board = board_of(game)
    mine, theirs = np.array(position.mine), np.array(position.theirs)
    at, worth = mine.copy(), np.zeros((2, mine.size))
    for column, height in position.neutral:
        at[column] = height
    marked = sum(1 << column for column, _ in position.neutral)
    full = kernels.closed(board, mine, theirs)
    full |= sum(1 << c for c, height in position.neutral if height == game.lengths[c])
    for c in range(mine.size):
        kernels.weigh(board, habits, mine, theirs, at, c, worth)
    way = kernels.choose(board, habits, mine, theirs, at, worth, marked, full, roll)
    if way < 0:
        return "bust"
    low, high = board.split[roll, way // 3] + 2
    if way % 3:
        return (low if way % 3 == kernels.LOWER else high,)
    dice = tuple(sorted(list(product(range(1, game.sides + 1), repeat=4))[roll]))
    moves = options(game, position._replace(dice=dice))
    return next(m for m in moves if min(m[0], sum(dice) - m[0]) == low)
