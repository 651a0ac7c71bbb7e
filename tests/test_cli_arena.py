from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from backroll import load
from backroll.arena import read, replay, simulate, transcript
from backroll.arena.intervals import mean
from backroll.arena.simulation import Stopped
from backroll.cli import app
from backroll.errors import TranscriptError
from backroll.judging import evaluate as judgement_of
from backroll.spec import spec_of
from backroll.strategies import STRATEGIES, strategy
from commands import BACKROLL, RACE, data, refused, run, write_games

PIG = "pig:target=12"
ALONE = "cantstop:players=1,sides=3,shortest=1"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_games(tmp_path)
    return tmp_path


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


# Lists


def test_strategies_are_listed_with_what_they_take() -> None:
    text = run("strategies").stdout
    assert all(f"{name}: " in text for name in STRATEGIES)
    assert "hold: Roll until the turn has so many points, then hold. Plays Pig" in text
    found = {each["name"]: each for each in data("strategies")["strategies"]}
    assert set(found) == set(STRATEGIES)
    assert found["hold"]["parameters"] == [{"name": "at", "takes": "1 to 1000", "default": "20"}]
    assert found["random"]["plays"] == "Plays any game."
    assert "linear:champion" in found["linear"]["named"]
    assert "Known by name: " in text


# Simulations


def test_simulate_says_what_a_simulation_says() -> None:
    found = data("simulate", PIG, "hold:at=6", "random", "--games", "50", "--seed", "3")
    wanted = simulate(load(PIG), [strategy("hold:at=6"), strategy("random")], 50, seed=3)
    plain = json.loads(json.dumps(wanted.as_dict()))
    assert {**found, "seconds": 0} == {**plain, "seconds": 0}
    text = run("simulate", PIG, "hold:at=6", "random", "--games", "50", "--seed", "3").stdout
    assert f"mean       {wanted.mean:.4f} ± {wanted.error:.4f}  win probability" in text
    assert f"95 %       {wanted.interval.low:.4f} to {wanted.interval.high:.4f}" in text
    assert "games      50 of seed 3" in text


def test_threads_and_forms_tell_the_same_numbers() -> None:
    arguments = ("simulate", ALONE, "ruleof", "--games", "200")
    one, two = (data(*arguments, "--threads", n) for n in ("1", "2"))
    assert one["turns"] == two["turns"]
    table = rows(run(*arguments, "--csv").stdout)
    assert {row["turns"]: int(row["games"]) for row in table} == one["turns"]
    assert {(row["first"], row["second"]) for row in table} == {("ruleof", "")}
    assert mean({float(n): count for n, count in one["turns"].items()}) == one["mean"]


def test_both_seats() -> None:
    arguments = ("simulate", PIG, "hold:at=6", "random", "--games", "40")
    seats = data(*arguments, "--both")["seats"]
    assert [each["strategies"] for each in seats] == [
        ["hold:at=6", "random"],
        ["random", "hold:at=6"],
    ]
    assert seats[0]["values"] == data(*arguments)["values"]
    low, high = data(*arguments, "--both")["both"]
    assert low < (seats[0]["mean"] + 1 - seats[1]["mean"]) / 2 < high
    assert f"both seats\n95 %  {low:.4f} to {high:.4f} for hold:at=6" in (
        run(*arguments, "--both").stdout
    )


def test_games_of_a_users_file_are_simulated(folder: Path) -> None:
    found = data("simulate", "race.py:length=5", "random", "--games", "100")
    assert found["games"] == 100
    # tossing or stepping from 0 takes one minute a choice, and five streets take two choices
    assert min(map(float, found["values"])) >= 2
    noisy = CliRunner().invoke(app, ["simulate", "noisy.py", "random", "--games", "3", "--json"])
    assert json.loads(noisy.stdout)["games"] == 3


@pytest.mark.parametrize("spec", ["nim:stones=9", "shutthebox", "rookending:size=4"])
def test_random_plays_every_game(spec: str) -> None:
    count = load(spec).players
    assert data("simulate", spec, *["random"] * count, "--games", "5")["games"] == 5


# Tournaments


def test_a_tournament_is_told_in_every_form() -> None:
    arguments = ("tournament", PIG, "random", "hold:at=5", "hold:at=9", "--games", "40")
    found = data(*arguments)
    assert [tuple(each["seats"]) for each in found["matches"]] == [
        (i, j) for i in range(3) for j in range(3) if i != j
    ]
    table = rows(run(*arguments, "--csv").stdout)
    assert [float(row["mean"]) for row in table] == [each["mean"] for each in found["matches"]]
    assert all(float(row["low"]) <= float(row["mean"]) <= float(row["high"]) for row in table)
    text = run(*arguments).stdout
    places = [text.index(f"\n{each['strategy']} ") for each in found["standings"]]
    assert places == sorted(places)
    assert "games      240 of seed 0, 6 matches" in text
    assert "beginning  worth" in text
    means = [each["mean"] for each in found["standings"]]
    assert means == sorted(means, reverse=True)


def test_a_tournament_alone_says_how_far_behind_the_best() -> None:
    arguments = ("tournament", ALONE, "random", "ruleof", "--games", "200")
    found = data(*arguments)
    assert [each["strategy"] for each in found["standings"]] == ["ruleof", "random"]
    low, high = found["standings"][1]["behind"]
    assert low < found["matches"][0]["mean"] - found["matches"][1]["mean"] < high
    text = run(*arguments).stdout
    assert "strategy  expected cost" in text
    assert "best" in text


# Plots


@pytest.mark.parametrize("form", ["png", "svg"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", ALONE, "ruleof", "--games", "100"),
        ("simulate", PIG, "hold", "random", "--games", "20", "--both"),
        ("tournament", PIG, "hold", "random", "--games", "20"),
        ("tournament", ALONE, "ruleof", "random", "--games", "20"),
    ],
)
def test_pictures_are_drawn(arguments: tuple[str, ...], form: str, folder: Path) -> None:
    pytest.importorskip("matplotlib")
    run(*arguments, "--plot", f"picture.{form}")
    content = (folder / f"picture.{form}").read_bytes()
    assert content.startswith(b"\x89PNG" if form == "png" else b"<?xml")
    assert form == "png" or spec_of(load(arguments[1])).encode() in content


@pytest.mark.parametrize("command", ["simulate", "tournament"])
def test_without_matplotlib_nothing_is_played(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = refused(command, PIG, "hold", "random", "--plot", "picture.png")
    assert said == (
        "backroll: plots need matplotlib, which is not installed: pip install 'backroll[plots]'\n"
    )


def test_a_picture_that_cannot_be_written_is_refused_before_the_work() -> None:
    arguments = ("simulate", PIG, "hold", "random", "--plot")
    assert "expected a name that ends in .png, .svg, .pdf" in refused(*arguments, "picture.gif")
    assert "expected a folder at" in refused(*arguments, "nowhere/picture.png")


# Interrupted


def test_control_c_prints_the_games_until_then(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(game: Any, strategies: Any, games: Any, **given: Any) -> Any:
        raise Stopped(simulate(game, strategies, 7, seed=given["seed"]))

    monkeypatch.setattr("backroll.arena.simulate", stopped)
    result = CliRunner().invoke(app, ["simulate", PIG, "hold", "random"])
    assert result.exit_code == 130
    assert "games      7 of seed 0" in result.stdout
    assert result.stderr == "backroll: interrupted after 7 games\n"


def test_control_c_in_a_tournament_rates_by_the_games_until_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played: list[int] = []

    def stopped(game: Any, strategies: Any, games: Any, **given: Any) -> Any:
        played.append(1)
        given.pop("threads")
        found = simulate(game, strategies, 5, seed=given["seed"])
        if len(played) == 3:
            raise Stopped(found)
        return found

    monkeypatch.setattr("backroll.arena.tournaments.simulate", stopped)
    result = CliRunner().invoke(app, ["tournament", PIG, "hold", "random", "hold:at=3", "--csv"])
    assert result.exit_code == 130
    assert [row["games"] for row in rows(result.stdout)] == ["5", "5", "5"]
    assert result.stderr == "backroll: interrupted after 15 games\n"


def test_a_signal_stops_a_simulation_in_the_middle() -> None:
    # what a shell starts in the background ignores the signal, and so does what that starts
    heeding = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    telling = (
        "from backroll.arena import simulation as s; was = s.intervals.mean; "
        "s.intervals.mean = lambda c: (open('begun', 'w').close(), was(c))[1]; "
    )
    arguments = ["simulate", PIG, "random", "random", "--games", "100000000", "--json"]
    command = [sys.executable, "-c", heeding + telling + BACKROLL[2], *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(1200):
        if Path("begun").exists():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.startswith("backroll: interrupted after ")
    found = json.loads(out)
    assert 0 < found["games"] < 100_000_000
    assert sum(found["values"].values()) == found["games"]


# Refused


@pytest.mark.parametrize("command", ["simulate", "tournament"])
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((PIG, "hodl", "random"), "expected a strategy, found 'hodl', did you mean hold"),
        ((PIG, "hold:at=0", "random"), "hold: at expected a whole number from 1 to 1000"),
        ((PIG, "ruleof", "hold"), "ruleof: expected a game of cantstop, found pig:target=12"),
        (("pgi", "hold", "random"), "expected a game or a file such as my_game.py, found 'pgi'"),
        ((PIG, "hold", "random", "--csv", "--json"), "expected --csv or --json, found both"),
        ((PIG, "hold", "random", "--games", "0"), "'--games'"),
        ((PIG, "hold", "random", "--seed", "-1"), "'--seed'"),
        ((PIG, "hold", "random", "--threads", "0"), "'--threads'"),
        ((PIG,), "Missing argument"),
    ],
)
def test_what_cannot_be_played_is_one_line(
    command: str, arguments: tuple[str, ...], said: str
) -> None:
    assert said in refused(command, *arguments)


def test_the_wrong_number_of_strategies_is_one_line() -> None:
    assert "pig: expected 2 strategies, found 1" in refused("simulate", "pig", "hold")
    assert "expected two strategies or more" in refused("tournament", "pig", "hold")
    assert "expected each strategy once" in refused("tournament", "pig", "hold", "hold:20")


def test_a_table_plays_its_own_game_and_no_other(folder: Path) -> None:
    run("solve", PIG, "--out", "pig12")
    best = data("tournament", PIG, "optimal:pig12", "hold:at=2", "--games", "60")["standings"]
    assert best[0]["strategy"] == "optimal:path=pig12"
    said = refused("simulate", "pig:target=13", "optimal:pig12", "hold")
    assert "pig12: expected a table of pig:target=13, found pig:target=12" in said
    assert "nowhere: expected a table, found nothing there" in (
        refused("simulate", PIG, "optimal:nowhere", "hold")
    )
    run("solve", "race.py:length=3", "--out", "race")
    assert data("simulate", "race.py:length=3", "optimal:race", "--games", "5")["games"] == 5
    (folder / "race.py").write_text(RACE + "# changed\n")
    assert "has changed" in refused("simulate", "race.py:length=3", "optimal:race")
    (folder / "pig12" / "values.npy").write_bytes(b"")
    assert "pig12" in refused("simulate", PIG, "optimal:pig12", "hold")


# Judgement


def test_evaluate_says_what_a_judgement_says() -> None:
    found = data("evaluate", PIG, "hold:at=6", "hold:at=4", "--cost")
    wanted = judgement_of(load(PIG), [strategy("hold:at=6"), strategy("hold:at=4")])
    assert (found["value"], found["bound"]) == (wanted.value, wanted.bound)
    assert found["optimal"] == data("solve", PIG)["value"]
    # against somebody who holds at 4 one wins more than best play wins against best play
    assert found["cost"] == found["optimal"] - found["value"] < 0
    text = run("evaluate", PIG, "hold:at=6", "hold:at=4", "--cost").stdout
    assert f"value      {wanted.value:.12f}  win probability\n" in text
    assert f"gained     {-found['cost']:.12f}" in text


def test_evaluate_alone_says_how_likely_each_number_of_turns_is() -> None:
    arguments = ("evaluate", ALONE, "ruleof")
    found = data(*arguments)
    chances = {float(n): chance for n, chance in found["distribution"].items()}
    assert sum(chances.values()) == pytest.approx(1, abs=1e-9)
    assert sum(n * chance for n, chance in chances.items()) == pytest.approx(found["value"])
    table = rows(run(*arguments, "--csv").stdout)
    assert {float(row["value"]): float(row["chance"]) for row in table} == chances
    assert f"deviation  {found['deviation']:.12f} a game" in run(*arguments).stdout
    assert found["cost"] is None
    played = data("simulate", ALONE, "ruleof", "--games", "2000")
    assert abs(played["mean"] - found["value"]) < 4 * played["error"]


def test_the_cost_is_against_a_table_or_what_is_solved(folder: Path) -> None:
    run("solve", PIG, "--out", "pig12")
    arguments = ("evaluate", PIG, "hold:at=6", "hold:at=4")
    assert data(*arguments, "--table", "pig12")["cost"] == data(*arguments, "--cost")["cost"]
    best = data("evaluate", PIG, "optimal:pig12", "optimal:pig12", "--table", "pig12")
    assert best["cost"] == pytest.approx(0, abs=1e-12)
    assert data("evaluate", PIG, "hold:at=4", "optimal:pig12", "--table", "pig12")["cost"] > 0.01
    said = refused("evaluate", "pig:target=13", "hold", "hold", "--table", "pig12")
    assert "expected a table of pig:target=13" in said


def test_what_cannot_be_judged_is_one_line() -> None:
    assert "draws no lots" in refused("evaluate", PIG, "random", "hold")
    assert "expected 2 strategies, found 1" in refused("evaluate", PIG, "hold")
    assert "expected --csv or --json" in refused("evaluate", PIG, "hold", "hold", "--csv", "--json")
    assert "habits" in refused("evaluate", PIG, "hold", "hold", "--engine", "habits")
    assert "limit" in refused("evaluate", "pig", "hold", "hold", "--limit", "10")


# Transcripts


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        (PIG, ("hold:at=5", "random")),
        ("pig:players=1,target=12", ("hold:at=5",)),
        ("pig:target=4,piglet=yes", ("random", "random")),
        ("nim:stones=9", ("random", "random")),
        ("shutthebox", ("random",)),
        ("cantstop:sides=3,shortest=1", ("ruleof", "random")),
        (ALONE, ("random",)),
        ("race.py:length=5", ("random",)),
        ("rookending:size=4", ("random", "random")),
    ],
)
@pytest.mark.parametrize("name", ["game.json", "game.txt"])
def test_a_game_is_played_written_down_and_checked(
    spec: str, texts: tuple[str, ...], name: str
) -> None:
    given = [part for pair in zip(("--first", "--second"), texts, strict=False) for part in pair]
    run("play", spec, *given, "--seed", "4", "--game", "2", "--out", name)
    found = data("replay", name)
    assert found["strategies"] == [text.replace("hold:at=20", "hold") for text in texts]
    played = data("play", spec, *given, "--seed", "4", "--game", "2")
    assert found["value"] == played["value"]
    assert found["steps"] == len(played["steps"])
    assert "each by the rules" in run("replay", name).stdout


def test_the_game_that_is_written_down_is_the_one_that_is_simulated() -> None:
    game, players = load(PIG), [strategy("hold:at=5"), strategy("random")]
    values = [transcript(game, players, seed=6, number=n).value for n in range(25)]
    assert simulate(game, players, 25, seed=6).values == Counter(values)


def test_without_a_file_the_game_is_printed() -> None:
    text = run("play", PIG, "--first", "hold", "--second", "random").stdout
    assert text.startswith("backroll game 1\nspec\tpig:target=12\nfirst\thold\nsecond\trandom\n")
    assert replay(read(text)) in (0, 1)


@pytest.fixture
def played() -> dict[str, Any]:
    return data("play", PIG, "--first", "hold:at=5", "--second", "hold:at=3", "--seed", "1")


def broken(found: dict[str, Any], change: Any) -> str:
    change(found)
    Path("game.json").write_text(json.dumps(found))
    return refused("replay", "game.json")


def test_a_broken_step_is_named_with_what_was_expected(played: dict[str, Any]) -> None:
    choices = [i for i, step in enumerate(played["steps"]) if step["mover"] != "chance"]
    at = choices[1]

    def fold(found: dict[str, Any]) -> None:
        found["steps"][at]["move"] = "fold"

    said = broken(played, fold)
    place = played["steps"][at]["position"]
    assert f"game.json: step {at + 1}: expected the move to be one of roll, hold at {place}" in said
    assert "found 'fold'" in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda g: g["steps"][0].update(move="7"), "expected the outcome to be one of"),
        (lambda g: g["steps"][1].update(mover="second"), "expected a move of first, found second"),
        (lambda g: g["steps"][1].update(position="0/0/9"), "expected the position 0/0/"),
        (lambda g: g["steps"][1].update(side=2), "written from the side of 1, found 2"),
        (lambda g: g["steps"].pop(1), "step 2: expected the position 0/0/"),
        (lambda g: g["steps"].pop(), "expected another step at"),
        (lambda g: g["steps"].append(g["steps"][-1]), "expected the position 12/0/0"),
        (lambda g: g.update(value=1 - g["value"]), "expected the value"),
        (lambda g: g["end"].update(position="11/0/0"), "the end, after step"),
        (lambda g: g["end"].update(side=3 - g["end"]["side"]), "written from the side of"),
        (lambda g: g.update(spec="pgi"), "found 'pgi'"),
        (lambda g: g.update(format="chess"), "expected format 'backroll game 1', found 'chess'"),
        (lambda g: g.pop("steps"), "expected a transcript of a game, found KeyError"),
        (lambda g: g.update(steps=3), "expected a transcript of a game, found TypeError"),
        (lambda g: g.update(value="much"), "expected a transcript of a game, found ValueError"),
    ],
)
def test_every_way_to_break_a_transcript_is_one_line(
    played: dict[str, Any], change: Any, said: str
) -> None:
    assert said in broken(played, change)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "expected the heading 'backroll game 1', found ''"),
        (b"{", "expected a transcript of a game, found JSONDecodeError"),
        (b"\xff\xfe\x00", "expected a transcript of a game, found no text"),
        (b"backroll game 1\nspec\tpig\n", "expected a last line that begins with end"),
        (b"backroll game 1\n1\tfirst\n2\n", "step 1: expected 4 columns divided by tabs, found 1"),
        (b"backroll game 1\nend\tnobody\t0\t1\n", "expected a transcript of a game, found"),
        (b"[" * 100_000, "expected the heading"),
        (b'{"a":' * 100_000, "expected a transcript of a game"),
    ],
)
def test_a_file_that_is_no_transcript_is_one_line(content: bytes, said: str) -> None:
    Path("game.txt").write_bytes(content)
    assert said in refused("replay", "game.txt")


def test_a_transcript_that_is_not_there_is_one_line() -> None:
    assert "missing.json: No such file" in refused("replay", "missing.json")
    assert "No such file" in refused("play", PIG, "--first=hold", "--second=hold", "--out=no/a")


def test_a_game_for_two_needs_two() -> None:
    assert "pig: expected --second STRATEGY, found none" in refused("play", "pig", "--first=hold")
    said = refused("play", "pig:players=1", "--first=hold", "--second=hold")
    assert "pig:players=1: expected 1 strategy, found 2" in said


def test_positions_with_tabs_are_kept_as_json(folder: Path) -> None:
    tabbed = (folder / "race.py").read_text() + (
        "    def show(self, position):\n        return f'at\\t{position}'\n"
    )
    (folder / "tabbed.py").write_text(tabbed)
    assert "keep the game as JSON" in refused("play", "tabbed.py", "--first=random", "--out=a.txt")
    run("play", "tabbed.py", "--first=random", "--out=a.json")
    assert data("replay", "a.json")["spec"].startswith("tabbed.py")


def test_a_transcript_is_checked_by_the_rules_of_its_spec() -> None:
    game = load(PIG)
    found = transcript(game, [strategy("hold"), strategy("random")], seed=2)
    assert read(found.as_text()) == found
    assert read(json.dumps(found.as_dict())) == found
    with pytest.raises(TranscriptError, match="expected"):
        replay(found, game=load("pig:target=5"))


def test_seats_of_one_player_cannot_be_exchanged() -> None:
    one = "cantstop:players=1,sides=2,shortest=1"
    assert "--both expected two strategies, found 1" in refused("simulate", one, "ruleof", "--both")
