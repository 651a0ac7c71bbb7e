"""Fitted value iteration: estimates of turns left, from turns that were solved exactly with them.

Anchors are met in play. The turn of each is solved with the estimate that there is, and a soft
minimum is fitted to what the turns are worth (`backroll.arrays.Softmin`): of its parameters p, by
Gauss and Newton, sum of (value - worth(p))^2 + |damping * (p - what they were)|^2 + |stiffness *
second differences of climbs along a column|^2. With the shares q of the ways to win in the sum,
the derivatives are -scale * q by the weight of a way, and -scale times the sum of q over the ways
with column c by the climb of c at its height. Mirror images share their parameters.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

import numpy as np

from backroll.arena.playing import luck_of, play
from backroll.arrays import Floats, Longs
from backroll.game import Move
from backroll.games.cantstop.rules import CantStop, Heights, Position
from backroll.played import Softmin
from backroll.strategies.estimates import Alone, SoftTurns
from backroll.strategies.exact import TurnPlayer, solved

DAMPING, STIFFNESS = 0.3, 1.0
STEPS = 5
KEPT = 3
"""Rounds whose samples are fitted to: older ones were worth what older estimates said."""
ASTRAY = 0.04
Samples = dict[Heights, float]
"""Turns left by heights."""


def sample(
    game: CantStop, worth: Softmin, numbers: Sequence[int], seed: int, astray: float
) -> Samples:
    """The anchors of games played turn-exactly, where chance stops a turn with odds `astray`."""
    estimate = Alone(SoftTurns(game, worth))
    player = TurnPlayer(game, lambda turns, turn: solved(turns, turn, estimate, "turns"))
    met: Samples = {}
    random = Random()

    def move(position: Position) -> Move:
        turn = player.turn(position.mine, position.theirs)
        met[position.mine] = -turn.value
        if not position.dice and random.random() < astray:
            return "stop"
        return turn.decide(position)

    for number in numbers:
        random.seed(f"{seed}/{number}")
        for _ in play(game, [move], luck_of(game, seed, number)):
            pass
    return met


def gathered(game: CantStop, worth: Softmin, games: int, seed: int, astray: float) -> Samples:
    """The anchors of many games, on two threads."""
    some = partial(sample, game, worth, seed=seed, astray=astray)
    with ThreadPoolExecutor(2) as pool:
        parts = pool.map(some, [range(0, games, 2), range(1, games, 2)])
        return {heights: turns for part in parts for heights, turns in part.items()}


class Fit:
    """The parameters of a soft minimum for anchors with `left` columns still to be won."""

    def __init__(self, game: CantStop, worth: Softmin, left: int) -> None:
        self.worth, self.left = worth, left
        self.lengths = np.array(game.lengths)
        width = self.lengths.size
        self.inside = (worth.bits[:, None] >> np.arange(width) & 1).astype(np.float64)
        mirrored = [min(int(b), int(f"{b:0{width}b}"[::-1], 2)) for b in worth.bits.tolist()]
        _, self.kind = np.unique(mirrored, return_inverse=True)
        self.kinds = int(self.kind.max()) + 1
        self.half = np.minimum(np.arange(width), width - 1 - np.arange(width))
        self.squares = worth.climb.shape[2]
        self.size = self.kinds + (int(self.half.max()) + 1) * self.squares + 1

    def unpack(self, p: Floats) -> Softmin:
        """The soft minimum with some parameters."""
        worth = self.worth._replace(
            weight=self.worth.weight.copy(), climb=self.worth.climb.copy(),
            scale=self.worth.scale.copy(),
        )  # fmt: skip
        worth.weight[self.left] = p[self.kind]
        worth.climb[self.left] = p[self.kinds : -1].reshape(-1, self.squares)[self.half]
        worth.scale[self.left] = np.exp(p[-1])
        return worth

    def pack(self) -> Floats:
        """The parameters there are."""
        p = np.zeros(self.size)
        p[self.kind] = self.worth.weight[self.left]
        p[self.kinds : -1].reshape(-1, self.squares)[self.half] = self.worth.climb[self.left]
        p[-1] = np.log(self.worth.scale[self.left])
        return p

    def linear(self, p: Floats, heights: Longs) -> tuple[Floats, Floats]:
        """Turns left at some anchors, and the derivatives by the parameters."""
        worth = self.unpack(p)
        columns = np.arange(self.lengths.size)
        won = heights == self.lengths
        climb = np.where(won, 0.0, worth.climb[self.left][columns, heights])
        misses = won @ (1.0 - self.inside.T)
        exponent = climb @ self.inside.T + worth.weight[self.left]
        exponent[misses > 0] = -np.inf
        top = exponent.max(1, keepdims=True)
        share = np.exp(exponent - top)
        total = share.sum(1, keepdims=True)
        share /= total
        logs = (top + np.log(total))[:, 0]
        scale = worth.scale[self.left]
        slopes = np.zeros((len(heights), self.size))
        for way, kind in enumerate(self.kind):
            slopes[:, kind] -= scale * share[:, way]
        by_column = np.where(won, 0.0, share @ self.inside)
        for c in columns:
            place = self.kinds + self.half[c] * self.squares + heights[:, c]
            slopes[np.arange(len(heights)), place] -= scale * by_column[:, c]
        slopes[:, -1] = -scale * logs
        return worth.offset[self.left] - scale * logs, slopes

    def bends(self) -> Floats:
        """The second differences of the climbs along each column, as rows by parameter."""
        rows = []
        for column in range(int(self.half.max()) + 1):
            for square in range(1, self.lengths[column] - 1):
                row = np.zeros(self.size)
                place = self.kinds + column * self.squares + square
                row[place - 1 : place + 2] = 1.0, -2.0, 1.0
                rows.append(row)
        return np.array(rows).reshape(-1, self.size)

    def run(self, heights: Longs, turns: Floats) -> tuple[Softmin, float]:
        """Fit to some anchors; gives the root mean square of what is left over as well."""
        p = was = self.pack()
        stiff, damp = STIFFNESS * self.bends(), DAMPING * np.eye(self.size)
        for _ in range(STEPS):
            found, slopes = self.linear(p, heights)
            matrix = np.vstack([slopes, damp, stiff])
            right = np.concatenate([turns - found, DAMPING * (was - p), -stiff @ p])
            p = p + np.linalg.lstsq(matrix, right, rcond=None)[0]
        found, _ = self.linear(p, heights)
        return self.unpack(p), float(np.sqrt(np.mean((turns - found) ** 2)))


def fit(game: CantStop, worth: Softmin, samples: Samples) -> tuple[Softmin, list[float]]:
    """Fit to samples, for each number of columns left; gives what is left over of each."""
    heights, turns = np.array(list(samples)), np.array(list(samples.values()))
    won = (heights == np.array(game.lengths)).sum(1)
    errors = []
    for left in range(1, game.columns + 1):
        some = won == game.columns - left
        if some.any():
            worth, error = Fit(game, worth, left).run(heights[some], turns[some])
            errors.append(error)
    return worth, errors


def refined(
    game: CantStop, worth: Softmin, rounds: Sequence[int], seed: int = 0, astray: float = ASTRAY
) -> tuple[Softmin, list[float]]:
    """An estimate after some rounds of so many games each, and what is left over of the last."""
    known: list[Samples] = []
    errors: list[float] = []
    for number, games in enumerate(rounds):
        known = [*known, gathered(game, worth, games, seed + number, astray)][-KEPT:]
        merged = {heights: turns for each in known for heights, turns in each.items()}
        worth, errors = fit(game, worth, merged)
    return worth, errors


def keep(worth: Softmin, path: Path) -> None:
    """Keep an estimate as `fitted` reads it, to four places."""
    kept = {name: np.round(getattr(worth, name), 4).tolist() for name in Softmin._fields[2:]}
    path.write_text(json.dumps(kept, separators=(",", ":")))
