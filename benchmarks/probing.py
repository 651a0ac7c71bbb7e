"""Probes a second of a table on disk: anchors one by one, anchors in bulk, the inside of turns."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from papers.sheet import Sheet

import backroll
from backroll import Chance, Choice, Database, Game, load, solve
from backroll.database import save

QUICK, FULL = "pig:target=30", "pig:target=102"
PROBES = 200
"""Probes inside a turn, which recompute it."""
ROUNDS = 5


def sheets(*, quick: bool) -> list[Sheet]:
    spec = QUICK if quick else FULL
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table"
        save(solve(load(spec), engine="general"), path)
        began = perf_counter()
        with backroll.open(path) as database:
            database.value(database.game.start())
            opened = perf_counter() - began
            return [_sheet(spec, database, opened)]


def _sheet(spec: str, database: Database[Any], opened: float) -> Sheet:
    game = database.game
    anchors = [game.parse(text) for text in database.texts()]
    Random(0).shuffle(anchors)
    inside = [_inside(game, anchor) for anchor in anchors[:PROBES]]
    rows = [
        ("value, anchors one by one", *_rate(database.value, anchors)),
        ("values, anchors in bulk", *_bulk(database, anchors)),
        ("value, positions inside a turn", *_rate(database.value, inside)),
        ("moves, positions inside a turn", *_rate(database.moves, inside)),
    ]
    return Sheet(
        f"Probing a table of `{spec}`",
        ("probe", "probes", "probes/s"),
        rows,
        f"{len(anchors):,} anchors; opening the table and the first probe took "
        f"{opened * 1000:.0f} ms.",
    )


def _rate(probe: Callable[[Any], object], positions: Sequence[Any]) -> tuple[str, str]:
    times = []
    for _ in range(ROUNDS):
        began = perf_counter()
        for position in positions:
            probe(position)
        times.append(perf_counter() - began)
    return f"{len(positions):,}", f"{len(positions) / min(times):,.0f}"


def _bulk(database: Database[Any], positions: Sequence[Any]) -> tuple[str, str]:
    times = []
    for _ in range(ROUNDS):
        began = perf_counter()
        database.values(positions)
        times.append(perf_counter() - began)
    return f"{len(positions):,}", f"{len(positions) / min(times):,.0f}"


def _inside(game: Game[Any], anchor: Any) -> Any:
    """The first position of a turn at which its player chooses, if luck lets him."""
    node = game.node(anchor)
    if isinstance(node, Chance):
        for outcome in node.outcomes:
            child = game.play(anchor, outcome)
            if isinstance(game.node(getattr(child, "position", child)), Choice):
                return child
    return anchor
