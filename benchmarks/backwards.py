"""A game without chance as a user writes it: explored, and in arrays."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

from papers.sheet import Sheet

from backroll import Endgame, load, solve

TAG = Path(__file__).with_name("tag.py")
QUICK, FULL = "rows=6,columns=7", "rows=14,columns=16"
WAYS = {"explored": "Tag", "in arrays": "TagInArrays"}


def sheets(*, quick: bool) -> list[Sheet]:
    rounds = 1 if quick else 3
    board = QUICK if quick else FULL
    found = {way: _fastest(f"{TAG}:{name},{board}", rounds) for way, name in WAYS.items()}
    slowest = max(seconds for seconds, _ in found.values())
    rows = [_row(way, *each, slowest) for way, each in found.items()]
    headers = ("way", "positions", "drawn", "farthest", "seconds", "positions/s", "ratio")
    note = "Everything after the import: states, layers on two threads, no table."
    return [Sheet("A game in plain Python, backwards", headers, rows, note)]


def _fastest(spec: str, rounds: int) -> tuple[float, Endgame[Any]]:
    """The shortest time of some rounds, and what was found."""
    times = []
    for _ in range(rounds):
        began = perf_counter()
        found = solve(load(spec), threads=2)
        times.append(perf_counter() - began)
    assert isinstance(found, Endgame)
    return min(times), found


def _row(way: str, seconds: float, found: Endgame[Any], slowest: float) -> tuple[str, ...]:
    counts, positions = found.report.counts, found.report.positions
    return (
        way,
        *(f"{positions:,}", f"{counts['drawn']:,}", f"{counts['height']}"),
        *(f"{seconds:.2f}", f"{positions / seconds:,.0f}", f"{slowest / seconds:.1f}"),
    )
