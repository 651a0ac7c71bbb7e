"""What befalls a checkpoint: full disks, damage, runs of something else."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numpy.typing import NDArray

from backroll import table
from backroll.engines import checkpoint
from backroll.engines.checkpoint import JOURNAL, NUMBERS
from backroll.errors import WrongTable
from commands import data, refused, run
from stopping import PIG, solved, stopped


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where tables go; a checkpoint is made at each level."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    monkeypatch.setattr(checkpoint, "SHARE", 0.0)
    return tmp_path


@pytest.mark.parametrize("missing", [True, False])
def test_where_places_cannot_be_taken_noughts_are_written(
    missing: bool, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing:
        monkeypatch.delattr(os, "posix_fallocate")
    else:
        monkeypatch.setattr(os, "posix_fallocate", failing(errno.EOPNOTSUPP))
    monkeypatch.setattr(checkpoint, "CHUNK", 100)
    numbers = stopped(place / "table") / NUMBERS
    assert numbers.stat().st_size == 8 * 81
    assert 512 * numbers.stat().st_blocks >= 8 * 81
    assert solved(PIG, place / "table").value == solved(PIG).value


def failing(number: int) -> Callable[..., Any]:
    def fail(*arguments: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def test_a_full_disk_at_the_beginning(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "posix_fallocate", failing(errno.ENOSPC))
    line = refused("solve", PIG, "--out", "table")
    assert line == (
        "backroll: cannot keep a checkpoint in table.unfinished: No space left on device\n"
    )
    assert os.listdir(place) == []


def test_a_file_that_may_not_grow(place: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, hard))
    try:
        line = refused("solve", PIG, "--out", "table")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "cannot keep a checkpoint in table.unfinished: File too large" in line
    assert os.listdir(place) == []


def test_a_full_disk_at_a_later_checkpoint(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = stopped(place / "table")
    kept = (folder / JOURNAL).read_bytes()
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", failing(errno.ENOSPC))
        line = refused("solve", PIG, "--out", "table")
    assert line == (
        "backroll: cannot keep a checkpoint in table.unfinished: No space left on device; "
        "what is solved so far is kept in table.unfinished, "
        "and the same command goes on from there\n"
    )
    assert (folder / JOURNAL).read_bytes() == kept
    assert data("solve", PIG, "--out", "table")["value"] == solved(PIG).value


def test_a_full_disk_while_the_table_is_saved(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as full:
        full.setattr(table, "_save", failing(errno.ENOSPC))
        line = refused("solve", PIG, "--out", "table")
    assert line == (
        "backroll: cannot write table: No space left on device; "
        "what is solved so far is kept in table.unfinished, "
        "and the same command goes on from there\n"
    )
    heard: list[int] = []
    found = solved(PIG, place / "table", progress=lambda stage, done, total: heard.append(done))
    assert found.value == solved(PIG).value
    assert heard == []  # everything was solved before


def test_an_interrupt_while_the_table_is_saved(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(path: Path, array: NDArray[Any]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(table, "_save", interrupt)
    line = refused("solve", PIG, "--out", "table", code=130)
    assert line.startswith(
        "backroll: interrupted; what is solved so far is kept in table.unfinished"
    )
    assert os.listdir(place) == ["table.unfinished"]


@pytest.mark.parametrize(
    ("spec", "rest", "said"),
    [
        ("pig:target=10", (), f"expected a checkpoint with spec pig:target=10, found {PIG}"),
        (PIG, ("--method", "topological", "--engine", "turns"), "method topological iteration, f"),
        (PIG, ("--start", "half"), "with start half, found neighbours"),
        (PIG, ("--unmerged", "players"), "with players False, found True"),
    ],
)
def test_a_checkpoint_of_something_else_is_left_alone(
    spec: str, rest: tuple[str, ...], said: str, place: Path
) -> None:
    folder = stopped(place / "table")
    files = {each.name: each.read_bytes() for each in folder.iterdir()}
    line = refused("solve", spec, "--out", "table", *rest)
    assert line.startswith("backroll: table.unfinished: ")
    assert said in line
    assert line.endswith("; remove the folder to start anew\n")
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == files


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("__version__", "expected a checkpoint with backroll 9.9, found"),
        ("VERSION", "expected a checkpoint with version 9.9, found 1"),
    ],
)
def test_a_checkpoint_of_another_version_is_left_alone(
    name: str, said: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped(place / "table")
    with monkeypatch.context() as later:
        later.setattr(checkpoint, name, "9.9")
        assert said in refused("solve", PIG, "--out", "table")
    run("solve", PIG, "--out", "table")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("name", "damage", "said"),
    [
        (JOURNAL, cut, "the journal is not as it was written"),
        (JOURNAL, emptied, "the journal is not as it was written"),
        (JOURNAL, flipped, "the journal is not as it was written"),
        (NUMBERS, cut, "expected 648 bytes, found 628"),
        (NUMBERS, emptied, "expected 648 bytes, found 0"),
        (NUMBERS, Path.unlink, "expected 648 bytes, found no file"),
    ],
)
def test_damage_is_one_line_and_nothing_is_lost(
    name: str, damage: Callable[[Path], None], said: str, place: Path
) -> None:
    folder = stopped(place / "table")
    damage(folder / name)
    files = {each.name: each.read_bytes() for each in folder.iterdir()}
    line = refused("solve", PIG, "--out", "table")
    assert line.startswith(f"backroll: table.unfinished/{name}: ")
    assert said in line
    assert line.endswith("; remove table.unfinished to start anew\n")
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == files


def test_each_bit_of_the_journal_is_sealed(place: Path) -> None:
    folder = stopped(place / "table")
    content = (folder / JOURNAL).read_bytes()
    for bit in range(0, 8 * len(content) - 8, 29):  # the last byte is the newline
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        (folder / JOURNAL).write_bytes(changed)
        with pytest.raises(WrongTable, match="not as it was written"):
            checkpoint._sealed(folder / JOURNAL)


def test_a_flipped_bit_of_the_numbers_is_found_by_verifying(place: Path) -> None:
    numbers = stopped(place / "table") / NUMBERS
    content = bytearray(numbers.read_bytes())
    content[8 * 80 + 5] ^= 1  # of the anchor 8/8, which was done first
    numbers.write_bytes(content)
    run("solve", PIG, "--out", "table")
    assert data("verify", "table", "--all", code=1)["where"] == "8/8/0"


@pytest.mark.parametrize("changed", [{"level": ...}, {"counts": {"games": 1}}])
def test_a_journal_with_other_fields_is_left_alone(changed: dict[str, Any], place: Path) -> None:
    folder = stopped(place / "table")
    fields = checkpoint._sealed(folder / JOURNAL) | changed
    kept = {name: each for name, each in fields.items() if each is not ...}
    (folder / JOURNAL).write_bytes(checkpoint._seal(kept))
    line = refused("solve", PIG, "--out", "table")
    assert line.startswith("backroll: table.unfinished/journal.json: expected a level, seconds and")
    assert line.endswith("; remove table.unfinished to start anew\n")
