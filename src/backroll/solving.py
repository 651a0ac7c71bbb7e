"""Solve a game by the engine that suits it."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from backroll.arrays import Choices
from backroll.database import save as save_table
from backroll.engines import general, methods, retrograde, turns
from backroll.errors import BackrollError
from backroll.game import Game
from backroll.graph import LIMIT
from backroll.programs.boards import MERGED, Merging
from backroll.solution import Progress, Solution, silent
from backroll.spec import spec_of

ENGINES = ("auto", "general", "turns", "retrograde")
NEWTON = ("auto", "newton")
"""The methods that turns take by themselves."""


def solve(
    game: Game[Any],
    method: str = "auto",
    *,
    engine: str = "auto",
    bounds: bool = False,
    limit: int = LIMIT,
    threads: int | None = None,
    start: str = "neighbours",
    merging: Merging = MERGED,
    choices: Choices = retrograde.CHOICES,
    order: str = "up",
    progress: Progress = silent,
    out: str | Path | None = None,
) -> Solution[Any]:
    """Solve a game exactly: its value, and the value of every anchor.

    `engine` is one of `ENGINES`: by itself the turns engine where it knows the game and Newton's
    method will do, the retrograde one for games that say they have no chance if it has the method,
    and the general one everywhere else. `bounds` keeps a proven lower and upper value per anchor.
    `limit` is how many positions may be explored. `threads`, by itself as many as there are
    processors, are for the turns and the retrograde engine. For turns alone: where components
    `start`; what `merging` takes for the same. `out` is the place of a table to come, beside which
    they keep what they have solved so far. For games without chance: the `choices` of a method and
    the `order` of states.
    """
    if engine not in ENGINES:
        raise BackrollError(f"expected an engine among {', '.join(ENGINES)}; found {engine!r}")
    if engine == "auto":
        engine = _suited(game, method)
    if engine != "turns" and (start != "neighbours" or merging != MERGED):
        raise BackrollError("expected the turns engine where the start or merging is chosen")
    if engine != "retrograde":
        retrograde.refuse_unused(method, choices, order)
    if engine == "turns":
        return turns.solve(
            game,
            method,
            start=start,
            merging=merging,
            threads=processors() if threads is None else threads,
            bounds=bounds,
            progress=progress,
            out=out,
        )
    if engine == "retrograde":
        if bounds:
            raise BackrollError(
                "expected no bounds where there is no chance, as outcomes are exact; "
                "the general engine gives some"
            )
        return retrograde.solve(
            game,
            method,
            choices=choices,
            order=order,
            limit=limit,
            threads=processors() if threads is None else threads,
            progress=progress,
            out=out,
        )
    return general.solve(game, method, bounds=bounds, limit=limit, progress=progress)


def _suited(game: Game[Any], method: str) -> str:
    """The engine that has a method and suits a game."""
    if method in NEWTON and turns.suits(game):
        return "turns"
    if method in retrograde.METHODS and retrograde.suits(game):
        return "retrograde"
    if method in methods.METHODS:
        return "general"
    if method in retrograde.METHODS:
        raise BackrollError(
            f"{spec_of(game)}: expected a game that says it has no chance for the method {method}; "
            "one without that does not say so takes --engine retrograde"
        )
    every = dict.fromkeys((*methods.METHODS, *retrograde.METHODS))
    raise BackrollError(f"expected a method among {', '.join(every)}; found {method!r}")


def save(solution: Solution[Any], out: str | Path, dtype: str = "float64") -> None:
    """Keep a solution as a table, and then remove what was kept of it while it was solved."""
    with solution.checkpoint or nullcontext():
        save_table(solution, out, dtype)
    if solution.checkpoint is not None:
        solution.checkpoint.discard()


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
