import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import google_crc32c
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backroll import table
from backroll.errors import CorruptTable, MissingTable, TableError, WrongTable
from backroll.index import decode, encode
from backroll.manifest import About
from backroll.table import Table, restore, write
from tiny import flip

ABOUT = About("game:size=1", "abc", "expected score", 1, 1.0, {"bound": float("inf"), "n": 3})
SIZE = 100
VALUES = np.random.default_rng(0).normal(size=SIZE)
FILES = ["manifest.json", "lower.npy", "positions.npy", "upper.npy", "values.npy"]
PER_BLOCK = 256 // 8


def make(path: Path, values: NDArray[np.float64] = VALUES, dtype: str = "float64") -> Path:
    texts = encode(f"({each}, {each})" for each in range(values.size))
    write(path, ABOUT, texts, values, (values - 0.1, values + 0.1), dtype)
    return path


def read(path: Path) -> NDArray[np.float64]:
    with Table(path) as opened:
        decode(opened.texts())
        for bound in (opened.lower, opened.upper):
            assert bound is not None
            bound.take(np.arange(len(bound)))
        return np.array([opened.values.item(row) for row in range(len(opened.values))])


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "BLOCK", 256)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "BLOCK", 256)
        yield make(tmp_path_factory.mktemp("whole") / "table")


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(copytree(whole, tmp_path / "table"))


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = make(tmp_path / "new" / "folders" / "table")
    assert sorted(os.listdir(path)) == sorted(FILES)
    with Table(path) as opened:
        assert decode(opened.texts())[7] == "(7, 7)"
        assert opened.values.take(np.array([5, 3, 5])).tolist() == VALUES[[5, 3, 5]].tolist()
        assert opened.manifest.length == SIZE
        assert opened.manifest.greatest_loss == 0
        assert opened.manifest.report == {"bound": None, "n": 3}
        assert opened.manifest.spec == "game:size=1"
        opened.check()
    assert read(path).tolist() == VALUES.tolist()


def test_the_files_are_plain_npy_and_json(whole: Path) -> None:
    assert np.load(whole / "values.npy", allow_pickle=False).tolist() == VALUES.tolist()
    manifest = (whole / "manifest.json").read_bytes()
    plain = json.loads(manifest)
    assert plain["format"] == "backroll table"
    assert plain["version"] == 1
    assert plain["files"]["values.npy"]["bytes"] == (whole / "values.npy").stat().st_size
    body, seal, _ = manifest.rpartition(b',\n  "crc32c": ')
    assert seal
    assert plain["crc32c"] == f"{google_crc32c.value(body):08x}"


def test_a_table_of_nothing(tmp_path: Path) -> None:
    path = make(tmp_path / "table", np.empty(0))
    assert read(path).size == 0


def test_the_same_table_is_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    again = make(tmp_path / "again")
    for name in FILES:
        assert (again / name).read_bytes() == (whole / name).read_bytes()


def test_float32_says_the_greatest_loss_and_rounds_bounds_outwards(tmp_path: Path) -> None:
    path = make(tmp_path / "table", dtype="float32")
    kept = read(path)
    assert kept.tolist() == VALUES.astype(np.float32).tolist()
    with Table(path) as opened:
        assert opened.manifest.greatest_loss == np.abs(kept - VALUES).max() > 0
        lower, upper = opened.lower, opened.upper
        assert lower is not None
        assert upper is not None
        low, high = lower.whole().astype(float), upper.whole().astype(float)
    assert (low <= VALUES - 0.1).all()
    assert (high >= VALUES + 0.1).all()
    assert np.abs(low - (VALUES - 0.1)).max() < 1e-6
    assert np.abs(high - (VALUES + 0.1)).max() < 1e-6


@pytest.mark.parametrize(
    ("values", "dtype", "message"),
    [
        (np.array([1.0, np.nan]), "float64", "values that float64 can hold, found nan"),
        (np.array([1.0, 1e300]), "float32", r"values that float32 can hold, found 1e\+300"),
        (np.array([1.0]), "float16", "a dtype of float64 or float32, found float16"),
    ],
)
def test_values_that_cannot_be_kept_are_refused(
    tmp_path: Path, values: NDArray[np.float64], dtype: str, message: str
) -> None:
    with pytest.raises(TableError, match=message):
        make(tmp_path / "table", values, dtype)
    assert os.listdir(tmp_path) == []


def test_a_value_too_few_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="expected 2 values, one a position, found 1"):
        write(tmp_path / "table", ABOUT, encode(["a", "b"]), np.zeros(1))


# What is damaged is never answered.


@pytest.mark.parametrize("name", FILES)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_flipped_bit_is_never_a_number(
    whole: Path, tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    copied = tmp_path_factory.mktemp("flipped") / "table"
    copytree(whole, copied)
    file = copied / name
    flip(file, data.draw(st.integers(0, file.stat().st_size * 8 - 1), "bit"))
    with pytest.raises((CorruptTable, WrongTable), match=name):
        read(copied)
    rmtree(copied)


@pytest.mark.parametrize("name", FILES)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_cut_file_is_never_a_number(
    whole: Path, tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    copied = tmp_path_factory.mktemp("cut") / "table"
    copytree(whole, copied)
    file = copied / name
    os.truncate(file, data.draw(st.integers(0, file.stat().st_size - 1), "bytes left"))
    with pytest.raises(CorruptTable, match=name):
        read(copied)
    rmtree(copied)


@pytest.mark.parametrize("name", FILES)
def test_a_longer_file_is_corrupt(copy: Path, name: str) -> None:
    with (copy / name).open("ab") as file:
        file.write(b"\n")
    with pytest.raises(CorruptTable, match=name):
        Table(copy)


@pytest.mark.parametrize("name", [name for name in FILES if name != "manifest.json"])
def test_a_missing_file_is_corrupt(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(CorruptTable, match=f"{name}: the file is missing"):
        Table(copy)


@pytest.mark.parametrize("single", [True, False])
def test_blocks_are_checked_when_they_are_needed(copy: Path, single: bool) -> None:
    file = copy / "values.npy"
    flip(file, (128 + 60 * 8) * 8)  # row 60 lies in block 2
    with Table(copy) as opened:
        get: Callable[[int], Any] = opened.values.item
        if not single:
            get = lambda row: opened.values.take(np.array([row]))[0]  # noqa: E731
        for row in [*range(48), *range(80, SIZE)]:
            assert get(row) == VALUES[row]
        for row in range(48, 80):
            with pytest.raises(CorruptTable, match=r"values\.npy, block 2: expected the checksum"):
                get(row)


def test_another_number_of_values_is_corrupt(copy: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "other", VALUES[:50])
    manifest = json.loads((copy / "manifest.json").read_bytes())
    theirs = json.loads((other / "manifest.json").read_bytes())
    manifest["files"]["values.npy"] = theirs["files"]["values.npy"]
    seal(copy, manifest)
    (copy / "values.npy").write_bytes((other / "values.npy").read_bytes())
    with pytest.raises(CorruptTable, match="expected 100 values and their positions"):
        Table(copy)


def test_a_file_that_is_no_npy_is_corrupt(copy: Path) -> None:
    content = b"not an array of NumPy"
    (copy / "values.npy").write_bytes(content)
    manifest = json.loads((copy / "manifest.json").read_bytes())
    manifest["files"]["values.npy"] |= {
        "bytes": len(content),
        "crc32c": [google_crc32c.value(content)],
    }
    seal(copy, manifest)
    with pytest.raises(CorruptTable, match=r"values\.npy: the magic string is not correct"):
        Table(copy)


def test_another_dtype_than_stated_is_corrupt(copy: Path) -> None:
    manifest = json.loads((copy / "manifest.json").read_bytes())
    seal(copy, manifest | {"dtype": "float32"})
    with pytest.raises(CorruptTable, match=r"\.npy: expected 200 numbers of <f4, found \(100,\)"):
        Table(copy)


# What is whole but something else is told apart.


def seal(path: Path, manifest: dict[str, Any]) -> None:
    manifest.pop("crc32c")
    body = json.dumps(manifest, indent=2).removesuffix("\n}").encode()
    crc = google_crc32c.value(body)
    (path / "manifest.json").write_bytes(body + f',\n  "crc32c": "{crc:08x}"\n}}\n'.encode())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "expected format version 1, found 2, which a newer Backroll writes"),
        ({"version": 0}, "expected format version 1, found 0, which an older Backroll writes"),
        ({"version": "2"}, "expected format version 1, found 2, which a newer Backroll writes"),
        ({"version": None}, "expected format version 1, found None"),
        ({"files": {"values.npy": {"bytes": 1}}}, "expected the fields of format version 1, .*crc"),
        ({"files": []}, "expected the fields of format version 1, found others"),
        ({"format": "zarr"}, "expected the format 'backroll table', found 'zarr'"),
        ({"index": "mixed"}, "expected an index by text .* found mixed and float64"),
        ({"dtype": "int8"}, "expected .* numbers of float64 .* uint1, found text and int8"),
    ],
)
def test_other_formats_and_versions_are_wrong(
    copy: Path, change: dict[str, Any], message: str
) -> None:
    seal(copy, json.loads((copy / "manifest.json").read_bytes()) | change)
    with pytest.raises(WrongTable, match=message):
        Table(copy)


@pytest.mark.parametrize("gone", ["version", "spec", "length", "files"])
def test_a_manifest_without_a_field_is_wrong(copy: Path, gone: str) -> None:
    manifest = json.loads((copy / "manifest.json").read_bytes())
    del manifest[gone]
    seal(copy, manifest)
    with pytest.raises(WrongTable, match=r"expected (the fields of )?format version 1, found"):
        Table(copy)


def test_a_manifest_of_something_else_is_wrong(copy: Path) -> None:
    (copy / "manifest.json").write_text('{"name": "a web page"}')
    with pytest.raises(WrongTable, match="found None"):
        Table(copy)


def test_no_table_is_missing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x")
    (tmp_path / "begun.unfinished").mkdir()
    for name, found in [
        ("none", "nothing there"),
        ("begun", r"one that is not finished, .*begun\.unfinished; the same solve goes on"),
        ("folder", "a folder that is no table"),
        ("file", "a file"),
    ]:
        with pytest.raises(MissingTable, match=f"expected a table, found {found}"):
            Table(tmp_path / name)


def test_a_manifest_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "table" / "manifest.json").mkdir(parents=True)
    with pytest.raises(TableError, match=r"cannot read .*table: Is a directory"):
        Table(tmp_path / "table")


def test_a_file_that_cannot_be_read_is_one_line(copy: Path) -> None:
    (copy / "values.npy").unlink()
    (copy / "values.npy").mkdir()
    with pytest.raises(TableError, match=r"cannot read .*values\.npy: Is a directory"):
        Table(copy)


def test_a_closed_table_answers_nothing(whole: Path) -> None:
    with Table(whole) as opened:
        values = opened.values
        values.item(0)
        copied = values.whole()
    for use in (lambda: values.item(0), lambda: values.take(np.array([0])), opened.texts):
        with pytest.raises(TableError, match="is closed"):
            use()
    assert copied.tolist() == VALUES.tolist()
    opened.close()


# The same table can be made again from its numbers.


def test_restore_gives_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    with Table(whole) as opened:
        restore(tmp_path / "again", opened.content, opened.arrays(), whole)
    for name in FILES:
        assert (tmp_path / "again" / name).read_bytes() == (whole / name).read_bytes()


def test_restore_refuses_other_numbers(whole: Path, tmp_path: Path) -> None:
    with Table(whole) as opened:
        content, arrays = opened.content, opened.arrays()
    arrays["values.npy"][60] += 1e-9
    with pytest.raises(CorruptTable, match=r"^mine: expected .* describes; values\.npy, block 2"):
        restore(tmp_path / "again", content, arrays, "mine")
    del arrays["values.npy"]
    with pytest.raises(CorruptTable, match=r"describes; values\.npy: the file is missing$"):
        restore(tmp_path / "again", content, arrays, "mine")
    assert os.listdir(tmp_path) == []
