from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import redirect_stdout
from io import StringIO
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest
from typer.main import get_command
from typer.testing import CliRunner

from backroll import __version__
from backroll.cli import app
from backroll.cli.bar import Bar
from backroll.cli.output import as_json, panel, progress_bar
from backroll.cli.output import table as table_of
from backroll.cli.playing import METHODS, WITHOUT_CHANCE
from backroll.engines import general, methods, retrograde
from backroll.published import _CANT_STOP, published
from backroll.spec import GAMES, load, spec_of
from commands import BACKROLL, FAILS, data, refused, run, write_games


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_games(tmp_path)
    return tmp_path


# Black box: what only a process of its own can show


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    heavy = "numpy numba rich zarr scipy"
    script = (
        "import sys\nfrom backroll.cli import app\n"
        "try: app(['--help'])\nexcept SystemExit: pass\n"
        f"print(*[name for name in {heavy.split()!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stderr.strip() == ""
    about_tables = ("games", "check", "solve", "probe", "verify", "export", "import", "info")
    about_strategies = ("strategies", "evaluate", "simulate", "tournament", "play", "replay")
    for command in about_tables + about_strategies:
        assert f"\n  {command} " in done.stdout


def test_an_error_is_one_line_and_no_traceback() -> None:
    done = subprocess.run([*BACKROLL, "solve", "pgi"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("backroll: expected a game or a file")
    assert done.stderr.count("\n") == 1


def test_a_closed_pipe_is_quiet() -> None:
    process = subprocess.Popen([*BACKROLL, "games"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 1


def test_control_c_leaves_with_130(folder: Path) -> None:
    # what a shell starts in the background ignores the signal, and so does what that starts
    heeding = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    command = [sys.executable, "-c", heeding + BACKROLL[2], "solve", "endless.py"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(600):
        if (folder / "started").exists():
            break
        time.sleep(0.05)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout, stderr) == (130, "", "backroll: interrupted\n")


@pytest.mark.parametrize(
    ("command", "drawn"),
    [
        (["solve", "pig:target=8", "--engine", "general"], ["time ", "prove "]),
        (["solve", "pig:target=8"], ["time ", "solve "]),
        (["probe", "pig:target=8", "0/0/2"], ["│ hold │ 0/2/0 ", "solve "]),
    ],
)
def test_a_terminal_gets_panels_and_a_bar(command: list[str], drawn: list[str]) -> None:
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100", "NO_COLOR": ""}
    process = subprocess.Popen([*BACKROLL, *command], stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    read = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # Linux says so when the other end has been closed
            break
        if not chunk:
            break
        read += chunk
    os.close(ours)
    assert process.wait() == 0
    text = read.decode()
    assert "╭─ pig:target=8 ─" in text
    assert all(each in text for each in drawn)
    assert "\x1b[?25h" in text  # the cursor is back


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_what_a_terminal_gets_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = Terminal()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")  # no colour between the words
    monkeypatch.setattr(sys, "stdout", printed)
    monkeypatch.setattr(sys, "stderr", Terminal())
    panel("title [x]", [("label", "text [bold]"), ("more", "1")])
    table_of(("one", "two"), [("a", "[b]")])
    with progress_bar() as progress:
        progress("solve", 1, 2)
    drawn = printed.getvalue()
    assert "╭─ title [x] ─" in drawn
    assert "│ label  text [bold] │" in drawn
    assert "│ a   │ [b] │" in drawn


def test_a_fault_of_backroll_itself_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backroll.cli.playing.catalogue", lambda: 1 // 0)
    command = get_command(app)
    with pytest.raises(ZeroDivisionError):
        command.main(["games"])


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "backroll: interrupted\n"),
        (MemoryError(), 2, "backroll: out of memory: "),
        (OSError(28, "No space left on device", "here"), 2, "backroll: here: No space left"),
        (OSError("odd"), 2, "backroll: odd\n"),
    ],
)
def test_how_else_a_command_can_end(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, line: str
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr("backroll.cli.playing.catalogue", fail)
    assert refused("games", code=code).startswith(line)


# Usage


def test_the_version() -> None:
    assert run("--version").stdout == f"backroll {__version__}\n"


def test_no_command_is_help() -> None:
    assert run().stdout == run("--help").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["slove", "pig"], "No such command 'slove'"),
        (["solve"], "Missing argument 'SPEC'"),
        (["solve", "pig", "--threads", "0"], "'--threads'"),
        (["solve", "pig", "--threads", "two"], "'--threads'"),
        (["solve", "pig", "--limit", "0"], "'--limit'"),
        (["solve", "pig", "--fast"], "No such option"),
        (["solve", "pig:target=5", "--method", "magic"], "expected a method among auto, acyclic"),
        (["solve", "nim", "--limit", "10"], "more than 10 positions"),
        (["solve", "pig:target=0"], "target expected a whole number from 1"),
        (["solve", "gone.py"], "expected a file of Python at gone.py"),
        (["solve", "cantstop:sides=2,shortest=1"], "both players can win 2 each, and then nobody"),
        (
            ["solve", "cantstop:sides=2,shortest=1", "--engine", "general"],
            "no unique value at 1,0,0/0,3,1",
        ),
        (["solve", "nim", "--engine", "turns"], "expected a game that the turns engine knows"),
        (["solve", "nim", "--start", "half"], "expected the turns engine"),
        (["solve", "pig", "--unmerged", "dice"], "expected what can be merged, closed, mirror"),
        (["check", "gone.py"], "expected a file of Python at gone.py"),
        (["probe", "pig:target=5", "9"], "expected mover/opponent/turn"),
        (["probe", "no/such/table"], "expected a table, found nothing there"),
        (["probe", "shutthebox", "--limit", "9"], "backroll solve shutthebox --out PATH"),
        (["verify", "nowhere"], "nowhere: expected a table, found nothing there"),
        (["info", "nowhere"], "nowhere: expected a table, found nothing there"),
        (["export", "nowhere", "file.csv"], "nowhere: expected a table, found nothing there"),
        (["import", "nothing.csv", "table"], "cannot read nothing.csv"),
        (["import", "nothing.zarr", "table"], "expected a Zarr group, found nothing there"),
        (["export", "nowhere", "file", "--format", "xml"], "'--format'"),
        (["solve", "leaves.py"], "SystemExit: 3 (line 11 of leaves.py)"),
        (["solve", "fails.py"], "play() raises, at 1: move 1: KeyError: 1 (line 11 of fails.py)"),
    ],
)
def test_a_command_that_is_refused(arguments: list[str], message: str) -> None:
    assert message in refused(*arguments)


def test_where_nothing_is_proven_it_says_what_else_there_is() -> None:
    said = "without chance, endless play is a draw if the game says chance = False"
    assert said in run("solve", "chinesecheckers:size=3,pieces=1", "--engine", "general").stdout
    for spec in ("pig:target=5", "shutthebox:tiles=3"):
        assert said not in run("solve", spec).stdout


def test_json_does_not_hide_an_error() -> None:
    assert "expected a game" in refused("solve", "pgi", "--json")


def test_an_error_in_a_users_file_names_its_line() -> None:
    line = refused("probe", "race.py", "zero")
    assert "expected a position like 0, found 'zero'" in line
    (Path.cwd() / "fails.py").write_text(FAILS.replace("{}[position]", "0"))
    assert "invalid literal for int() with base 10: 'x' (line 13 of fails.py)" in refused(
        "probe", "fails.py", "x"
    )


def test_a_folder_that_cannot_be_written(folder: Path) -> None:
    (folder / "file").write_text("")
    (folder / "full").mkdir()
    (folder / "full" / "of").write_text("things")
    for out, message in [
        ("file", "file: expected a table to replace, or nothing, found a file"),
        ("file/table", "cannot write file/table: expected a folder to write in at "),
        ("full", "full: expected a table to replace, or nothing, found a folder"),
    ]:
        assert message in refused("solve", "endless.py", "--out", out)
    run("solve", "pig:target=5", "--out", "new/folder/table")


def test_a_table_that_could_not_be_asked_is_refused_before_the_work(folder: Path) -> None:
    line = refused("solve", "unread.py", "--out", "unread")
    assert line.startswith("backroll: parse() raises, at frozenset({1}): ")
    assert not (folder / "started").exists()
    assert data("solve", "unread.py")["value"] == 1


# Games


def test_games_are_listed_with_ranges_and_defaults() -> None:
    text = run("games").stdout
    for name in GAMES:
        assert f"{name}: " in text
    assert "occupied   roll, share or jump  roll\n" in text


def test_games_json_has_every_parameter() -> None:
    listed = {each["name"]: each for each in data("games")["games"]}
    assert list(listed) == sorted(GAMES)
    takes = {"name": "target", "takes": "1 to 1000", "default": "100"}
    assert takes in listed["pig"]["parameters"]


def test_check_says_nothing_was_found() -> None:
    assert run("check", "pig:target=5").stdout == "pig:target=5: nothing found\n"


def test_check_lists_findings_and_leaves_with_1() -> None:
    result = CliRunner().invoke(app, ["check", "fails.py"])
    assert result.exit_code == 1
    assert result.stdout == (
        "play() raises, at 1: move 1: KeyError: 1 (line 11 of fails.py)\n"
        "fails.py:Fails: 1 finding\n"
    )


def test_check_json_has_the_findings() -> None:
    assert data("check", "noisy.py") == {"spec": "noisy.py:Race", "findings": [], "whole": True}
    found = data("check", "fails.py", code=1)
    assert found["spec"] == "fails.py:Fails"
    (finding,) = found["findings"]
    assert (finding["problem"], finding["position"]) == ("play() raises", "1")


def test_check_has_a_limit() -> None:
    result = CliRunner().invoke(app, ["check", "endless.py", "--limit", "5000"])
    assert result.exit_code == 1
    assert "more positions than the limit, at 0: more than 5,000 positions" in result.stdout
    assert "--limit" in result.stdout


def test_check_says_where_it_was_by_samples() -> None:
    spec = "chinesecheckers:size=3"
    said = "chinesecheckers:size=3: nothing found"
    assert run("check", spec, "--limit", "756").stdout == f"{said}\n"
    more = f"{said}, in samples of 756 anchors, more than the limit\n"
    assert run("check", spec, "--limit", "755").stdout == more
    assert not data("check", spec, "--limit", "755")["whole"]


# Solving


def test_solve_prints_plain_lines_into_a_pipe() -> None:
    lines = run("solve", "pig:target=8").stdout.splitlines()
    assert lines[0] == "pig:target=8"
    rows = dict(line.split(maxsplit=1) for line in lines[1:])
    value = general.solve(load("pig:target=8")).value
    assert rows["value"] == f"{value:.12f}  win probability"
    assert rows["bound"].startswith("proven to ")
    assert set(rows) >= {"residual", "positions", "components", "iterations", "method", "time"}
    assert all(character.isprintable() and ord(character) < 128 for character in "".join(lines))


def test_solve_json_has_what_was_promised() -> None:
    found = data("solve", "pig:target=8", "--threads", "2")
    promised = "spec value bound components positions anchors iterations residual seconds method"
    assert set(promised.split()) <= set(found)
    assert found["spec"] == "pig:target=8"
    assert found["method"] == "auto"
    assert sum(found["methods"].values()) > 0
    assert found["seconds"] == pytest.approx(sum(found["stages"].values()))
    assert found["value"] == general.solve(load("pig:target=8")).value


def test_what_is_not_a_number_is_null() -> None:
    with redirect_stdout(StringIO()) as printed:
        as_json({"a": inf, "b": [nan, 1.5], "c": None, "d": True, "e": np.float64(0.5)})
    assert printed.getvalue() == '{"a": null, "b": [null, 1.5], "c": null, "d": true, "e": 0.5}\n'


def test_what_a_users_file_prints_stays_out_of_the_json() -> None:
    result = CliRunner().invoke(app, ["solve", "noisy.py", "--json"])
    assert json.loads(result.stdout)["spec"] == "noisy.py:Race"
    assert "off we go" in result.stderr


def test_solve_takes_a_method_and_bounds() -> None:
    exact = data("solve", "pig:target=8")
    found = data("solve", "pig:target=8", "--method", "topological", "--bounds")
    assert found["method"] == "topological"
    assert found["value"] == pytest.approx(exact["value"], abs=1e-12)
    assert 0 <= found["widest"] < 1e-9
    assert "widest" not in exact
    assert "bounds      at most" in run("solve", "pig:target=8", "--bounds").stdout
    onlanes = data("solve", "pig:target=8", "--method", "topological", "--engine", "turns")
    assert onlanes["value"] == pytest.approx(exact["value"], abs=1e-12)


def test_the_methods_in_the_help_are_those_there_are() -> None:
    assert METHODS.replace(" or ", ", ").split(", ") == list(methods.METHODS)
    assert WITHOUT_CHANCE.replace(" or ", ", ").split(", ") == list(retrograde.METHODS)


def test_a_published_figure_stands_beside() -> None:
    text = run("solve", "cantstop:sides=2,shortest=1,players=1").stdout
    assert "published   1.298  Glenn and Aloi 2009, Table 3\n" in text
    assert "published" not in run("solve", "pig:target=5").stdout
    found = data("solve", "cantstop:sides=2,shortest=1,players=1")
    assert f"{found['value']:.3f}" == "1.298"
    assert "published" not in found


def test_published_figures_are_found_by_canonical_specs() -> None:
    for players, sides, shortest in _CANT_STOP:
        spec = spec_of(load(f"cantstop:players={players},sides={sides},shortest={shortest}"))
        assert published(spec) == _CANT_STOP[players, sides, shortest]
    assert published("cantstop:sides=3,shortest=1,occupied=share") is None
    assert published("pig") is None


def test_the_bar_draws_each_stage(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar() as bar:
        bar.show("explore", 4_096, None)
        bar.show("explore", 8_192, None)
        bar.show("prove", 5, 10)
        stages = [(task.description, task.completed, task.total) for task in bar._progress.tasks]
    assert stages == [("explore", 8_192, None), ("prove", 5, 10)]


def test_the_package_runs_as_a_module() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "backroll", "--version"], capture_output=True, text=True, check=True
    )
    assert found.stdout.startswith("backroll ")
