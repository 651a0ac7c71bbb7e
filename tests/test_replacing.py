import os
import resource
import subprocess
import sys
from pathlib import Path
from shutil import rmtree

import numpy as np
import pytest
from numpy.typing import NDArray

from backroll.errors import MissingTable, TableError
from backroll.index import encode
from backroll.manifest import About
from backroll.table import Table, write

ABOUT = About("game:size=1", "abc", "expected score", 1, 1.0, {})
VALUES = np.random.default_rng(0).normal(size=100)
OTHER = VALUES + 1


def make(path: Path, values: NDArray[np.float64] = VALUES) -> Path:
    write(path, ABOUT, encode(map(str, range(values.size))), values)
    return path


def read(path: Path) -> list[float]:
    with Table(path) as opened:
        opened.check()
        return opened.values.whole().tolist()  # type: ignore[no-any-return]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return make(tmp_path / "table")


def test_a_table_replaces_a_table(copy: Path) -> None:
    with Table(copy) as opened:
        make(copy, OTHER[:5])
        assert opened.values.whole().tolist() == VALUES.tolist()  # it was open: it stays
    assert read(copy) == OTHER[:5].tolist()
    assert os.listdir(copy.parent) == ["table"]


def test_a_corrupt_table_is_replaced(copy: Path) -> None:
    with (copy / "manifest.json").open("a") as file:
        file.write("x")
    make(copy)
    assert read(copy) == VALUES.tolist()


def test_an_empty_folder_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    assert read(make(tmp_path / "table")) == VALUES.tolist()


def test_a_link_to_a_table_stays_a_link(copy: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(copy)
    make(link, OTHER)
    assert link.is_symlink()
    assert read(copy) == read(link) == OTHER.tolist()


def test_what_is_no_table_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("dear")
    (tmp_path / "file").write_text("x")
    for name, found in [("mine", "a folder that is no table"), ("file", "a file")]:
        with pytest.raises(TableError, match=f"table to replace, or nothing, found {found}"):
            make(tmp_path / name)
    assert (tmp_path / "mine" / "letter").read_text() == "dear"
    assert (tmp_path / "file").read_text() == "x"
    assert sorted(os.listdir(tmp_path)) == ["file", "mine"]


def test_a_place_where_nothing_can_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(TableError, match=r"^cannot write .*table: (File exists|Not a directory)$"):
        make(tmp_path / "file" / "table")


def test_a_full_disk_leaves_the_old_table(copy: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, hard))  # no file may be longer
    try:
        with pytest.raises(TableError, match=r"^cannot write .*table: "):
            make(copy, OTHER)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert read(copy) == VALUES.tolist()
    assert os.listdir(copy.parent) == ["table"]


@pytest.mark.parametrize(("failing", "left"), [(1, ["table"]), (2, ["table"]), (1, [])])
def test_a_rename_that_fails_leaves_what_was_there(
    copy: Path, monkeypatch: pytest.MonkeyPatch, failing: int, left: list[str]
) -> None:
    rename, calls = os.rename, []

    def fail(source: Path, target: Path) -> None:
        calls.append(source)
        if len(calls) == failing:
            raise OSError(13, "Permission denied")
        rename(source, target)

    monkeypatch.setattr(os, "rename", fail)
    if not left:
        rmtree(copy)
    with pytest.raises(TableError, match=r"^cannot write .*table: Permission denied$"):
        make(copy, OTHER)
    assert os.listdir(copy.parent) == left
    if left:
        assert read(copy) == VALUES.tolist()


KILLED = """
import os, sys
from pathlib import Path
import numpy as np
from backroll.index import encode
from backroll.manifest import About
from backroll.table import write

def make(path, size):
    texts = encode(map(str, range(size)))
    write(path, About("game", "", "expected score", 1, 1.0, {}), texts, np.arange(size) + 0.5)

def killed(path, step):
    "Write in a child that dies without a word before its step-th change of files."
    left = step
    def watch(event, arguments):
        nonlocal left
        writing = event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_CREAT
        if writing or event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir"):
            left -= 1
            if left == 0:
                os._exit(9)
    child = os.fork()
    if child == 0:
        sys.addaudithook(watch)
        make(path, 7)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9

folder = Path(sys.argv[1])
for old in (0, 1):
    step = 1
    while True:
        path = folder / f"{old}-{step}" / "table"
        path.parent.mkdir()
        if old:
            make(path, 3)
        if not killed(path, step):
            break
        step += 1
"""


def test_kill_leaves_the_old_table_or_the_new_one_whole(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, tmp_path], check=True)
    found = []
    for place in tmp_path.iterdir():
        try:
            with Table(place / "table") as opened:
                opened.check()
                found.append((place.name[0], len(opened.values)))
        except MissingTable:
            found.append((place.name[0], 0))
        make(place / "table", OTHER)
        assert os.listdir(place) == ["table"]
        assert read(place / "table") == OTHER.tolist()
    assert {size for old, size in found if old == "0"} == {0, 7}
    assert {size for old, size in found if old == "1"} == {3, 7}
    assert found.count(("1", 7)) > 2  # among them kills while the old one was being removed
    assert len(found) > 12


def test_after_a_kill_between_the_renames_the_old_table_is_read_and_put_back(
    copy: Path, tmp_path: Path
) -> None:
    os.rename(copy, tmp_path / ".table.backroll-old")
    (tmp_path / ".table.backroll-new-0123abcd").mkdir()
    (tmp_path / ".table.backroll-new-of-someone-else").mkdir()
    assert read(copy) == VALUES.tolist()
    with pytest.raises(TableError):
        make(copy, np.array([np.inf]))
    write(copy, ABOUT, encode(["a"]), np.zeros(1))
    assert read(copy) == [0.0]
    assert sorted(os.listdir(tmp_path)) == [".table.backroll-new-of-someone-else", "table"]
