"""Saved games: a file of JSON each, written whole or not at all, and never run.

The name of a file is the id of its game, which `secrets` made: no text of a request becomes one.
A file is replaced, not synced: it survives the end of the process, and where the machine itself
fails a game may be lost. What cannot be read is left where it is and said.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from backroll.web.matches import Match

FORMAT = "backroll saved game 1"
LARGEST = 1_000_000
"""Bytes of a file."""
ID = re.compile(r"[A-Za-z0-9_-]{22,64}")


@dataclass(frozen=True, slots=True)
class Saved:
    """A game as it is kept."""

    id: str
    owner: str
    """The session that plays it."""
    spec: str
    seats: tuple[str, ...]
    seed: int
    start: str | None
    """Where it began, if that was not the start of the game."""
    moves: tuple[str, ...]
    """The texts of moves and of what came up."""

    @classmethod
    def of(cls, id: str, owner: str, spec: str, match: Match) -> Saved:
        """A match as it is now."""
        start = None if match.whole else match.start
        return cls(id, owner, spec, match.seats, match.seed, start, tuple(match.moves))


class Store:
    """The folder of saved games; without one nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def save(self, saved: Saved) -> None:
        """Keep a game, in place of what was kept of it."""
        if self.folder is None:
            return
        beside = self.folder / f".{saved.id}.new"
        said = {"format": FORMAT, **asdict(saved)}
        beside.write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
        os.replace(beside, self._file(saved.id))

    def remove(self, id: str) -> None:
        """Forget a game."""
        if self.folder is not None:
            self._file(id).unlink(missing_ok=True)

    def all(self) -> Iterator[Saved]:
        """What can be read, the file that was written last at the end."""
        if self.folder is None:
            return
        for file in sorted(self.folder.glob("*.json"), key=lambda file: file.stat().st_mtime_ns):
            try:
                yield _read(file)
            except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
                said = " ".join(f"{type(error).__name__}: {error}".split())
                print(f"backroll: {file}: expected a saved game, found {said}", file=sys.stderr)

    def _file(self, id: str) -> Path:
        assert self.folder is not None
        assert ID.fullmatch(id)
        return self.folder / f"{id}.json"


def _read(file: Path) -> Saved:
    if file.stat().st_size > LARGEST:
        raise ValueError(f"more than {LARGEST:,} bytes")
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    if found["format"] != FORMAT or found["id"] != file.stem or not ID.fullmatch(file.stem):
        raise ValueError("another format, or the name of another game")
    seats, moves = (tuple(map(str, found[name])) for name in ("seats", "moves"))
    start = None if found["start"] is None else str(found["start"])
    id, owner, spec = (str(found[name]) for name in ("id", "owner", "spec"))
    return Saved(id, owner, spec, seats, int(found["seed"]), start, moves)
