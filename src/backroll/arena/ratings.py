"""Ratings of players from the games between them.

The model of Bradley and Terry (1952): player i, who begins, wins against j with the odds
exp(rᵢ - rⱼ + a), where a is what it is worth to begin. With w wins in n games of each ordered
pair the likelihood is greatest where, with p = 1 / (1 + exp(-(rᵢ - rⱼ + a))),

    Σ x (w - n p) = 0,        x = eᵢ - eⱼ + e_a

which Newton's method finds: its matrix Σ x xᵀ n p (1 - p) is also what the covariances are the
inverse of. Only differences of ratings count, so their mean is put at 0. Half a win is added to
both sides of each pair, or a player who has won all would be rated without limit. An Elo point is
ln(10) / 400 of r: 400 points are odds of ten to one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from backroll.arena.intervals import LEVEL, Interval, normal
from backroll.errors import NotConverged

ELO = 400 / math.log(10)
PRIOR = 0.5
STEPS, SETTLED = 100, 1e-12


class Score(NamedTuple):
    """Points of who began, a draw being half of one, and the games that they come from."""

    points: float
    games: int


class Rating(NamedTuple):
    """Elo points, with the interval that the number of games allows."""

    elo: float
    low: float
    high: float


class Ratings(NamedTuple):
    """The ratings of players, their mean at 0, and what beginning is worth."""

    players: tuple[Rating, ...]
    first: Rating


def ratings(count: int, scores: Mapping[tuple[int, int], Score], level: float = LEVEL) -> Ratings:
    """The most likely ratings of players 0 to `count` - 1 by the scores of (first, second)."""
    rows = np.zeros((len(scores), count + 1))
    for row, (i, j) in zip(rows, scores, strict=True):
        row[i] += 1
        row[j] -= 1
        row[count] = 1
    points = np.array([each.points + PRIOR for each in scores.values()])
    games = np.array([each.games + 2 * PRIOR for each in scores.values()])
    found = np.zeros(count + 1)
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(-rows @ found))
        matrix = rows.T @ (rows * (games * expected * (1 - expected))[:, None])
        covariance = np.linalg.pinv(matrix, hermitian=True)
        step = covariance @ (rows.T @ (points - games * expected))
        # the likelihood is concave: steps that are cut short still lead to its top
        found += step * min(1.0, 1 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(step).max() < SETTLED:
            break
    else:
        raise NotConverged(f"ratings: expected to settle in {STEPS} steps, found {step.max():.1e}")
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    each = [_rating(found[i], errors[i], level) for i in range(count + 1)]
    return Ratings(tuple(each[:count]), each[count])


def _rating(strength: float, error: float, level: float) -> Rating:
    ends: Interval = normal(float(strength) * ELO, float(error) * ELO, level)
    return Rating(float(strength) * ELO, *ends)
