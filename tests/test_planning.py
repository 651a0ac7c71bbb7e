"""What a plan says of a game before it is solved, and what is refused."""

from __future__ import annotations

import csv
import shutil
from collections import namedtuple
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backroll import load
from backroll.cli import app
from backroll.engines import fitting, planning, turns
from backroll.engines.checkpoint import NUMBERS
from backroll.engines.planning import plan
from backroll.errors import BackrollError
from backroll.games.cantstop.census import census
from backroll.games.cantstop.rules import CantStop
from backroll.programs.boards import Merging
from backroll.replacing import unfinished
from commands import refused, run, write_games

TINY = "cantstop:sides=2,shortest=2,players=1"
GOLDEN = Path(__file__).with_name("golden").joinpath("turns.csv").read_text()
ROWS = [
    row
    for row in csv.DictReader(GOLDEN.splitlines())
    if row["spec"].startswith("cantstop") and row["unmerged"] in ("", "players")
]
Disk = namedtuple("Disk", "free")


def board(spec: str) -> CantStop:
    game = load(spec)
    assert isinstance(game, CantStop)
    return game


@pytest.fixture(autouse=True)
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples that are solved at once, even by kernels run as plain Python."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(planning, "SAMPLES", {1: (2, 1), 2: (3, 1)})
    monkeypatch.setattr(planning, "ROUNDS", 1)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['spec']} {row['unmerged']}")
def test_the_count_is_that_of_the_papers_and_of_solving(row: dict[str, str]) -> None:
    game = board(row["spec"])
    found = census(game, mirrored=True, players=not row["unmerged"])
    assert (found.components, found.positions) == (int(row["components"]), int(row["positions"]))
    assert found.anchors == game.anchor_count()


@pytest.mark.parametrize(
    "spec",
    [
        TINY,
        "cantstop:sides=2,shortest=2,columns=2",
        "cantstop:sides=2,shortest=2,columns=2,occupied=share",
        "cantstop:sides=2,shortest=2,columns=2,occupied=jump",
        "cantstop:sides=2,shortest=3,players=1,columns=1",
    ],
)
@pytest.mark.parametrize("players", [True, False])
@pytest.mark.parametrize("mirror", [True, False])
def test_counting_and_solving_find_the_same(spec: str, players: bool, mirror: bool) -> None:
    game = board(spec)
    counted = census(game, mirrored=mirror, players=players)
    solved = turns.solve(game, merging=Merging(True, mirror, players)).report
    assert counted == (solved.components, solved.positions, solved.anchors)


@pytest.mark.parametrize(
    ("spec", "about"),
    [
        ("cantstop:sides=5,shortest=2,players=1", 1.72e10),
        ("cantstop:sides=5,players=1", 1.33e11),
        ("cantstop:sides=6,shortest=1,players=1", 4.5e11),
        ("cantstop:sides=6,shortest=2,players=1", 7.1e12),
        ("cantstop:players=1", 6.2e13),
    ],
)
def test_the_count_of_large_boards_is_that_of_the_facts(spec: str, about: float) -> None:
    found = census(board(spec), mirrored=False, players=False)
    assert found.positions == pytest.approx(about, rel=0.01)


def test_a_plan_has_everything() -> None:
    found = plan(load(TINY), 1)
    assert (found.spec, found.sample) == (TINY, "cantstop:sides=2,shortest=1,players=1")
    assert (found.merged.components, found.merged.positions) == (29, 374)
    assert found.table == 8 * found.merged.anchors
    assert found.memory > found.table
    assert found.rate > 0
    assert found.seconds > 0
    assert found.fits


def test_the_game_itself_is_the_sample_if_it_is_no_larger() -> None:
    game = load("cantstop:sides=2,shortest=1,players=1,columns=3")
    found = plan(game, 1)
    assert found.sample == found.spec
    assert found.seconds * found.rate == pytest.approx(turns.solve(game).report.rolls)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("cantstop", ["231,806,857,107,930,269 (463,613,714,183,780,596 unmerged)", " years"]),
        ("cantstop:players=1", ["3,033,525,165 (6,066,786,123 unmerged)", "31.4 GB", "63.2 GB"]),
    ],
)
def test_the_official_game_is_counted_and_refused(
    spec: str, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "available", lambda: 24_000_000_000)
    result = CliRunner().invoke(app, ["plan", spec])
    assert result.exit_code == 2
    for each in [*said, "of 24 GB: does not fit", "time "]:
        assert each in result.stdout
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(f"backroll: {spec}: expected a game that fits, found one that")
    assert result.stderr.endswith("of memory where 24 GB are free\n")


def test_a_game_that_fits_is_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    text = run("plan", TINY).stdout
    for label in ("components", "positions", "anchors", "table", "memory", "time", "rate"):
        assert f"\n{label}" in text
    assert ": fits" in text
    monkeypatch.setattr(planning, "available", lambda: None)
    assert " of " not in run("plan", TINY).stdout.partition("memory")[2].partition("\n")[0]


@pytest.mark.parametrize("spec", ["pig", "race.py"])
def test_what_cannot_be_counted_is_refused(spec: str, tmp_path: Path) -> None:
    write_games(tmp_path)
    assert "expected Can't Stop, whose size can be counted" in refused("plan", spec)
    assert "expected a game that counts its states by arithmetic" in refused("plan", "nim")


def test_a_deadlock_is_refused() -> None:
    assert "both players can win 2 each, and then nobody" in refused("plan", "cantstop:sides=2")
    assert "both players can win 2 each, and then nobody" in refused("solve", "cantstop:sides=2")


@pytest.mark.parametrize("spec", ["cantstop", "cantstop:players=1"])
def test_what_does_not_fit_is_refused_before_anything_is_taken(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitting, "available", lambda: 24_000_000_000)
    line = refused("solve", spec, "--out", "new/table")
    assert line.endswith("of memory where 24 GB are free\n")
    assert list(tmp_path.iterdir()) == []


def disk_of(free: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Disk(free))


def test_a_disk_that_is_too_small_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    disk_of(399, monkeypatch)
    line = refused("solve", "pig:target=5", "--out", "table")
    assert "pig:target=5: expected 400 bytes free on the disk of " in line
    assert line.endswith(", found 399 bytes\n")
    run("solve", "pig:target=5")  # nothing is to be kept


def test_what_a_checkpoint_has_already_is_not_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = unfinished(tmp_path / "table")
    folder.mkdir()
    (folder / NUMBERS).write_bytes(bytes(200))
    disk_of(200, monkeypatch)
    run("solve", "pig:target=5", "--out", "table")


def test_memory_is_read_from_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = tmp_path / "meminfo"
    monkeypatch.setattr(fitting, "MEMORY", said)
    assert fitting.available() is None
    said.write_text("MemTotal: 9 kB\nMemAvailable:    7 kB\n")
    assert fitting.available() == 7 * 1024
    with pytest.raises(BackrollError, match="found one that needs 400 MB of memory where 7,168 by"):
        turns.solve(load("pig:target=5"))
    said.write_text("MemTotal: 9 kB\n")
    assert fitting.available() is None


def test_a_sample_is_by_the_same_rules() -> None:
    game = board("cantstop:sides=4,occupied=share,columns=2")
    sample = planning._sample(game)
    assert (sample.occupied, sample.columns, sample.players) == ("share", 2, 2)
