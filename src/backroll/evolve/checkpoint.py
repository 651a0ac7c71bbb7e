"""Evolutions on disk: what they were given, and how each generation was judged.

That is all: a search that is told the same is the same (`backroll.evolve.searches`). The file is
replaced whole after each generation and ends with a checksum. Two processes at one evolution do
the same work twice and no harm.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import google_crc32c

from backroll.errors import EvolutionError
from backroll.evolve.evolution import Generation
from backroll.evolve.settings import Settings

FORMAT, VERSION = "backroll evolution", 1
JOURNAL = "evolution.json"
LATER = {"generations", "finals", "measured"}
"""Settings that may differ when an evolution is taken up again."""


class Journal:
    """The generations of an evolution, on disk where there is a folder for them."""

    def __init__(self, folder: Path | None, settings: Settings) -> None:
        self._folder, self._settings = folder, settings
        self.generations: list[Generation] = []
        if folder is not None:
            _ensure_folder(folder)
            if (folder / JOURNAL).exists():
                self.generations = _read(folder / JOURNAL, settings)

    def keep(self, generation: Generation) -> None:
        """Add a generation."""
        self.generations.append(generation)
        if self._folder is None:
            return
        plain = {
            "format": FORMAT,
            "version": VERSION,
            "settings": asdict(self._settings),
            "generations": [asdict(each) for each in self.generations],
        }
        write(self._folder / JOURNAL, _sealed(json.dumps(plain).encode()))

    def told(self) -> str:
        """Where an evolution that was interrupted can be taken up again."""
        if self._folder is None or not self.generations:
            return "nothing is kept"
        return f"{len(self.generations)} generations are kept in {self._folder}"


def write(path: Path, content: bytes) -> None:
    """Write a file, or replace it, whole or not at all."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with new.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        raise EvolutionError(f"cannot write {path}: {error.strerror}") from error


def _ensure_folder(folder: Path) -> None:
    """Make the folder; one with other things in it is no place for an evolution."""
    if not folder.exists():
        try:
            folder.mkdir(parents=True)
        except OSError as error:
            raise EvolutionError(f"cannot make {folder}: {error.strerror}") from error
    if not folder.is_dir() or (any(folder.iterdir()) and not _begun(folder)):
        raise EvolutionError(f"{folder}: expected a folder of an evolution, or nothing")


def _begun(folder: Path) -> bool:
    """Whether an evolution is there, or one that was stopped before its first generation."""
    names = [each.name for each in folder.iterdir()]
    return JOURNAL in names or all(name.startswith(f".{JOURNAL}.") for name in names)


def _sealed(body: bytes) -> bytes:
    return body + f"\n{google_crc32c.value(body):08x}\n".encode()


def _read(path: Path, settings: Settings) -> list[Generation]:
    """The generations of a file; EvolutionError if it is broken, or of another evolution."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise EvolutionError(f"cannot read {path}: {error.strerror}") from error
    found = _plain(content)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise EvolutionError(
            f"{path}: expected a checkpoint as it was written, found it broken; remove it to begin "
            "anew"
        )
    if found.get("version") != VERSION:
        raise EvolutionError(
            f"{path}: expected format version {VERSION}, found {found.get('version')}"
        )
    for name, value in asdict(settings).items():
        kept = found["settings"].get(name)
        if name not in LATER and kept != value:
            raise EvolutionError(
                f"{path}: expected an evolution with {name}={value}, found {name}={kept}; "
                "choose another folder"
            )
    return [Generation(**{**each, "turns": tuple(each["turns"])}) for each in found["generations"]]


def _plain(content: bytes) -> Any:
    """What a file says, if its checksum is right."""
    body, _, _ = content.rstrip(b"\n").rpartition(b"\n")
    if content != _sealed(body):
        return None
    try:
        return json.loads(body)
    except ValueError:
        return None
