"""The manifest of a table: what was solved, how, and the checksums of every file.

It is JSON that ends with a seal, a CRC-32C of every byte before it, so that no other reading of
the file is needed to know that it is whole.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import google_crc32c

from backroll.errors import CorruptTable, WrongTable

MANIFEST = "manifest.json"
FORMAT = "backroll table"
VERSION = 1
OPENING = f'{{\n  "format": "{FORMAT}"'.encode()
"""How the manifest of any table begins, whatever its version."""


@dataclass(frozen=True, slots=True)
class File:
    """A file of a table, with a checksum for each block of it."""

    bytes: int
    block: int
    crc32c: list[int]


@dataclass(frozen=True, slots=True)
class About:
    """What the numbers are about; the writer of a table says it."""

    spec: str
    rules: str
    """A fingerprint of the rules, empty for a game of Backroll."""
    quantity: str
    players: int
    total: float
    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Manifest(About):
    """What the numbers are about and how they are kept."""

    index: str
    length: int
    dtype: str
    greatest_loss: float
    """The largest difference between a number kept and the number solved."""
    versions: dict[str, str]
    files: dict[str, File]

    def encode(self) -> bytes:
        """The manifest as the bytes of its file."""
        plain = {"format": FORMAT, "version": VERSION, **_finite(asdict(self))}
        text = json.dumps(plain, indent=2, allow_nan=False, default=lambda number: number.item())
        body = text.removesuffix("\n}").encode()
        return body + _seal(body)

    @classmethod
    def decode(cls, content: bytes, path: Path) -> Manifest:
        """The inverse of `encode`, for bytes that may be anything."""
        found = _json(content)
        if isinstance(found, dict) and found.get("format") != FORMAT:
            raise WrongTable(
                f"{path}: expected the format {FORMAT!r}, found {found.get('format')!r}"
            )
        body = content[: -len(_seal(b""))]
        if not isinstance(found, dict) or content != body + _seal(body):
            raise CorruptTable(f"{path}: the manifest is not as it was written")
        version = found.get("version")
        if version != VERSION:
            older = isinstance(version, int) and version < VERSION
            raise WrongTable(
                f"{path}: expected format version {VERSION}, found {version}, "
                f"which {'an older' if older else 'a newer'} Backroll writes"
            )
        try:
            fields = {name: found[name] for name in (*About.__slots__, *cls.__slots__)}
            files = {name: File(**entry) for name, entry in found["files"].items()}
        except (KeyError, TypeError, AttributeError) as error:
            raise WrongTable(
                f"{path}: expected the fields of format version {VERSION}, found others ({error})"
            ) from error
        return cls(**{**fields, "files": files})


def _seal(body: bytes) -> bytes:
    """The end of a manifest: the checksum of all that comes before."""
    return f',\n  "crc32c": "{google_crc32c.value(body):08x}"\n}}\n'.encode()


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _finite(value: Any) -> Any:
    """Plain data with null for what JSON cannot hold: an infinite bound."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value
