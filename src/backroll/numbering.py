"""What the contract asks of anchors that are found by arithmetic.

Every anchor that was met, and what stands for it, must have a row at which stands a position that
`symmetry` takes for the same; nothing else may have one. And of rows drawn at random each must
have a position that leads back to it: a row without one could be neither filled nor verified.
"""

from __future__ import annotations

from contextlib import suppress
from numbers import Integral
from random import Random
from typing import Any

from backroll.contract import Broken, Inspector
from backroll.game import ABSENT, Terminal

ROWS = 200
"""How many rows are drawn."""


def numbered(inspector: Inspector, random: Random) -> None:
    """Ask whether positions and rows are inverse, if the game says that it has rows."""
    with suppress(Broken):
        count = _count(inspector)
        if count == 0:
            return
        stand = [each for _, each in inspector.alike]
        for position in dict.fromkeys([*inspector.children, *stand]):
            with suppress(Broken):
                _has_its_row(inspector, position, count)
        for row in sorted({0, count - 1, *(random.randrange(count) for _ in range(ROWS))}):
            with suppress(Broken):
                _leads_back(inspector, row, count)


def _count(inspector: Inspector) -> int:
    ledger = inspector.ledger
    with ledger.asking("anchor_count()"):
        count = inspector.game.anchor_count()
    if not isinstance(count, Integral) or count < 0:
        ledger.stop("anchor_count() gives no count", f"expected 0 or more, found {count!r}")
    return count


def _row(inspector: Inspector, position: Any, count: int) -> int:
    ledger = inspector.ledger
    with ledger.asking("anchor_row()", position):
        row = inspector.game.anchor_row(position)
    if not isinstance(row, Integral) or not ABSENT <= row < count:
        detail = f"expected {ABSENT} to {count - 1:,}, found {row!r}"
        ledger.stop("anchor_row() gives no row", detail, position)
    return row


def _has_its_row(inspector: Inspector, position: Any, count: int) -> None:
    """Ask whether an anchor has a row, and whether that row is its own."""
    game, ledger = inspector.game, inspector.ledger
    row = _row(inspector, position, count)
    with ledger.asking("anchor()", position):
        anchor = game.anchor(position)
    if row == ABSENT:
        if anchor and not isinstance(game.node(position), Terminal):
            ledger.note("anchor_row() misses an anchor", f"found {row}", position)
        return
    if not anchor:
        ledger.stop("anchor_row() takes for an anchor what is none", f"found {row:,}", position)
    with ledger.asking("anchor_at()", position, after=f"row {row:,}: "):
        back = game.anchor_at(row)
        same = game.symmetry(back) == game.symmetry(position)
    if not same:
        detail = f"at its row, {row:,}, stands {ledger.text(back)}"
        ledger.note("anchor_at() is not the inverse of anchor_row()", detail, position)


def _leads_back(inspector: Inspector, row: int, count: int) -> None:
    """Ask whether a row has a position like any other, which has that row."""
    ledger = inspector.ledger
    with ledger.asking("anchor_at()", after=f"row {row:,}: "):
        position = inspector.game.anchor_at(row)
    inspector.hashable(position, f"row {row:,}: ")
    found = _row(inspector, position, count)
    if found != row:
        detail = f"it stands at row {row:,}, found {found:,}"
        ledger.stop("anchor_row() is not the inverse of anchor_at()", detail, position)
    inspector.visit(position)
