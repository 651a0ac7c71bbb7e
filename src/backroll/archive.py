"""Tables in formats that other programs read: CSV and Zarr v3.

Both hold every number exactly, so that a table can be made again to the byte from either, a CSV
file together with the table's manifest.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from backroll.database import Database
from backroll.errors import CorruptTable, MissingTable, TableError
from backroll.index import encode
from backroll.manifest import Manifest
from backroll.outcomes import packed
from backroll.replacing import what_is
from backroll.table import BITS, LOWER, POSITIONS, UPPER, VALUES, WORDS, Table, restore

_FILES = {"value": VALUES, "lower": LOWER, "upper": UPPER}
_FURTHER: tuple[list[str], ...] = ([], ["lower", "upper"], ["word"])


def export_csv(database: Database[Any], file: str | Path | TextIO) -> None:
    """Write `position,value`, and `lower,upper` or `word` if kept; numbers read back exactly."""
    columns = database.columns()
    lists = [each.tolist() for each in columns.values()]
    rows = zip(database.texts(), *lists, strict=True)
    if not isinstance(file, str | Path):
        _write_rows(file, ["position", *columns], rows)
        return
    with _writing(file), open(file, "w", encoding="utf-8", newline="") as opened:
        _write_rows(opened, ["position", *columns], rows)


def _write_rows(file: TextIO, header: list[str], rows: Iterable[tuple[Any, ...]]) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)


def import_csv(file: str | Path, manifest: str | Path, path: str | Path) -> None:
    """Make a table again from a CSV file and the manifest it was exported beside."""
    texts, columns = _read_rows(Path(file))
    content = _content(Path(manifest))
    words = columns.pop("word", None)
    arrays = {_FILES[name]: np.array(column) for name, column in columns.items()}
    arrays[POSITIONS] = encode(texts)
    if words is not None:
        arrays[VALUES] = _words(words, Manifest.decode(content, Path(manifest)).dtype, file)
    restore(path, content, arrays, file)


def _words(column: list[float], dtype: str, file: str | Path) -> NDArray[Any]:
    """Words as a table keeps them."""
    words = np.array(column)
    bits = int(dtype.removeprefix("uint")) if dtype in WORDS else 0
    wrong = ~((words >= 0) & (words < 2**bits) & (np.floor(words) == words))
    if wrong.any():
        line = int(np.argmax(wrong)) + 2
        raise CorruptTable(
            f"{file}, line {line}: expected a word of {dtype}, found {words[line - 2]}"
        )
    return np.asarray(packed(words, bits).data) if dtype in BITS else words


def _read_rows(file: Path) -> tuple[list[str], dict[str, list[float]]]:
    with _reading(file), file.open(encoding="utf-8", newline="") as opened:
        rows = csv.reader(opened)
        header = next(rows, [])
        if header[:2] != ["position", "value"] or header[2:] not in _FURTHER:
            raise TableError(
                f"{file}: expected the columns position,value[,lower,upper] or [,word], "
                f"found {','.join(header) or 'nothing'}"
            )
        texts: list[str] = []
        columns: dict[str, list[float]] = {name: [] for name in header[1:]}
        for row in rows:
            if len(row) != len(header):
                wanted, found = ",".join(header), ",".join(row)
                raise CorruptTable(
                    f"{file}, line {rows.line_num}: expected {wanted}, found {found!r}"
                )
            texts.append(row[0])
            for column, number in zip(columns.values(), row[1:], strict=True):
                column.append(float(number))
        return texts, columns


def _content(manifest: Path) -> bytes:
    with _reading(manifest):
        return manifest.read_bytes()


@contextmanager
def _writing(file: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise TableError(f"cannot write {file}: {error.strerror or error}") from error


@contextmanager
def _whole_or_gone(folder: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


@contextmanager
def _reading(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise TableError(f"cannot read {file}: {error.strerror or error}") from error
    except (ValueError, csv.Error) as error:
        raise CorruptTable(f"{file}: {error}") from error


def export_zarr(table: str | Path, path: str | Path) -> None:
    """Write a table as a Zarr v3 group: an array a file, the manifest among its attributes."""
    zarr = _zarr()
    if Path(path).exists():
        raise TableError(f"{path}: expected nothing there, found {what_is(path)}")
    with Table(table) as opened:
        arrays = opened.arrays()
        with _writing(path), _whole_or_gone(Path(path)):
            group = zarr.open_group(path, mode="w-", zarr_format=3)
            group.attrs["manifest"] = opened.content.decode()
            for name, array in arrays.items():
                group.create_array(Path(name).stem, data=array)


def import_zarr(path: str | Path, table: str | Path) -> None:
    """Make a table again from its Zarr group."""
    zarr = _zarr()
    if not Path(path).is_dir():
        raise MissingTable(f"{path}: expected a Zarr group, found nothing there")
    try:
        group = zarr.open_group(path, mode="r", zarr_format=3)
        manifest = group.attrs["manifest"].encode()
        arrays = {f"{name}.npy": _array(array) for name, array in group.arrays()}
    except Exception as error:  # zarr, its store and its codecs each raise their own
        raise CorruptTable(f"{path}: {type(error).__name__}: {error}") from error
    restore(table, manifest, arrays, path)


def _array(array: Any) -> NDArray[Any]:
    return np.asarray(array[:])


def _zarr() -> Any:
    try:
        import zarr
    except ImportError:
        raise TableError("Zarr needs the package zarr: pip install 'backroll[archive]'") from None
    return zarr
