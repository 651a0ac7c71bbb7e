"""Re-check a database by the rules: does every value follow from the values around it?

For an anchor the optimality equation of its turn is recomputed through `node` and `play`, down
to the values that the database keeps, and compared with the anchor's own. The largest difference
is the residual. No solver has a part in this. In a game without chance the distance to the end is
compared too, and counts as 1 if it is another: where all values and distances agree, none is
wrong, as whatever is won or lost then leads to its end step by step.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from backroll.database import Database
from backroll.errors import GameError, TableError
from backroll.solution import Progress, silent


class Verification(NamedTuple):
    """How many anchors were checked, the largest residual and where it is."""

    checked: int
    residual: float
    where: str
    seconds: float


def verify(
    database: Database[Any],
    sample: int | None = 1000,
    seed: int = 0,
    progress: Progress = silent,
) -> Verification:
    """Recompute the values of some anchors, drawn at random, or of all if `sample` is None."""
    began = perf_counter()
    drawn = _drawn(database, sample, seed)
    residual, where = 0.0, ""
    for done, row in enumerate(drawn):
        progress("verify", done, len(drawn))
        text = database.index.text(row)
        gap = _residual(database, row, text)
        if gap > residual or not where:
            residual, where = gap, text
    progress("verify", len(drawn), len(drawn))
    return Verification(len(drawn), residual, where, perf_counter() - began)


def _drawn(database: Database[Any], sample: int | None, seed: int) -> Sequence[int]:
    """The rows to check."""
    size = len(database)
    if sample is None or sample >= size:
        return range(size)
    if sample < 1:
        raise TableError(f"expected a sample of 1 or more anchors, found {sample}")
    return sorted(Random(seed).sample(range(size), sample))


def _residual(database: Database[Any], row: int, text: str) -> float:
    position = database.game.parse(text)
    if database.index.find(position) != row:
        raise GameError(f"expected show and parse to be inverse, but not at {text}")
    gap = abs(database.value(position) - database.recompute(position))
    if database.distances and not _as_far(database, position):
        gap = max(gap, 1.0)
    return math.inf if math.isnan(gap) else gap


def _as_far(database: Database[Any], position: Any) -> bool:
    """Whether a position is as far from the end as its moves say."""
    return database.distance(position) == database.recompute_distance(position)
