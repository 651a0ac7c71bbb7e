"""Backroll solves games of chance and skill exactly, by working backwards from their ends."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from backroll._version import __version__
from backroll.errors import BackrollError
from backroll.game import COST, SCORE, WIN, Chance, Choice, Game, Swap, Terminal

if TYPE_CHECKING:
    from backroll.board.showing import show
    from backroll.database import Database
    from backroll.database import open_table as open
    from backroll.solution import Endgame, Report, Solution
    from backroll.solving import solve
    from backroll.spec import load
    from backroll.verifying import verify
    from backroll.wrappers import fix

_LATER = {
    "Database": "backroll.database:Database",
    "Endgame": "backroll.solution:Endgame",
    "Report": "backroll.solution:Report",
    "Solution": "backroll.solution:Solution",
    "fix": "backroll.wrappers:fix",
    "load": "backroll.spec:load",
    "open": "backroll.database:open_table",
    "show": "backroll.board.showing:show",
    "solve": "backroll.solving:solve",
    "verify": "backroll.verifying:verify",
}

__all__ = [
    "COST",
    "SCORE",
    "WIN",
    "BackrollError",
    "Chance",
    "Choice",
    "Database",
    "Endgame",
    "Game",
    "Report",
    "Solution",
    "Swap",
    "Terminal",
    "__version__",
    "fix",
    "load",
    "open",
    "show",
    "solve",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Import what needs NumPy or Numba only when it is asked for."""
    if name not in _LATER:
        raise AttributeError(f"module 'backroll' has no attribute {name!r}")
    module, _, attribute = _LATER[name].partition(":")
    return getattr(import_module(module), attribute)
