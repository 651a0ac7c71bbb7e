"""The retrograde engine: deterministic games for two, cycles and draws included.

A state is won or lost if that can be forced, after the fewest moves by the winner and the most by
the loser, and otherwise drawn. `layers` finds all of it in layers of equal distance; the other
methods are those of the study of forward and backward solvers (`engines/study.py`), which find
the same outcomes with their own effort, and `outcomes` and `wins`, which take two bits a state or
one (`engines/lean.py`).
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from backroll.arrays import LOST, WON, Choices, Flags, Longs, Words
from backroll.engines import study
from backroll.engines.checkpoint import Checkpoint, reserved
from backroll.engines.fitting import refuse_too_large
from backroll.engines.layers import Effort, Layers, counted
from backroll.engines.lean import BITS, Lean, room
from backroll.errors import BackrollError, TableError
from backroll.game import Game
from backroll.graph import LIMIT
from backroll.outcomes import Packed, packed, packed_size, worth
from backroll.programs.rhombuses import Checkers
from backroll.solution import Endgame, Progress, Report, silent
from backroll.spec import fingerprint, spec_of
from backroll.states import Numbered, States, number

METHODS = ("auto", "layers", *BITS, "naive", "forward", "backward", "hybrid")
ORDERS = ("up", "down", "shuffled", "cells")
"""The orders in which the study's solvers go through states; the last for Chinese Checkers."""
CHOICES = Choices()
_SEARCHES = ("forward", "backward", "hybrid")
TAKEN = {
    "--unlayered": _SEARCHES,
    "--win-only": _SEARCHES,
    "--back": _SEARCHES,
    "--dup": ("backward",),
    "--further": ("backward",),
    "--order": ("naive", *_SEARCHES),
}
"""The methods that take a choice, or the order of states. Direct is what some can only be."""
WORD = 2
"""Bytes."""


class Solved(NamedTuple):
    """By what method states were solved, and what that took."""

    method: str
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
    `out`, `layers`, `outcomes` and `wins` can be interrupted and taken up again.
    """
    if method not in METHODS:
        raise BackrollError(
            f"expected a method of the retrograde engine, {', '.join(METHODS)}; found {method!r}"
        )
    if threads < 1:
        raise BackrollError(f"expected 1 thread or more, found {threads}")
    refuse_unused(method, choices, order)
    if out is not None and choices.win_only:
        raise TableError(
            f"{spec_of(game)}: expected every outcome for a table, found --win-only; "
            "the method wins keeps a table of wins alone"
        )
    numbered = number(game, limit, progress)
    if method in BITS:
        return _in_bits(game, numbered, method, threads, progress, out)
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
    solved = Solved(method, found.effort, perf_counter() - began)
    return _endgame(game, numbered, words, solved, won_only=won_only, distances=distances)


def refuse_unused(method: str, choices: Choices, order: str) -> None:
    """Refuse choices, or an order of states, that a method would pass over in silence."""
    made = {
        "--unlayered": not choices.layered,
        "--win-only": choices.win_only,
        "--back": not (choices.from_wins and choices.from_losses),
        "--dup": not choices.no_dup,
        "--further": choices.further,
        "--order": order != "up",
    }
    for option, methods in TAKEN.items():
        if made[option] and method not in methods:
            *others, last = methods
            known = f"{', '.join(others)} or {last}" if others else last
            hint = "; the method wins finds wins alone" * (option == "--win-only")
            raise BackrollError(f"expected {option} with {known}, found it with {method}{hint}")


def _by_layers(
    game: Game[Any],
    numbered: Numbered,
    threads: int,
    progress: Progress,
    out: str | Path | None,
) -> Endgame[Any]:
    """Solve by layers; with `out`, so that it can be interrupted and taken up again."""
    size = numbered.states.size
    kept = 0 if out is None else reserved(out)
    refuse_too_large(spec_of(game), size, size, out, kept, number=WORD)
    checkpoint = _checkpoint(game, "layers", out, size, np.uint16)
    with checkpoint or nullcontext():
        layers = Layers(numbered.states, threads, progress, checkpoint)
        layers.solve()
        solved = Solved("layers", layers.effort, layers.seconds)
        return _endgame(game, numbered, layers.words, solved, checkpoint=checkpoint)


def _in_bits(
    game: Game[Any],
    numbered: Numbered,
    method: str,
    threads: int,
    progress: Progress,
    out: str | Path | None,
) -> Endgame[Any]:
    """Solve in two bits a state or one; with `out`, so that it can be taken up again."""
    bits, size = BITS[method], numbered.states.size
    table, kept = packed_size(size, bits), 0 if out is None else reserved(out)
    refuse_too_large(spec_of(game), room(size, bits), table, out, kept, number=1)
    checkpoint = _checkpoint(game, method, out, table, np.uint8)
    with checkpoint or nullcontext():
        lean = Lean(numbered.states, bits, threads, progress, checkpoint)
        lean.solve()
        row, found = _start(game), lean.found()
        state = row if numbered.rows is None else int(numbered.rows[row])
        value = worth(lean.outcome(state), game.total)
        if numbered.rows is not None:
            found = packed(found.take(numbered.rows), bits)
        counts = _counts(found)
        if numbered.flips is not None:
            value = game.total - value if numbered.flips[row] else value
            found = found if bits == 1 else _flipped(found, numbered.flips)
        solved = Solved(method, lean.effort, lean.seconds)
        report = _report(game, numbered, solved, value, counts)
        return Endgame(game, report, numbered.anchors, found, checkpoint)


def _checkpoint(
    game: Game[Any], method: str, out: str | Path | None, size: int, dtype: Any
) -> Checkpoint | None:
    """Where to keep what is solved so far, if that is wanted."""
    if out is None:
        return None
    about = {"spec": spec_of(game), "rules": fingerprint(game), "method": method}
    return Checkpoint(out, about, size, Effort(), dtype)


def _counts(found: Packed) -> dict[str, int]:
    """How many states there are of each outcome that is kept."""
    won, lost = found.counted()[[WON, LOST]].tolist()
    if found.bits == 1:
        return {"won": won}
    return {"won": won, "lost": lost, "drawn": len(found) - won - lost}


def _flipped(found: Packed, flips: Flags) -> Packed:
    """Outcomes of the anchors that are written for the other side turned round."""
    return packed(flipped(found.take(np.arange(len(found))).astype(np.uint16), flips), found.bits)


def _start(game: Game[Any]) -> int:
    """The row of the start."""
    return game.anchor_row(game.start()) if game.anchor_count() else 0


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
    words: Words,
    solved: Solved,
    *,
    won_only: bool = False,
    distances: bool = True,
    checkpoint: Checkpoint | None = None,
) -> Endgame[Any]:
    """The words of the anchors, as the game writes values, and what there is to say of them."""
    words = words if numbered.rows is None else words[numbered.rows]
    found = counted(words)._asdict()
    if numbered.flips is not None:
        words = flipped(words, numbered.flips)
    start = int(words[_start(game)])
    if won_only:  # what is not won was not looked at
        found = {"won": found["won"]}
    elif distances:
        found["distance"] = start >> 2
    else:
        del found["height"]
    value = math.nan if won_only and start & 3 != WON else worth(start, game.total)
    return Endgame(
        game, _report(game, numbered, solved, value, found), numbered.anchors, words, checkpoint
    )


def _report(
    game: Game[Any], numbered: Numbered, solved: Solved, value: float, found: dict[str, int]
) -> Report:
    """What there is to say of a game that is solved: its value, and what was counted."""
    return Report(
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


def flipped(words: Words, flips: Any) -> Words:
    """Words of the anchors that are written for the other side turned round."""
    other = np.array([0, LOST - WON, WON - LOST, 0])[words & 3]
    return np.where(flips, words + other, words).astype(np.uint16)
