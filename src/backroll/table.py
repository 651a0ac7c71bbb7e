"""A table: a folder of plain `.npy` files and a manifest that says what they are.

    manifest.json   what was solved and how, and a CRC-32C of every 1 MiB block of every file
    values.npy      a number an anchor
    lower.npy, upper.npy   proven bounds, if they were asked for
    positions.npy   the text of each anchor, a newline after each, as bytes; missing where the
                    game finds its anchors by arithmetic

A table knows no rules. It is written into a folder beside its place, synced, and renamed: at
every moment there is the old table or the new one, whole. No number is returned before the
blocks that it lies in have been checked.
"""

from __future__ import annotations

import mmap
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import google_crc32c
import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from backroll._version import __version__
from backroll.errors import CorruptTable, MissingTable, TableError, WrongTable
from backroll.manifest import MANIFEST, About, File, Manifest
from backroll.outcomes import Packed, packed_size
from backroll.replacing import replacing, save_bytes, standing_at, what_is

BLOCK = 1 << 20
DTYPES = {
    "float64": "<f8", "float32": "<f4", "uint8": "|u1", "uint16": "<u2", "uint2": "|u1",
    "uint1": "|u1",
}  # fmt: skip
FLOATS, WORDS = ("float64", "float32"), ("uint8", "uint16", "uint2", "uint1")
"""Numbers as solved or rounded; and words, which say who wins and in how many moves, or packed
into bytes who wins, or who is to move and wins (`backroll.outcomes`)."""
BITS = {"uint2": 2, "uint1": 1}
"""Of what is packed."""
TEXT = "|u1"
VALUES, LOWER, UPPER, POSITIONS = "values.npy", "lower.npy", "upper.npy", "positions.npy"
TEXTS, ROWS = "text", "rows"
"""Indexes: by the text of each anchor, which the table has, or by arithmetic of the game's."""


class Column:
    """One file of a table, memory-mapped; every block is checked before its first use."""

    def __init__(self, path: Path, file: File, dtype: str) -> None:
        self._path = path
        self._file = file
        self._checked = bytearray(len(file.crc32c))
        try:
            with path.open("rb") as opened:
                found = os.fstat(opened.fileno()).st_size
                if found != file.bytes:
                    raise CorruptTable(f"{path}: expected {file.bytes:,} bytes, found {found:,}")
                self._map = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError:
            raise CorruptTable(f"{path}: the file is missing") from None
        except OSError as error:
            raise TableError(f"cannot read {path}: {error.strerror or error}") from error
        self._start, self._numbers = self._open(dtype)

    def _open(self, dtype: str) -> tuple[int, NDArray[Any]]:
        """Where the numbers start, and the numbers, by the header in the first block."""
        self._check(0)
        try:
            npy.read_magic(self._map)
            shape, _, found = npy.read_array_header_1_0(self._map)
            numbers = np.frombuffer(self._map, dtype, offset=self._map.tell())
        except ValueError as error:
            raise CorruptTable(f"{self._path}: {error}") from error
        if found.str != dtype or shape != numbers.shape:
            raise CorruptTable(
                f"{self._path}: expected {numbers.size:,} numbers of {dtype}, "
                f"found {shape} of {found.str}"
            )
        return self._map.tell(), numbers

    def __len__(self) -> int:
        return self._numbers.size

    def item(self, row: int) -> Any:
        """One number."""
        block = (self._start + row * self._numbers.itemsize) // self._file.block
        if not self._checked[block]:
            self._check(block)
        return self._numbers.item(row)

    def take(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        """The numbers of many rows, as a copy."""
        blocks = (self._start + rows * self._numbers.itemsize) // self._file.block
        for block in np.unique(blocks).tolist():
            if not self._checked[block]:
                self._check(block)
        return self._numbers.take(rows)

    def whole(self) -> NDArray[Any]:
        """All the numbers, as a copy."""
        self.check()
        return self._numbers.copy()

    def check(self) -> None:
        """Check every block."""
        for block in range(len(self._checked)):
            self._check(block)

    def _check(self, block: int) -> None:
        if self._map.closed:
            raise TableError(f"{self._path.parent} is closed")
        start = block * self._file.block
        found = google_crc32c.value(self._map[start : start + self._file.block])
        if found != self._file.crc32c[block]:
            raise CorruptTable(
                f"{self._path}, block {block}: expected the checksum "
                f"{self._file.crc32c[block]:08x}, found {found:08x}"
            )
        self._checked[block] = 1

    def close(self) -> None:
        """Let go of the file; any later use is a TableError."""
        self._checked = bytearray(len(self._checked))
        self._numbers = np.empty(0, self._numbers.dtype)
        self._map.close()


class Table:
    """A table on disk, open for reading; a context manager."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            folder = standing_at(self.path)
            self.content = (folder / MANIFEST).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            raise MissingTable(f"{path}: expected a table, found {what_is(path)}") from None
        except OSError as error:
            raise TableError(f"cannot read {path}: {error.strerror or error}") from error
        self.manifest = manifest = Manifest.decode(self.content, folder / MANIFEST)
        if manifest.index not in (TEXTS, ROWS) or manifest.dtype not in DTYPES:
            raise WrongTable(
                f"{path}: expected an index by text or rows and numbers of {' or '.join(DTYPES)}, "
                f"found {manifest.index} and {manifest.dtype}"
            )
        self._columns = {
            name: Column(folder / name, file, _dtype(name, manifest.dtype))
            for name, file in manifest.files.items()
        }
        wanted = {VALUES} if manifest.index == ROWS else {VALUES, POSITIONS}
        bits = BITS.get(manifest.dtype)
        numbers = packed_size(manifest.length, bits) if bits else manifest.length
        if not wanted <= manifest.files.keys() or any(
            len(column) != numbers for name, column in self._columns.items() if name != POSITIONS
        ):
            raise CorruptTable(f"{path}: expected {manifest.length:,} values and their positions")

    @property
    def values(self) -> Column:
        """The values of the anchors; of packed ones, the bytes."""
        return self._columns[VALUES]

    @property
    def lower(self) -> Column | None:
        """The lower bounds, if the table keeps them."""
        return self._columns.get(LOWER)

    @property
    def upper(self) -> Column | None:
        """The upper bounds, if the table keeps them."""
        return self._columns.get(UPPER)

    def texts(self) -> NDArray[np.uint8]:
        """The text of each anchor, a newline after each, as bytes."""
        return self._columns[POSITIONS].whole()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Every file's numbers, all of them checked."""
        return {name: column.whole() for name, column in self._columns.items()}

    def check(self) -> None:
        """Check every block of every file."""
        for column in self._columns.values():
            column.check()

    def close(self) -> None:
        """Let go of the files."""
        for column in self._columns.values():
            column.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def write(
    path: str | Path,
    about: About,
    texts: NDArray[np.uint8] | None,
    values: NDArray[Any] | Packed,
    bounds: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None,
    dtype: str = "float64",
) -> None:
    """Write a table, in place of an older one if there is one.

    Without texts it is found by the rows of the game. In float32 values are rounded, and the
    greatest loss is kept; bounds are rounded outwards. Words are kept in bytes if they fit.
    """
    length = len(values) if texts is None else int(np.count_nonzero(texts == ord("\n")))
    if any(len(each) != length for each in (values, *(bounds or ()))):
        raise TableError(f"expected {length:,} values, one a position, found {len(values):,}")
    dtype, values = _kept_as(values, dtype)
    kept = _rounded(values, DTYPES[dtype])
    if not np.isfinite(kept).all():
        worst = values[np.argmin(np.isfinite(kept))]
        raise TableError(f"expected values that {dtype} can hold, found {worst}")
    arrays = {VALUES: kept} if texts is None else {VALUES: kept, POSITIONS: texts}
    if bounds:
        arrays[LOWER] = _outwards(bounds[0], DTYPES[dtype], -np.inf)
        arrays[UPPER] = _outwards(bounds[1], DTYPES[dtype], np.inf)
    loss = 0.0 if dtype in WORDS else _greatest_loss(values, kept)
    with replacing(path) as folder:
        files = {name: _save(folder / name, array) for name, array in arrays.items()}
        manifest = Manifest(
            **asdict(about),
            index=ROWS if texts is None else TEXTS,
            length=length,
            dtype=dtype,
            greatest_loss=loss,
            versions=_versions(),
            files=files,
        )
        save_bytes(folder / MANIFEST, manifest.encode())


def _kept_as(values: NDArray[Any] | Packed, dtype: str) -> tuple[str, NDArray[Any]]:
    """In which form values are kept, and the numbers of that."""
    if isinstance(values, Packed):
        return f"uint{values.bits}", np.asarray(values.data)
    if values.dtype == np.uint16:
        return WORDS[int(values.max(initial=0)) > np.iinfo(np.uint8).max], values
    if dtype not in FLOATS:
        raise TableError(f"expected a dtype of {' or '.join(FLOATS)}, found {dtype}")
    return dtype, values


def restore(
    path: str | Path, manifest: bytes, arrays: Mapping[str, NDArray[Any]], source: str | Path
) -> None:
    """Write a table again from its manifest and its numbers: the same bytes, or CorruptTable.

    `source` is where the numbers come from, for the message.
    """
    described = Manifest.decode(manifest, Path(MANIFEST))
    with replacing(path) as folder:
        for name in described.files.keys() & arrays.keys():
            array = np.ascontiguousarray(arrays[name], _dtype(name, described.dtype))
            _save(folder / name, array)
        save_bytes(folder / MANIFEST, manifest)
        try:
            with Table(folder) as table:
                table.check()
        except CorruptTable as error:  # it names a folder that is about to be gone
            found = str(error).replace(f"{folder}{os.sep}", "").replace(str(folder), "the table")
            raise CorruptTable(f"{source}: expected what its manifest describes; {found}") from None


def _dtype(name: str, dtype: str) -> str:
    return TEXT if name == POSITIONS else DTYPES[dtype]


def _versions() -> dict[str, str]:
    return {
        "backroll": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def _rounded(numbers: NDArray[np.float64], dtype: str) -> NDArray[Any]:
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(numbers, dtype)


def _greatest_loss(values: NDArray[np.float64], kept: NDArray[Any]) -> float:
    """The most that rounding took away, found piece by piece: both may fill half of the memory."""
    if kept.dtype == values.dtype:
        return 0.0
    pieces = (slice(start, start + BLOCK) for start in range(0, values.size, BLOCK))
    return max((float(np.abs(values[each] - kept[each]).max()) for each in pieces), default=0.0)


def _outwards(numbers: NDArray[np.float64], dtype: str, outside: float) -> NDArray[Any]:
    """Bounds in a dtype, none nearer to the value than it was."""
    rounded = _rounded(numbers, dtype)
    inside = (rounded > numbers) if outside < 0 else (rounded < numbers)
    return np.where(inside, np.nextafter(rounded, np.array(outside, dtype)), rounded)


def _save(path: Path, array: NDArray[Any]) -> File:
    with path.open("xb") as file:
        npy.write_array(file, array, (1, 0), allow_pickle=False)
        file.flush()
        os.fsync(file.fileno())
    with path.open("rb") as file:
        checksums = [google_crc32c.value(block) for block in iter(lambda: file.read(BLOCK), b"")]
    return File(path.stat().st_size, BLOCK, checksums)
