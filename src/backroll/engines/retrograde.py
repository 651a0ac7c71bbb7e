"""The retrograde engine: deterministic games for two, cycles and draws included.

A state is won or lost if that can be forced, after the fewest moves by the winner and the most by
the loser, and otherwise drawn. `layers` finds all of it in layers of equal distance; the other
methods are those of the study of forward and backward solvers (`engines/study.py`), which find
the same outcomes with their own effort.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from backroll.arrays import LOST, WON, Choices, Longs, Words
from backroll.engines import study
from backroll.engines.checkpoint import Checkpoint, reserved
from backroll.engines.fitting import refuse_too_large
from backroll.engines.layers import Effort, Layers, counted
from backroll.errors import BackrollError
from backroll.game import Game
from backroll.graph import LIMIT
from backroll.outcomes import worth
from backroll.programs.rhombuses import Checkers
from backroll.solution import Endgame, Progress, Report, silent
from backroll.spec import fingerprint, spec_of
from backroll.states import Numbered, States, number

METHODS = ("auto", "layers", "naive", "forward", "backward", "hybrid")
ORDERS = ("up", "down", "shuffled", "cells")
"""The orders in which the study's solvers go through states; the last for Chinese Checkers."""
CHOICES = Choices()
WORD = 2
"""Bytes."""


class Solved(NamedTuple):
    """What a method found: words of states, seen from whoever is to move."""

    method: str
    words: Words
    effort: Effort
    seconds: float


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
    out: str | Path | None = None,
) -> Endgame[Any]:
    """Solve a game without chance: who wins from each position, and in how many moves.

    `choices` and `order` are for the study's methods. Distances are found by `layers`, and by
    `forward` and `backward` where they are layered and settle nothing ahead of its layer. With
    `out`, `layers` can be interrupted and taken up again.
    """
    if method not in METHODS:
        raise BackrollError(
            f"expected a method of the retrograde engine, {', '.join(METHODS)}; found {method!r}"
        )
    if threads < 1:
        raise BackrollError(f"expected 1 thread or more, found {threads}")
    numbered = number(game, limit, progress)
    if method in ("auto", "layers"):
        return _by_layers(game, numbered, threads, progress, out)
    listed = study.two_sided(study.held(numbered.states))
    began = perf_counter()
    wanted = ordered(order, listed.size, numbered.states)
    found = study.solve(listed, method, choices, wanted, threads)
    words = study.words(found, listed)
    if listed.size > numbered.states.size:
        words = words[::2]  # of max and min, max: seen from the mover they are the same
    distances = choices.layered and not _ahead(method, choices)
    if not distances:
        words &= 3
    won_only = choices.win_only and method != "naive"
    solved = Solved(method, words, found.effort, perf_counter() - began)
    return _endgame(game, numbered, solved, won_only=won_only, distances=distances)


def _by_layers(
    game: Game[Any],
    numbered: Numbered,
    threads: int,
    progress: Progress,
    out: str | Path | None,
) -> Endgame[Any]:
    """Solve by layers; with `out`, so that it can be interrupted and taken up again."""
    checkpoint = None
    size = numbered.states.size
    kept = 0 if out is None else reserved(out)
    refuse_too_large(spec_of(game), size, size, out, kept, number=WORD)
    if out is not None:
        about = {"spec": spec_of(game), "rules": fingerprint(game), "method": "layers"}
        checkpoint = Checkpoint(out, about, size, Effort(), np.uint16)
    with checkpoint or nullcontext():
        layers = Layers(numbered.states, threads, progress, checkpoint)
        layers.solve()
        solved = Solved("layers", layers.words, layers.effort, layers.seconds)
        return _endgame(game, numbered, solved, checkpoint=checkpoint)


def _ahead(method: str, choices: Choices) -> bool:
    """Whether states may be settled before their layer, so that distances are not found."""
    return method in ("naive", "hybrid") or (
        choices.direct if method == "forward" else choices.further
    )


def ordered(order: str, size: int, of: States | None = None) -> Longs:
    """The states in an order by name; `of` is what they were before they were two-sided."""
    if order not in ORDERS:
        raise BackrollError(f"expected an order among {', '.join(ORDERS)}; found {order!r}")
    if order == "cells":
        if not isinstance(of, Checkers):
            raise BackrollError("expected Chinese Checkers for states in the order of cells")
        return of.by_cells()
    states = np.arange(size)
    if order == "shuffled":
        np.random.default_rng(0).shuffle(states)
    return states[::-1].copy() if order == "down" else states


def _endgame(
    game: Game[Any],
    numbered: Numbered,
    solved: Solved,
    *,
    won_only: bool = False,
    distances: bool = True,
    checkpoint: Checkpoint | None = None,
) -> Endgame[Any]:
    """The words of the anchors, as the game writes values, and what there is to say of them."""
    words = solved.words if numbered.rows is None else solved.words[numbered.rows]
    found = counted(words)._asdict()
    if numbered.flips is not None:
        words = flipped(words, numbered.flips)
    start = int(words[game.anchor_row(game.start()) if game.anchor_count() else 0])
    if won_only:  # what is not won was not looked at
        found = {"won": found["won"]}
    elif distances:
        found["distance"] = start >> 2
    else:
        del found["height"]
    value = math.nan if won_only and start & 3 != WON else worth(start, game.total)
    report = Report(
        spec=spec_of(game),
        quantity=game.quantity,
        method=solved.method,
        value=value,
        bound=0.0,
        residual=0.0,
        positions=numbered.states.size,
        edges=0,
        anchors=len(numbered.anchors),
        components=0,
        cyclic=0,
        iterations=solved.effort.passes,
        methods={solved.method: numbered.states.size},
        seconds={"solve": solved.seconds},
        engine="retrograde",
        counts={**found, **asdict(solved.effort)},
    )
    return Endgame(game, report, numbered.anchors, words, checkpoint)


def flipped(words: Words, flips: Any) -> Words:
    """Words of the anchors that are written for the other side turned round."""
    other = np.array([0, LOST - WON, WON - LOST, 0])[words & 3]
    return np.where(flips, words + other, words).astype(np.uint16)
