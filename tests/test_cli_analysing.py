"""The commands analyse and review: what they print, and what they refuse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backroll import Database, load, solve
from backroll.analysis import Analysis, Analyst
from backroll.cli.analysing import spark
from backroll.solving import save
from commands import data, refused, run

PIG = "pig:target=12"


def test_a_position_is_analysed_best_move_first() -> None:
    said = run("analyse", PIG, "3/4/2").stdout
    assert "rests on   exact, solved just now" in said
    assert "16.7 % at the next roll" in said
    moves = said.splitlines()[-2:]
    best = Database.of(solve(load(PIG))).moves(load(PIG).parse("3/4/2"))
    assert [line.split()[0] for line in moves] == [each.move for each in best]
    assert f"{best[1].loss:.12f}" in moves[1]


def test_json_is_the_analysis_and_the_start_is_the_default() -> None:
    game = load(PIG)
    found = Analyst(game).analyse(game.start()).as_dict()
    found["danger"] = dict(found["danger"])
    assert data("analyse", PIG) == found


def test_distances_are_shown_where_they_are_known() -> None:
    said = run("analyse", "nim", "6").stdout
    assert "distance" in said
    assert "turn lost" not in said


def test_tables_are_found_in_folders(tmp_path: Path) -> None:
    save(solve(load(PIG)), tmp_path / "twelve")
    basis = data("analyse", PIG, "--tables", str(tmp_path))["basis"]
    assert basis["text"] == "exact, from the table twelve"
    other = data("analyse", "pig:target=13", "--tables", str(tmp_path / "twelve"))["basis"]
    assert other["text"] == "exact, solved just now"


def test_rollouts_say_how_far_they_can_be_trusted() -> None:
    spec, position = "cantstop:sides=3,shortest=2", "0,1,2,0,0/1,0,0,1,0/4=3,5=2"
    found = data("analyse", spec, position, "--games", "100", "--base", "ruleof:n=10")
    assert found["basis"]["games"] == 100
    assert found["interval"] == found["moves"][0]["interval"]
    low, high = found["interval"]
    assert low < found["value"] < high
    assert found["moves"][0]["danger"]["turn"] is None
    said = run("analyse", spec, position, "--games", "100").stdout
    assert "100 games an option by model, ± " in said
    assert " to " in said.splitlines()[-1]


def test_interrupted_rollouts_keep_the_last_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Analyst.refine

    def stopped(self: Analyst, position: Any) -> Iterator[Analysis]:
        figures = whole(self, position)
        yield next(figures)
        yield next(figures)
        raise KeyboardInterrupt

    monkeypatch.setattr(Analyst, "refine", stopped)
    arguments = "analyse", "cantstop:sides=3,shortest=2", "--games", "100000"
    assert data(*arguments)["basis"]["games"] == 2_000
    assert "2,000 games an option" in run(*arguments).stdout


def test_interrupted_before_the_first_figures_there_is_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(self: Analyst, position: Any) -> Iterator[Analysis]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(Analyst, "refine", stopped)
    assert refused("analyse", PIG, code=130) == "backroll: interrupted\n"


@pytest.mark.parametrize("name", ["game.txt", "game.json"])
def test_a_game_is_reviewed(name: str, tmp_path: Path) -> None:
    file = str(tmp_path / name)
    run("play", PIG, "--first", "random", "--second", "hold:at=5", "--out", file)
    found = data("review", file)
    said = run("review", file).stdout
    assert [each["name"] for each in found["players"]] == ["random", "hold:at=5"]
    for each in found["players"]:
        assert f"{each['mistakes']:.4f}" in said
        assert f"{each['luck']:+.4f}" in said
        assert each["grade"] in said
    for each in found["worst"]:
        assert said.count(each["position"]) >= 2
    assert "revisions" not in said


@pytest.mark.compiled
def test_a_review_by_exact_turns_tells_what_does_not_agree(tmp_path: Path) -> None:
    file = str(tmp_path / "game.txt")
    run("play", "cantstop:sides=4,shortest=4", "--first", "ruleof", "--second", "model",
        "--out", file)  # fmt: skip
    said = run("review", file).stdout
    assert "turn-exact on the estimate columns" in said
    assert "revisions" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("analyse", "chess"), "expected a game"),
        (("analyse", PIG, "3/4"), "expected mover/opponent/turn"),
        (("analyse", PIG, "--tables", "nowhere"), "expected a folder of tables, found none at"),
        (("analyse", PIG, "--base", "model"), "model: expected a game of cantstop, found pig"),
        (("analyse", PIG, "--base", "nobody"), "expected a strategy, found 'nobody'"),
        (("analyse", PIG, "--games", "0"), "'--games'"),
        (("review", "nowhere.txt"), "nowhere.txt: No such file"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    assert message in refused(*arguments)


def test_what_is_no_game_is_not_reviewed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_bytes(b"\xff\xfe")
    assert "expected a transcript of a game, found no text" in refused("review", str(file))
    run("play", PIG, "--first", "random", "--second", "random", "--out", str(file))
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines[:8], *lines[9:]]))
    assert "expected the position" in refused("review", str(file))


def test_a_curve_is_drawn_between_its_least_and_its_greatest() -> None:
    assert spark((0.0, 0.5, 1.0)) == "0.000 ▁▅█ 1.000"
    assert spark((0.5, 0.5)) == "0.500 ▁▁ 0.500"
    assert len(spark(tuple(range(1000)))) == len("0.000 ") + 60 + len(" 999.000")
