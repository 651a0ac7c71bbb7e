"""Solves that are stopped on purpose, to be taken up again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backroll import Report, Solution, load
from backroll.engines import turns
from backroll.replacing import unfinished

PIG = "pig:target=9"
COUNTED = ("components", "positions", "anchors", "iterations", "rolls", "bound", "residual")


def solved(spec: str, out: Path | None = None, **rest: Any) -> Solution[Any]:
    return turns.solve(load(spec), out=out, **rest)


def stopping(after: int, by: Callable[[], BaseException]) -> Any:
    """Progress that stops the solver once so many jobs are done."""
    calls = 0

    def progress(stage: str, done: int, total: int | None) -> None:
        nonlocal calls
        calls += 1
        if calls > after:
            raise by()

    return progress


def stopped(out: Path, after: int = 8, spec: str = PIG, **rest: Any) -> Path:
    """The folder of a solve that was interrupted."""
    with pytest.raises(KeyboardInterrupt):
        solved(spec, out, progress=stopping(after, KeyboardInterrupt), **rest)
    return unfinished(out)


def counted(report: Report) -> dict[str, Any]:
    return {name: getattr(report, name) for name in COUNTED}
