"""Solves that are stopped, at any moment and in any way, and taken up again."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from backroll.engines import checkpoint, turns
from backroll.engines.checkpoint import JOURNAL, LOCK, NUMBERS, Checkpoint
from backroll.engines.jobs import Counts
from backroll.errors import NotConverged, TableError
from backroll.replacing import unfinished
from commands import refused, run
from stopping import PIG, counted, solved, stopped, stopping


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where tables go; a checkpoint is made at each level."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    monkeypatch.setattr(checkpoint, "SHARE", 0.0)
    return tmp_path


BOARDS = [
    "cantstop:sides=2,shortest=2,columns=2",
    "cantstop:sides=2,shortest=2,players=1",
    "cantstop:sides=2,shortest=1,columns=2,occupied=jump",
]


@pytest.mark.parametrize("spec", [PIG, *BOARDS])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_run_taken_up_again_gives_the_same_bits_and_counts(
    spec: str, threads: int, place: Path
) -> None:
    whole = solved(spec, threads=2)
    for after in (1, 5, 9):  # each goes on from the one before
        folder = stopped(place / "table", after, spec, threads=threads)
    assert (folder / JOURNAL).exists()
    found = solved(spec, place / "table", threads=threads)
    assert found.values.tobytes() == whole.values.tobytes()
    assert counted(found.report) == counted(whole.report)


def test_seconds_add_up(place: Path) -> None:
    folder = stopped(place / "table")
    body, _ = (folder / JOURNAL).read_bytes().rsplit(b"\n", 2)[:2]
    journal = json.loads(body)
    (folder / JOURNAL).write_bytes(checkpoint._seal(journal | {"seconds": 1000.0}))
    assert 1000 < solved(PIG, place / "table").report.seconds["solve"] < 1100


def test_the_same_command_finishes_with_the_same_table(place: Path) -> None:
    run("solve", PIG, "--out", "whole")
    stopped(place / "table")
    run("solve", PIG, "--out", "table", "--threads", "5")
    assert sorted(os.listdir(place)) == ["table", "whole"]
    assert Path("table/values.npy").read_bytes() == Path("whole/values.npy").read_bytes()


def test_progress_goes_on_from_where_it_was(place: Path) -> None:
    stopped(place / "table")
    heard: list[tuple[int, int | None]] = []
    solved(PIG, place / "table", progress=lambda stage, done, total: heard.append((done, total)))
    done, total = heard[0]
    assert total is not None
    assert done > total / 30  # what was done before is done
    assert [each for each, _ in heard] == sorted(each for each, _ in heard)
    assert heard[-1] == (total, total)


def test_nothing_is_left_where_nothing_was_solved(place: Path) -> None:
    with pytest.raises(KeyboardInterrupt) as stop:
        solved(PIG, place / "table", progress=stopping(0, KeyboardInterrupt))
    assert not hasattr(stop.value, "__notes__")
    assert os.listdir(place) == []


def test_what_does_not_settle_leaves_what_did(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = stopped(place / "table")
    monkeypatch.setattr(turns, "LIMIT", 1)
    with pytest.raises(NotConverged) as found:
        solved(PIG, place / "table")
    assert str(folder) in found.value.__notes__[0]
    monkeypatch.undo()
    assert solved(PIG, place / "table").value == solved(PIG).value


def test_a_checkpoint_takes_a_small_share_of_the_time(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    kept = []
    monkeypatch.setattr(checkpoint, "monotonic", lambda: now)
    monkeypatch.setattr(checkpoint, "EVERY", 10.0)
    monkeypatch.setattr(checkpoint, "SHARE", 20.0)
    found = Checkpoint(place / "table", {}, 4, Counts())
    keep = found.keep

    def slow() -> None:
        nonlocal now
        kept.append(now)
        took, found._map = found._map, Slow()  # type: ignore[assignment]
        keep()
        found._map = took

    class Slow:
        def flush(self) -> None:
            nonlocal now
            now += 3.0

    monkeypatch.setattr(found, "keep", slow)
    for level in range(200):
        now += 1.0
        found.done(200 - level, Counts(), 0.0)
    assert kept == [110.0, 173.0, 236.0, 299.0]
    found.release()
    found.discard()


HOLDS = """
import sys
from pathlib import Path
from backroll.engines.checkpoint import Checkpoint
from backroll.engines.jobs import Counts
held = Checkpoint(Path("table"), {}, 1, Counts())
print("held", flush=True)
sys.stdin.read()
"""


def test_two_processes_cannot_solve_to_the_same_place() -> None:
    first = subprocess.Popen(
        [sys.executable, "-c", HOLDS], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert first.stdout is not None
        assert first.stdout.readline() == b"held\n"
        line = refused("solve", PIG, "--out", "table")
        assert "table.unfinished: expected nobody at work there, found another process" in line
        assert Path("table.unfinished", NUMBERS).stat().st_size == 8
    finally:
        first.kill()
        first.communicate()
    run("solve", PIG, "--out", "table")  # a process that is gone holds nothing
    assert not Path("table.unfinished").exists()


def test_a_solution_is_held_until_it_is_saved(place: Path) -> None:
    found = solved(PIG, place / "table")
    with pytest.raises(TableError, match="expected nobody at work there"):
        solved(PIG, place / "table")
    assert found.checkpoint is not None
    found.checkpoint.discard()
    assert os.listdir(place) == []


def test_a_lock_that_was_removed_meanwhile_is_taken_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, calls = checkpoint._lock, []

    def late(descriptor: int) -> bool:
        calls.append(descriptor)
        if len(calls) == 1:
            (unfinished(place / "table") / LOCK).unlink()
        return lock(descriptor)

    monkeypatch.setattr(checkpoint, "_lock", late)
    held = Checkpoint(place / "table", {}, 1, Counts())
    assert len(calls) == 2
    with pytest.raises(TableError):
        Checkpoint(place / "table", {}, 1, Counts())
    held.discard()


class NoLocks:
    """A disk that has none."""

    LOCK_EX = LOCK_NB = 0

    def flock(self, descriptor: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")


@pytest.mark.parametrize("fcntl", [None, NoLocks()])
def test_where_there_are_no_locks_nobody_is_refused(
    fcntl: object, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "fcntl", fcntl)
    run("solve", PIG, "--out", "table")
    assert os.listdir(place) == ["table"]


def test_what_others_put_beside_is_left_alone(place: Path) -> None:
    folder = stopped(place / "table")
    (folder / "letter").write_text("dear")
    run("solve", PIG, "--out", "table")
    assert os.listdir(folder) == ["letter"]
    Path("other.unfinished").write_text("mine")
    line = refused("solve", PIG, "--out", "other")
    assert "cannot keep a checkpoint in other.unfinished: File exists" in line
    assert Path("other.unfinished").read_text() == "mine"


def test_another_engine_leaves_a_checkpoint_alone(place: Path) -> None:
    folder = stopped(place / "table")
    run("solve", PIG, "--out", "table", "--engine", "general")
    assert (folder / JOURNAL).exists()


def test_a_place_without_a_name_has_a_checkpoint_beside_it(place: Path) -> None:
    (place / "empty").mkdir()
    os.chdir("empty")
    assert unfinished(".") == place / "empty.unfinished"
    assert unfinished("..") == place.with_name(f"{place.name}.unfinished")
    assert unfinished("a/b") == Path("a/b.unfinished")


def test_counts_survive_the_journal(place: Path) -> None:
    folder = stopped(place / "table")
    found = Counts(**checkpoint._sealed(folder / JOURNAL)["counts"])
    assert 0 < found.components < solved(PIG).report.components
    assert asdict(found)["apart"] == 0
