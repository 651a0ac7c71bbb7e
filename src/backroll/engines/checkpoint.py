"""Work that can be interrupted: the engine's table on disk, and a journal of how far it is.

The folder beside the place of the final table has the numbers, which threads write as they go,
and `journal.json`, replaced whole once a level is done and its numbers are on the disk. Whatever
happens at whatever moment, a run that is taken up again starts behind the last level the journal
names and writes everything after it anew.
"""

from __future__ import annotations

import json
import mmap
import os
import shutil
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import Any

import google_crc32c
import numpy as np

from backroll._version import __version__
from backroll.arrays import Floats
from backroll.engines.jobs import Counts
from backroll.errors import TableError, WrongTable

JOURNAL, NUMBERS = "journal.json", "numbers.f8"
FORMAT, VERSION = "backroll checkpoint", 1
EVERY = 10.0
"""Seconds between checkpoints."""


def folder_of(path: str | Path) -> Path:
    """Where the checkpoint of a table is kept."""
    place = Path(path)
    return place.with_name(f"{place.name}.unfinished")


class Checkpoint:
    """A table on disk that is being filled."""

    def __init__(self, path: str | Path, about: dict[str, Any], size: int) -> None:
        self.folder = folder_of(path)
        self._about = {"format": FORMAT, "version": VERSION, "backroll": __version__, **about}
        self._saved = monotonic()
        self.level: int | None = None
        """The last level that is done."""
        self.counts = Counts()
        self.seconds = 0.0
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._take_up()
            self._map = self._mapped(8 * size)
        except OSError as error:
            raise self._failed(error) from error
        self.table: Floats = np.frombuffer(self._map, np.float64)

    def _failed(self, error: OSError) -> TableError:
        return TableError(
            f"cannot keep a checkpoint in {self.folder}: {error.strerror or error}; "
            "what was kept before is still there"
        )

    def _take_up(self) -> None:
        """Read the journal of an earlier run, if there is one."""
        journal = self.folder / JOURNAL
        if not journal.exists():
            return
        found = _sealed(journal)
        about = {name: found.get(name) for name in self._about}
        if about != self._about:
            name = next(name for name in self._about if about[name] != self._about[name])
            raise WrongTable(
                f"{self.folder}: expected a checkpoint with {name} {self._about[name]}, "
                f"found {about[name]}; remove the folder to start anew"
            )
        self.level, self.seconds = found["level"], found["seconds"]
        self.counts = Counts(**found["counts"])

    def _mapped(self, size: int) -> mmap.mmap:
        """The numbers, all of their place on the disk taken from the start."""
        numbers = self.folder / NUMBERS
        if self.level is not None and (not numbers.exists() or numbers.stat().st_size != size):
            raise WrongTable(f"{numbers}: expected {size:,} bytes; remove the folder to start anew")
        descriptor = os.open(numbers, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            os.posix_fallocate(descriptor, 0, size)
            os.ftruncate(descriptor, size)
            return mmap.mmap(descriptor, size)
        finally:
            os.close(descriptor)

    def done(self, level: int, counts: Counts, seconds: float, *, now: bool = False) -> None:
        """Say that a level is done; it is kept if the last checkpoint is some time ago."""
        self.level, self.counts, self.seconds = level, counts, seconds
        if now or monotonic() - self._saved >= EVERY:
            self.keep()

    def keep(self) -> None:
        """Put the numbers on the disk, and then the journal that says so."""
        if self.level is None:
            return
        plain = {
            **self._about,
            "level": self.level,
            "seconds": self.seconds,
            "counts": asdict(self.counts),
        }
        new = self.folder / f"{JOURNAL}.new"
        try:
            self._map.flush()
            with new.open("wb") as file:
                file.write(_seal(plain))
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self.folder / JOURNAL)
        except OSError as error:
            raise self._failed(error) from error
        self._saved = monotonic()


def discard(path: str | Path) -> None:
    """Remove the checkpoint of a table that is whole."""
    shutil.rmtree(folder_of(path), ignore_errors=True)


def _seal(plain: dict[str, Any]) -> bytes:
    body = json.dumps(plain, indent=2).encode()
    return body + b"\n" + f"{google_crc32c.value(body):08x}\n".encode()


def _sealed(journal: Path) -> dict[str, Any]:
    body, _, seal = journal.read_bytes().rstrip(b"\n").rpartition(b"\n")
    try:
        found = json.loads(body) if f"{google_crc32c.value(body):08x}".encode() == seal else None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise WrongTable(
            f"{journal}: the journal is not as it was written; "
            f"remove {journal.parent} to start anew"
        )
    return found
