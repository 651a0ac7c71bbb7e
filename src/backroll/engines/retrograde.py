"""The retrograde engine: deterministic games for two, cycles and draws included.

A state is won or lost if that can be forced, after the fewest moves by the winner and the most by
the loser, and otherwise drawn. `layers` finds all of it in layers of equal distance; the other
methods are those of the study of forward and backward solvers (`engines/study.py`), which find
the same outcomes with their own effort.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from time import perf_counter
from typing import Any

import numpy as np

from backroll.arrays import LOST, WON, Choices, Longs, Words
from backroll.engines import study
from backroll.engines.layers import Effort, Layers, counted
from backroll.errors import BackrollError
from backroll.game import Game
from backroll.graph import LIMIT
from backroll.outcomes import worth
from backroll.solution import Endgame, Progress, Report, silent
from backroll.spec import spec_of
from backroll.states import Numbered, number

METHODS = ("auto", "layers", "naive", "forward", "backward", "hybrid")
ORDERS = ("up", "down", "shuffled")
"""The orders in which the study's solvers go through states."""
CHOICES = Choices()


def suits(game: Game[Any]) -> bool:
    """Whether the engine is the one for a game: it says that it has no chance."""
    return game.players == 2 and not game.chance


def solve(
    game: Game[Any],
    method: str = "auto",
    *,
    choices: Choices = CHOICES,
    order: str = "up",
    limit: int = LIMIT,
    threads: int = 2,
    progress: Progress = silent,
) -> Endgame[Any]:
    """Solve a game without chance: who wins from each position, and in how many moves.

    `choices` and `order` are for the study's methods. Distances are found by `layers`, and by
    `forward` and `backward` where they are layered and settle nothing ahead of its layer.
    """
    if method not in METHODS:
        raise BackrollError(
            f"expected a method of the retrograde engine, {', '.join(METHODS)}; found {method!r}"
        )
    if threads < 1:
        raise BackrollError(f"expected 1 thread or more, found {threads}")
    began = perf_counter()
    numbered = number(game, limit, progress)
    if method in ("auto", "layers"):
        ready = perf_counter()
        words = np.zeros(numbered.states.size, np.uint16)
        layers = Layers(numbered.states, words, threads, progress)
        layers.begin()
        layers.solve()
        effort, distances = layers.effort, True
    else:
        listed = study.two_sided(study.held(numbered.states))
        ready = perf_counter()
        found = study.solve(listed, method, choices, ordered(order, listed.size), threads)
        words, effort = study.words(found, listed), found.effort
        distances = choices.layered and not _ahead(method, choices)
        if listed.size > numbered.states.size:
            words = words[::2]  # of max and min, max; in the end either is seen from the mover
    seconds = {"states": ready - began, "solve": perf_counter() - ready}
    if not distances:
        words &= 3
    won_only = choices.win_only and method in ("forward", "backward", "hybrid")
    return finished(
        game, numbered, words, effort, (method, seconds), won_only=won_only, distances=distances
    )


def _ahead(method: str, choices: Choices) -> bool:
    """Whether states may be settled before their layer, so that distances are not found."""
    return method in ("naive", "hybrid") or (
        choices.direct if method == "forward" else choices.further
    )


def ordered(order: str, size: int) -> Longs:
    """The states in an order by name."""
    if order not in ORDERS:
        raise BackrollError(f"expected an order among {', '.join(ORDERS)}; found {order!r}")
    states = np.arange(size)
    if order == "shuffled":
        np.random.default_rng(0).shuffle(states)
    return states[::-1].copy() if order == "down" else states


def finished(
    game: Game[Any],
    numbered: Numbered,
    words: Words,
    effort: Effort,
    how: tuple[str, dict[str, float]],
    *,
    won_only: bool = False,
    distances: bool = True,
) -> Endgame[Any]:
    """The words of the anchors, as the game writes values, and what is to be said of them."""
    method, seconds = how
    start = game.anchor_row(game.start()) if game.anchor_count() else 0
    if numbered.rows is not None:
        words = words[numbered.rows]
    found = counted(words)._asdict()
    if won_only:  # what is not won was not looked at
        found = {"won": found["won"]}
    elif distances:
        found["distance"] = int(words[start]) >> 2
    else:
        del found["height"]
    if numbered.flips is not None:
        words = flipped(words, numbered.flips)
    report = Report(
        spec=spec_of(game),
        quantity=game.quantity,
        method=method,
        value=math.nan if won_only and not words[start] else worth(int(words[start]), game.total),
        bound=0.0,
        residual=0.0,
        positions=numbered.states.size,
        edges=0,
        anchors=len(numbered.anchors),
        components=0,
        cyclic=0,
        iterations=effort.passes,
        methods={method: numbered.states.size},
        seconds=seconds,
        engine="retrograde",
        counts={**found, **asdict(effort)},
    )
    return Endgame(game, report, numbered.anchors, words)


def flipped(words: Words, flips: Any) -> Words:
    """Words of the anchors that are written for the other side turned round."""
    other = np.array([0, LOST - WON, WON - LOST, 0])[words & 3]
    return np.where(flips, words + other, words).astype(np.uint16)
