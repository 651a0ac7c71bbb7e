"""Where figures come from: tables, boards solved on the spot, exact turns, rollouts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backroll.analysis.figures import Basis
from backroll.analysis.rollouts import PlayedByKernels, PlayedInPython
from backroll.analysis.sources import Solved, Source
from backroll.analysis.turns import ByTurns, turn_exact
from backroll.database import Database, open_table
from backroll.errors import MissingTable, NoSolution, NotConverged, TableError, TooManyPositions
from backroll.game import Game
from backroll.games.cantstop.census import census
from backroll.games.cantstop.rules import CantStop
from backroll.index import RowIndex
from backroll.manifest import MANIFEST
from backroll.solving import solve
from backroll.spec import spec_of
from backroll.strategies import strategy
from backroll.strategies.habits import Habitual
from backroll.strategies.optimal import turns_by
from backroll.table import Table


def source_over(database: Database[Any], where: str) -> Source:
    """The source over a database; `where` says what it is."""
    bound, game = database.report.bound, database.game
    exact = bound is not None and math.isfinite(bound)
    basis = Basis(f"exact, {where}" if exact else f"{where}, nothing proven", exact=exact)
    if type(game) is CantStop and isinstance(database.index, RowIndex):
        return ByTurns(turns_by(game, database), basis)
    return Solved(database, basis)


@dataclass(frozen=True)
class Tables:
    """Tables in some folders: those whose spec is that of the game."""

    folders: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what is no folder, as nothing would be found in it."""
        for folder in self.folders:
            if not folder.is_dir():
                raise MissingTable(f"expected a folder of tables, found none at {folder}")

    def of(self, game: Game[Any]) -> Source | None:
        """The first table of the game."""
        for path in _tables(self.folders):
            if _spec(path) == spec_of(game):
                return source_over(open_table(path, game), f"from the table {path.name}")
        return None


def _tables(folders: Iterable[Path]) -> Iterator[Path]:
    """The tables among folders and right inside them, in the order of their names."""
    for folder in folders:
        for path in (folder, *sorted(folder.iterdir())):
            if (path / MANIFEST).is_file():
                yield path


def _spec(path: Path) -> str:
    """What a table is of; nothing if it cannot be read, as it may be of any other game."""
    try:
        with Table(path) as table:
            return table.manifest.spec
    except TableError:
        return ""


@dataclass(frozen=True)
class OnTheSpot:
    """A board that is solved when it is asked for, if that takes seconds."""

    positions: int = 300_000
    """To explore at most: 20,000 to 100,000 take a second."""
    anchors: int = 2_000_000
    """Of games that count them by arithmetic."""
    rolls: int = 400_000_000
    """Of the turns of Can't Stop: about a second for a hundred million."""

    def of(self, game: Game[Any]) -> Source | None:
        """The game solved, if it is small and has a solution."""
        if game.anchor_count() > self.anchors:
            return None
        if type(game) is CantStop and census(game).positions > self.rolls:
            return None
        try:
            return source_over(Database.of(solve(game, limit=self.positions)), "solved just now")
        except (TooManyPositions, NoSolution, NotConverged):
            return None


@dataclass(frozen=True)
class TurnExact:
    """Can't Stop with every turn solved exactly, from an estimate of the anchors."""

    estimate: str = ""
    """By itself the fitted one where there is one, and else the rough one."""

    def of(self, game: Game[Any]) -> Source | None:
        """Turns of Can't Stop."""
        return turn_exact(game, self.estimate) if type(game) is CantStop else None


@dataclass(frozen=True)
class Rollouts:
    """Games that are played on from the position, more and more of them."""

    games: int = 64_000
    """An option, by kernels at most."""
    base: str = ""
    """Who plays on; by itself the model of Can't Stop, and in other games random moves."""
    seconds: float = 2.0
    """For games that are played in plain Python."""
    seed: int = 0
    threads: int = 2

    def of(self, game: Game[Any]) -> Source:
        """Rollouts of any game."""
        known = type(game) is CantStop
        base = strategy(self.base or ("model" if known else "random"))
        if type(game) is CantStop and isinstance(base, Habitual):
            return PlayedByKernels(game, base, self.games, self.seed, self.threads)
        return PlayedInPython(game, base, self.games, self.seed, self.seconds)
