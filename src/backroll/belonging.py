"""Whether a table belongs to a game, and the report that came with it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from backroll._version import __version__
from backroll.errors import WrongTable
from backroll.game import Game
from backroll.manifest import Manifest
from backroll.solution import Report
from backroll.spec import fingerprint, spec_of


def report_of(path: Path, manifest: Manifest) -> Report:
    """What a table says of how it was made."""
    # JSON has no infinity: a bound of null says that nothing was proven
    fields: dict[str, Any] = {
        name: math.inf if each is None else each for name, each in manifest.report.items()
    }
    try:
        return Report(**fields)
    except TypeError as error:
        raise WrongTable(
            f"{path}: expected a report that Backroll {__version__} writes, found one of "
            f"Backroll {manifest.versions.get('backroll')} ({error})"
        ) from error


def check_game(path: Path, manifest: Manifest, game: Game[Any]) -> None:
    """WrongTable if a table is not of this game, by these rules."""
    if spec_of(game) != manifest.spec:
        raise WrongTable(f"{path}: expected a table of {spec_of(game)}, found {manifest.spec}")
    if fingerprint(game) != manifest.rules:
        raise WrongTable(
            f"{path}: the file of {manifest.spec} has changed since the table was made; "
            "solve the game again"
        )
    wanted = (game.quantity, game.players, game.total)
    found = (manifest.quantity, manifest.players, manifest.total)
    if wanted != found:
        raise WrongTable(
            f"{path}: expected the quantity, players and total {wanted}, found {found}; "
            "the rules have changed since the table was made, so solve the game again"
        )
