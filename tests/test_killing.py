"""Solves from the command line that are killed, or interrupted, until they are done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from backroll.engines.checkpoint import JOURNAL
from commands import data, refused, run
from stopping import COUNTED


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where tables go."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


FIXED = (*COUNTED, "counts")
"""What a report says whether the solve was interrupted or not."""

KILLED = """
import os, random, signal, sys, time
from backroll.cli import app
from backroll.engines import checkpoint
checkpoint.EVERY = checkpoint.SHARE = 0.0
spec, seed, longest = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
method = sys.argv[4]
said, sys.stdout = sys.stdout, open(os.devnull, "w")
try:
    app(["solve", spec, "--method", method, "--out", "first"])  # so that no child compiles
except SystemExit as done:
    assert done.code == 0
pick = random.Random(seed)
kills = 0
while True:
    threads = pick.choice("123")
    child = os.fork()
    if child == 0:
        app(["solve", spec, "--method", method, "--out", "killed", "--threads", threads])
    deadline = time.monotonic() + pick.random() * longest
    status = None
    while time.monotonic() < deadline and status is None:
        done, code = os.waitpid(child, os.WNOHANG)
        status = code if done else None
        time.sleep(0.001)
    if status is None:
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0
        break
    kills += os.path.exists("killed.unfinished/journal.json")
    longest *= 1.2  # so that it comes to an end on a busy machine too
print(kills, file=said)
"""


def killed_again_and_again(
    spec: str,
    seed: int,
    longest: float,
    method: str = "auto",
    counted: tuple[str, ...] = FIXED,
) -> int:
    """How often a solve was killed and left something to go on from, until the table was right."""
    command = [sys.executable, "-c", KILLED, spec, str(seed), str(longest), method]
    kills = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    report = data("solve", spec, "--method", method, "--out", "whole")
    assert Path("killed/values.npy").read_bytes() == Path("whole/values.npy").read_bytes()
    found = data("info", "killed")["report"]
    assert {name: found[name] for name in counted} == {name: report[name] for name in counted}
    assert not Path("killed.unfinished").exists()
    return kills


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("spec", "seed"),
    [
        ("cantstop:sides=3,shortest=1", 0),
        ("cantstop:sides=3,shortest=1", 1),
        ("chinesecheckers:size=5", 2),
        ("chinesecheckers:size=4,pieces=3", 3),
    ],
)
def test_kill_at_random_moments(spec: str, seed: int) -> None:
    assert killed_again_and_again(spec, seed, 0.2) > 0


@pytest.mark.compiled
@pytest.mark.parametrize("method", ["outcomes", "wins"])
def test_kill_at_random_moments_where_only_bits_are_kept(method: str) -> None:
    """How many passes were needed is another matter: what is not won is looked at again."""
    counted = ("value", "positions", "anchors")
    assert killed_again_and_again("chinesecheckers:size=6", 3, 0.3, method, counted) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "longest"),
    [
        ("cantstop:sides=3", 1.0),
        ("cantstop:sides=3,shortest=2,occupied=jump", 0.5),
        ("cantstop:sides=4,shortest=2,players=1", 0.5),
        ("pig:target=100", 0.5),
        ("chinesecheckers", 0.5),
        ("chinesecheckers:size=5,pieces=3", 1.0),
    ],
)
def test_kill_at_random_moments_of_longer_solves(spec: str, longest: float) -> None:
    assert killed_again_and_again(spec, 7, longest) > 0


KILLED_AT_EACH_CHANGE = """
import os, sys
from backroll.cli import app
from backroll.engines import checkpoint
checkpoint.EVERY = checkpoint.SHARE = 0.0
said, sys.stdout = sys.stdout, open(os.devnull, "w")
try:
    app(["solve", "pig:target=5", "--out", "first"])  # no child has anything to import
except SystemExit as done:
    assert done.code == 0

def killed(step):
    "Solve in a child that dies without a word before its step-th change of files."
    left = step
    def watch(event, arguments):
        nonlocal left
        writing = event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_CREAT
        if writing or event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate"):
            left -= 1
            if left == 0:
                os._exit(9)
    child = os.fork()
    if child == 0:
        sys.addaudithook(watch)
        app(["solve", "pig:target=5", "--out", str(step)])
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9

step = 1
while killed(step):
    step += 1
print(step, file=said)
"""


def test_kill_before_each_change_of_files_even_while_the_table_is_saved(place: Path) -> None:
    command = [sys.executable, "-c", KILLED_AT_EACH_CHANGE]
    steps = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert steps > 20
    run("solve", "pig:target=5", "--out", "whole")
    for step in range(1, steps):
        run("solve", "pig:target=5", "--out", str(step))
        assert Path(f"{step}/values.npy").read_bytes() == Path("whole/values.npy").read_bytes()
    assert sorted(os.listdir(place)) == sorted([*map(str, range(1, steps + 1)), "first", "whole"])


OFTEN = """
from backroll.engines import checkpoint
checkpoint.EVERY = checkpoint.SHARE = 0.0
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from backroll.cli import main
main()
"""


@pytest.mark.compiled
@pytest.mark.parametrize("spec", ["cantstop:sides=3,shortest=2", "chinesecheckers:size=6"])
def test_control_c_says_where_it_is_kept_and_the_same_command_finishes(
    spec: str, place: Path
) -> None:
    command = [sys.executable, "-c", OFTEN, "solve", spec, "--out", "table", "--threads", "1"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    while not Path("table.unfinished", JOURNAL).exists():
        assert process.poll() is None
        sleep(0.002)
    process.send_signal(signal.SIGINT)
    out, line = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert line == (
        "backroll: interrupted; what is solved so far is kept in table.unfinished, "
        "and the same command goes on from there\n"
    )
    assert os.listdir(place) == ["table.unfinished"]
    for asked in (["probe", "table"], ["verify", "table"], ["info", "table"]):
        assert "found one that is not finished, table.unfinished; the same" in refused(*asked)
    found = data("solve", spec, "--out", "table")
    assert os.listdir(place) == ["table"]
    whole = data("solve", spec, "--out", "whole")
    assert {name: found[name] for name in FIXED} == {name: whole[name] for name in FIXED}
    assert Path("table/values.npy").read_bytes() == Path("whole/values.npy").read_bytes()
