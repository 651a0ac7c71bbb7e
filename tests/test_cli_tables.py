from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backroll import __version__
from backroll.cli import app
from backroll.database import save
from backroll.engines import general
from backroll.spec import load
from commands import RACE, data, refused, run, write_games


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_games(tmp_path)
    return tmp_path


@pytest.fixture
def table(folder: Path) -> str:
    run("solve", "pig:target=8", "--out", "pig8", "--bounds")
    return "pig8"


def test_out_keeps_a_table_that_can_be_probed(table: str) -> None:
    assert data("probe", table) == data("probe", "pig:target=8")
    assert data("probe", table)["position"] == "0/0/0"


def test_probe_json_has_what_was_promised(table: str) -> None:
    found = data("probe", table, "0/0/3")
    assert found["position"] == "0/0/3"
    assert (found["view"], found["kind"], found["spec"]) == ("mover", "choice", "pig:target=8")
    values = [move["value"] for move in found["moves"]]
    assert {move["move"] for move in found["moves"]} == {"roll", "hold"}
    assert values == sorted(values, reverse=True)
    assert found["value"] == values[0]
    losses = [move["loss"] for move in found["moves"]]
    assert losses == pytest.approx([values[0] - value for value in values])
    assert {move["position"] for move in found["moves"]} == {"0/0/3@", "0/3/0"}


def test_probe_prints_the_moves_best_first(table: str) -> None:
    text = run("probe", table, "0/0/3").stdout
    assert "win probability of the mover" in text
    assert "next      a choice\nmove  position  value           loss\nroll  0/0/3@    " in text
    assert "move" not in run("probe", table).stdout.replace("mover", "")
    assert "next      the end" in run("probe", "pig:target=8", "8/0/0").stdout


def test_a_folder_is_a_table_and_the_name_of_a_game_is_a_game(folder: Path) -> None:
    (folder / "nim").mkdir()
    assert data("probe", "nim")["spec"] == "nim"
    assert "expected a game or a file such as my_game.py, found ''" in refused("probe", "")
    run("solve", "nim:stones=5", "--out", "nim")
    assert data("probe", "nim")["spec"] == "nim:stones=5"


def test_the_table_of_a_users_game(folder: Path) -> None:
    run("solve", "race.py:length=5", "--out", "race")
    found = data("probe", "race", "2")
    assert found["spec"] == "race.py:Race,length=5"
    # Three steps to go: three steps, or tosses that end it one time in two, so 2 of them.
    assert found["value"] == pytest.approx(2, abs=1e-12)
    assert [move["move"] for move in found["moves"]] == ["toss", "step"]
    (folder / "race.py").write_text(RACE + "# changed\n")
    assert "has changed" in refused("probe", "race", "2")


def test_verify_samples_or_takes_all(table: str) -> None:
    anchors = data("solve", "pig:target=8")["anchors"]
    found = data("verify", table, "--all")
    assert found["checked"] == anchors
    assert found["residual"] < 1e-12
    assert found["holds"] is True
    assert data("verify", table, "--sample", "7")["checked"] == 7
    assert "the table follows from the rules" in run("verify", table).stdout


def test_verify_leaves_with_1_if_the_values_do_not_follow(table: str, folder: Path) -> None:
    run("export", table, "pig.csv")
    strict = CliRunner().invoke(app, ["verify", table, "--tolerance", "0"])
    exact = data("verify", table)["residual"] == 0
    assert strict.exit_code == (0 if exact else 1)
    _spoil(table)
    result = CliRunner().invoke(app, ["verify", table, "--all"])
    assert result.exit_code == 1
    assert "the table is wrong" in result.stdout


def _spoil(table: str) -> None:
    """Keep another game's values under the name of this one."""
    solution = general.solve(load("pig:target=8"))
    save(replace(solution, values=solution.values * 0.9), table)


def test_export_and_import_give_the_same_bytes(table: str, folder: Path) -> None:
    run("export", table, "pig.csv")
    run("import", "pig.csv", "again")
    run("export", table, "pig.zarr")
    run("import", "pig.zarr", "once_more")
    for name in os.listdir(table):
        content = (folder / table / name).read_bytes()
        assert (folder / "again" / name).read_bytes() == content
        assert (folder / "once_more" / name).read_bytes() == content


def test_export_to_standard_output_and_a_manifest_elsewhere(table: str, folder: Path) -> None:
    lines = run("export", table, "-").stdout.splitlines()
    assert lines[0] == "position,value,lower,upper"
    assert lines[1].startswith("0/0/0,0.")
    run("export", table, "pig.txt", "--format", "csv")
    assert (folder / "pig.txt").read_text().splitlines() == lines
    shutil.move("pig.txt.manifest.json", "kept.json")
    run("import", "pig.txt", "again", "--manifest", "kept.json")
    assert data("probe", "again") == data("probe", table)


def test_info_says_what_a_table_holds(table: str) -> None:
    found = data("info", table)
    assert (found["spec"], found["dtype"], found["path"]) == ("pig:target=8", "float64", table)
    assert found["report"]["value"] == data("probe", table)["value"]
    text = run("info", table).stdout
    assert text.startswith("pig:target=8\n")
    assert "bound       proven to " in text
    assert f"versions    backroll {__version__}, " in text


def test_a_flipped_bit_is_an_error_and_never_a_number(table: str, folder: Path) -> None:
    values = folder / table / "values.npy"
    content = bytearray(values.read_bytes())
    content[-3] ^= 1
    values.write_bytes(content)
    assert "values.npy" in refused("probe", table)


def test_float32_is_checked_by_what_rounding_costs() -> None:
    for spec in ("pig:target=8", "cantstop:sides=2,shortest=2,players=1", "nim:stones=5"):
        exact = data("solve", spec)
        run("solve", spec, "--out", "rounded", "--dtype", "float32")
        loss = data("info", "rounded")["greatest_loss"]
        assert loss < 2e-7
        assert abs(data("probe", "rounded")["value"] - exact["value"]) <= loss
        assert data("verify", "rounded", "--all")["residual"] <= 1e-9 + 2 * loss
        assert ("rounded by at most" in run("info", "rounded").stdout) == (loss > 0)
        shutil.rmtree("rounded")
    run("solve", "pig:target=8", "--out", "rounded", "--dtype", "float32")
    assert data("verify", "rounded", "--tolerance", "1e-10", code=1)["holds"] is False


def test_a_table_of_another_game_is_not_replaced(table: str) -> None:
    values = Path(table, "values.npy").read_bytes()
    line = refused("solve", "pig:target=5", "--out", table)
    assert line == (
        "backroll: pig8: expected a table of pig:target=5 to replace, or nothing, "
        "found one of pig:target=8; remove it or choose another place\n"
    )
    assert Path(table, "values.npy").read_bytes() == values
    run("solve", "pig:target=8", "--out", table)
