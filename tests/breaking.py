"""A good game to break, and what must hold of all findings."""

from __future__ import annotations

from typing import Any

from backroll.game import SCORE, Chance, Choice, Game, Terminal
from backroll.testing import Finding, check


class Walk(Game[tuple[int, int]]):
    """A good game to break: step or toss towards 4; what the tosses brought is the score."""

    players = 1
    quantity = SCORE
    total = 5.0

    def start(self) -> Any:
        return 0, 0

    def node(self, position: Any) -> Any:
        at, won = position
        if at >= 4:
            return Terminal(won)
        return Chance({0: 1, 1: 2}) if at % 2 else Choice(["short", "long"])

    def play(self, position: Any, move: Any) -> Any:
        at, won = position
        if isinstance(move, int):
            return at + 1, won + move
        return at + (1 if move == "short" else 2), won


def found(game: Game[Any], **options: Any) -> list[Finding]:
    """The findings, which must be the same every time and few of a kind."""
    findings = check(game, **options)
    assert check(game, **options) == findings
    kinds = [finding.problem for finding in findings]
    assert all(kinds.count(kind) <= 3 for kind in kinds)
    return findings


def only(game: Game[Any], problem: str, position: str, detail: str, **options: Any) -> None:
    """That a game has findings of one kind, and the first of them."""
    findings = found(game, **options)
    assert {finding.problem for finding in findings} == {problem}
    assert findings[0].position == position
    assert detail in findings[0].detail


PLACES = [(0, 0), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (4, 0), (4, 1), (4, 2)]
"""Every position of the good game."""


class Numbered(Walk):
    """The good game with a row for every position, but for the answers that are given."""

    def __init__(self, *, count: Any = 9, rows: Any = None, places: Any = None) -> None:
        self.count, self.rows, self.places = count, rows or {}, places or {}

    def anchor_count(self) -> Any:
        return self.count

    def anchor_row(self, position: Any) -> Any:
        return self.rows[position] if position in self.rows else PLACES.index(position)

    def anchor_at(self, row: int) -> Any:
        return self.places[row] if row in self.places else PLACES[row]
