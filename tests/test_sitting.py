"""Sitting at the board: what is decided, taken back, saved and taken up again, at the keyboard."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from backroll import load
from backroll.arena import Step, read, replay, transcript
from backroll.arena.transcripts import written_down
from backroll.board import sitting as sitting_module
from backroll.board.showing import picture_of
from backroll.board.sitting import Sitting, TakeBack, reopened
from backroll.cli import app
from backroll.cli.sitting import draw, print_judged
from backroll.errors import StrategyError, TranscriptError
from backroll.strategies import strategy
from commands import refused, run

PIG = "pig:target=12"
SMALL = "cantstop:sides=3,shortest=1"
STUCK = "cantstop:sides=2,shortest=1"


class Script:
    """People who decide by a list: places of moves, or a word for taking back."""

    def __init__(self, sitting: Sitting, choices: Sequence[int | str]) -> None:
        self._game = sitting.game
        self._choices: Iterator[int | str] = iter(choices)
        self.seen: list[Step] = []

    def ask(self, steps: Sequence[Step], position: Any, side: int, seat: int) -> Any:
        """The next of the list, and then always the first move."""
        node: Any = self._game.node(position)
        assert seat == (side if node.player == 1 else 3 - side)
        choice = next(self._choices, 0)
        if isinstance(choice, str):
            raise TakeBack
        return [*node.moves][choice]

    def see(self, steps: Sequence[Step]) -> None:
        """Keep what is told."""
        self.seen.append(steps[-1])


def sat(choices: Sequence[int | str], spec: str = SMALL, seed: int = 5) -> list[Step]:
    sitting = Sitting(load(spec), ("you", "random"), seed)
    return sitting.play(Script(sitting, choices))


@pytest.mark.parametrize("spec", [PIG, SMALL, "shutthebox:tiles=4,aim=win", "nim:stones=9"])
def test_who_sits_meets_the_game_that_a_strategy_would(spec: str) -> None:
    game = load(spec)
    sitting = Sitting(game, ("you", "random"), 4, 2)
    player = strategy("random")
    found = transcript(game, [player, player], seed=4, number=2)
    moves = [line.move for line in found.lines if line.mover == "first"]

    class Same(Script):
        def ask(self, steps: Sequence[Step], position: Any, side: int, seat: int) -> Any:
            text = next(line.move for line in found.lines[len(steps) :] if line.mover == "first")
            return next(m for m in list(game.node(position).moves) if game.show_move(m) == text)  # type: ignore[union-attr]

    steps = sitting.play(Same(sitting, []))
    assert len(moves) > 0
    again = written_down(game, found.strategies, steps, seed=4, number=2)
    assert again == found
    assert replay(again) == found.value


def test_deciding_the_same_again_gives_the_same_game() -> None:
    plain = sat([0, 0, 0])
    assert sat([0, 0, "back", 0, 0]) == plain
    assert sat([0, 1, "back", 0, 0]) == plain
    assert sat([0, 0, "back", "back", 0, 0, 0]) == plain


def test_taking_back_goes_to_the_last_decision_of_a_person() -> None:
    sitting = Sitting(load("nim:stones=9"), ("you", "random"), 0)
    script = Script(sitting, [2, "back", 0])
    steps = sitting.play(script)
    assert [step.move for step in script.seen[:2]] == [(9, 3), script.seen[1].move]
    assert steps[0].move == (9, 1)
    assert [step.mover for step in steps[:2]] == [1, 2]


def test_a_game_that_was_saved_goes_on(tmp_path: Path) -> None:
    game = load(SMALL)
    sitting = Sitting(game, ("you", "random"), 5)
    steps = sitting.play(Script(sitting, [0, 1, 0]))
    path = tmp_path / "saved.json"
    whole = json.loads(sitting.saved())
    for count in (0, 3, len(whole["moves"])):
        path.write_text(json.dumps({**whole, "moves": whole["moves"][:count]}))
        again = reopened(game, path)
        assert len(again.decisions) == count
        later = again.play(Script(again, []))
        shared = steps if count == len(whole["moves"]) else steps[:1]
        assert later[: len(shared)] == shared


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "other"}, "expected a game saved by play, found ValueError: format 'other'"),
        ({"moves": 3}, "expected a game saved by play, found TypeError"),
        ({"seed": -1}, "found ValueError: seed -1"),
        ({"spec": "pig"}, "expected a game of pig:target=12, found one of pig"),
        ({"strategies": ["you"]}, "pig:target=12: expected 2 to play, found 1"),
        ({"strategies": ["you", "nobody"]}, "expected a strategy"),
        ({"moves": [[1, "fly"]]}, "expected one of roll, hold by seat 1 at"),
        ({"moves": [[2, "roll"]]}, "found 'roll' by seat 2"),
    ],
)
def test_what_is_no_saved_game_is_refused(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    path = tmp_path / "saved.json"
    about = {"format": "backroll sitting 1", "spec": PIG, "strategies": ["you", "hold"]}
    path.write_text(json.dumps({**about, "seed": 1, "game": 0, "moves": []} | change))
    with pytest.raises((TranscriptError, StrategyError)) as caught:
        taken_up(path)
    assert said in str(caught.value)


def taken_up(path: Path) -> None:
    sitting = reopened(load(PIG), path)
    sitting.play(Script(sitting, []))


def test_more_moves_than_a_game_has_are_refused() -> None:
    sitting = Sitting(load("nim:stones=3"), ("you", "you"), 0)
    sitting.play(Script(sitting, []))
    more = Sitting(load("nim:stones=3"), ("you", "you"), 0, 0, sitting.decisions * 2)
    with pytest.raises(TranscriptError, match="expected a game that is over, found"):
        more.play(Script(more, []))


def test_a_game_that_nobody_can_win_any_more_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitting_module, "LONGEST", 500)
    with pytest.raises(TranscriptError, match="expected a game of 500 steps at most, found no end"):
        several()


def several() -> None:
    """Games on the smallest board: where both win a column, nobody wins all three."""
    for seed in range(6):
        sat([], STUCK, seed)


def typed(lines: Sequence[str], *arguments: str) -> Result:
    """A game with those lines typed."""
    text = "".join(f"{line}\n" for line in lines)
    return CliRunner().invoke(app, ["play", *arguments], input=text)


YOURS = (PIG, "--first", "you", "--second", "hold:at=4", "--seed", "2")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_game_is_played_at_the_keyboard_and_kept() -> None:
    result = typed(["hold"] * 40, *YOURS, "--out", "game.txt")
    assert result.exit_code == 0, result.output
    assert "You to roll or hold." in result.stdout
    assert re.search(r"(You|Hold:at=4) won\.", result.stdout)
    assert "\x1b" not in result.stdout
    found = read(Path("game.txt").read_text())
    assert found.strategies == ("you", "hold:at=4")
    assert found.seed == 2
    assert replay(found) == found.value
    assert "each by the rules" in run("replay", "game.txt").stdout


def test_choices_are_taken_by_number_and_by_name() -> None:
    by_number = typed(["2"] * 40, *YOURS, "--out", "a.json")
    by_name = typed(["hold"] * 40, *YOURS, "--out", "b.json")
    assert (by_number.exit_code, by_name.exit_code) == (0, 0)
    assert Path("a.json").read_text() == Path("b.json").read_text()


def test_taking_back_at_the_keyboard_changes_nothing_but_the_decision() -> None:
    longer = ("pig:target=30", *YOURS[1:])
    plain = typed(["hold"] * 40, *longer, "--out", "a.json")
    changed = typed(["roll", "u", *["hold"] * 40], *longer, "--out", "b.json")
    assert "You: roll." in changed.stdout
    assert "You: roll." not in plain.stdout
    assert Path("a.json").read_text() == Path("b.json").read_text()
    assert "nothing has been decided yet" in typed(["u", "q"], *YOURS).stdout


def test_a_game_is_saved_left_and_taken_up() -> None:
    left = typed(["hold", "s", "q"], *YOURS, "--save", "kept.json")
    assert (left.exit_code, left.stderr) == (130, "backroll: the game is not over\n")
    again = typed(["hold"] * 40, PIG, "--resume", "kept.json", "--out", "a.json")
    assert again.exit_code == 0, again.output
    typed(["hold"] * 40, *YOURS, "--out", "b.json")
    assert Path("a.json").read_text() == Path("b.json").read_text()


def test_the_end_of_input_is_to_leave() -> None:
    assert typed([], *YOURS).exit_code == 130


def test_what_is_no_choice_is_told() -> None:
    said = typed(["fly", "7", "q"], *YOURS).stdout
    assert said.count("expected 1 to 2: a number, or h for a hint") == 2


def test_hints_say_what_they_rest_on() -> None:
    Path("tables").mkdir()
    run("solve", PIG, "--out", "tables/pig")
    result = typed(["h", "q"], *YOURS, "--tables", "tables")
    first, second = re.findall(r"^ +(roll|hold) +([\d.]+)%  (.*)$", result.stdout, re.M)
    assert first[2] == "best"
    assert second[2].startswith("costs ")
    cost = float(second[2].split()[1].rstrip("%"))
    assert cost == pytest.approx(float(first[1]) - float(second[1]), abs=0.011)
    assert "exact, from the table pig" in result.stdout
    assert "exact, solved just now" in typed(["h", "q"], *YOURS).stdout


def test_a_review_follows_that_finds_no_mistake_in_perfect_play() -> None:
    run("solve", PIG, "--out", "table")
    played = typed(["hold"] * 60, PIG, "--first", "optimal:table", "--second", "you")
    assert played.exit_code == 0, played.output
    assert re.search(r"^1 +optimal:\S+ +\d+ +0.0000 ", played.stdout, re.M)
    assert re.search(r"^2 +you +\d+ +0.\d+ ", played.stdout, re.M)


def test_what_would_have_to_be_simulated_is_not_reviewed() -> None:
    class Guess:
        """Whoever knows by simulating alone."""

        def found(self, position: Any) -> Any:
            return SimpleNamespace(interval=(0.0, 1.0))

    said = StringIO()
    with redirect_stdout(said):
        print_judged(Guess(), ("you",), [Step((), 1, 1, None)])  # type: ignore[arg-type]
    assert said.getvalue().startswith("no review: every decision would have to be simulated")


def test_dice_are_new_where_no_seed_is_given() -> None:
    said = {typed([], PIG, "--first=you", "--second=hold").stdout.split("\n")[0] for _ in range(4)}
    assert len(said) > 1


def test_two_people_may_sit_at_one_keyboard() -> None:
    result = typed(["1"] * 20, "nim:stones=5", "--first=you", "--second=you")
    assert "You (1) won." in result.stdout


def test_what_cannot_be_played_is_refused_in_one_line() -> None:
    assert "pig: expected --first STRATEGY, found none" in refused("play", "pig")
    assert "pig: expected 2 to play, found 1" in refused("play", "pig", "--first=you")
    said = refused("play", "pig", "--first=you", "--second=hold", "--json")
    assert "expected --out FILE.json rather than --json" in said
    assert "No such file" in refused("play", "pig", "--resume=none.json")
    said = refused("play", "pig", "--first=you", "--resume=none.json")
    assert "--resume: expected no players, seed or game beside it" in said


def test_a_terminal_has_colours_and_the_same_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    state = picture_of("1,0,2,0,0/0,1,0,0,0/3=2@1,2,2,2", spec="cantstop:sides=3,shortest=2").state
    draw(state)
    plain = capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    draw(state)
    drawn = capsys.readouterr().out
    assert "\x1b[" in drawn
    bare = re.sub(r"\x1b\[[\d;]*m", "", drawn)
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()
