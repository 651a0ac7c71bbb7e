"""A table's folder takes the place of another: at every moment the old or the new one, whole.

The new folder is filled beside its place under a name of its own, synced, and renamed. An older
table is first renamed aside and removed last; if everything stops between the two renames,
readers find the old one aside and the next write puts it back.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backroll.errors import TableError
from backroll.manifest import MANIFEST, OPENING


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A new folder beside a path, which takes its place if all goes well and is gone if not."""
    try:
        place = Path(path).resolve()
        place.parent.mkdir(parents=True, exist_ok=True)
        _tidy(place)
        ensure_replaceable(path)
        folder = place.with_name(f".{place.name}.backroll-new-{secrets.token_hex(4)}")
        folder.mkdir()
        try:
            yield folder
            _sync(folder)
            _swap(folder, place)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    except OSError as error:
        raise TableError(f"cannot write {path}: {error.strerror or error}") from error


def ensure_replaceable(path: str | Path) -> None:
    """Raise TableError if something other than a table, or nothing, is there."""
    place = Path(path)
    if not place.exists() or (place.is_dir() and (_is_table(place) or not any(place.iterdir()))):
        return
    raise TableError(f"{path}: expected a table to replace, or nothing, found {what_is(path)}")


def standing_at(path: Path) -> Path:
    """Where the table of a path is: there, or aside if a write stopped between its renames."""
    if path.exists() or not path.name:
        return path
    aside = _aside(path.resolve())
    return aside if aside.exists() else path


def unfinished(path: str | Path) -> Path:
    """Where a table is kept while it is being solved."""
    place = Path(path)
    if place.name in ("", ".."):
        place = place.resolve()
    return place.with_name(f"{place.name}.unfinished")


def what_is(path: str | Path) -> str:
    """What stands in the place of a table, for a message."""
    place = Path(path)
    if not place.exists():
        kept = unfinished(place)
        if not kept.is_dir():
            return "nothing there"
        return f"one that is not finished, {kept}; the same solve goes on from there"
    return "a folder that is no table" if place.is_dir() else "a file"


def save_bytes(path: Path, content: bytes) -> None:
    """Write a new file and wait until it is on the disk."""
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _swap(folder: Path, place: Path) -> None:
    aside = _aside(place)
    replaced = place.exists()
    if replaced:
        os.rename(place, aside)
    try:
        os.rename(folder, place)
    except OSError:
        if replaced:
            os.rename(aside, place)
        raise
    _sync(place.parent)
    shutil.rmtree(aside, ignore_errors=True)


def _tidy(place: Path) -> None:
    """Clear what a write that stopped left beside a path, and put back what it took."""
    aside = _aside(place)
    if aside.exists() and not place.exists():
        os.rename(aside, place)
    leftover = re.compile(re.escape(f".{place.name}.backroll-") + "(old|new-[0-9a-f]{8})")
    for each in place.parent.iterdir():
        if leftover.fullmatch(each.name):
            shutil.rmtree(each)


def _aside(place: Path) -> Path:
    return place.with_name(f".{place.name}.backroll-old")


def _is_table(place: Path) -> bool:
    manifest = place / MANIFEST
    return manifest.is_file() and manifest.read_bytes().startswith(OPENING)


def _sync(folder: Path) -> None:
    """Make a folder's list of names last through a loss of power."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
