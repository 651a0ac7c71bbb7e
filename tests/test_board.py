"""The board: states of every kind of game, and what draws them in Python."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import backroll
from backroll import Chance, Choice, Game, Terminal, load
from backroll.arena.playing import Step, luck_of, play
from backroll.board import showing
from backroll.board.picture import svg
from backroll.board.showing import Picture, picture_of
from backroll.board.state import Hint, State, state_of
from backroll.board.text import lines
from backroll.errors import NotationError, SpecError

SPECS = (
    "cantstop:sides=2,shortest=1",
    "cantstop:sides=3,shortest=2,occupied=jump",
    "cantstop:sides=3,shortest=1,occupied=share",
    "cantstop:sides=2,shortest=2,players=1",
    "pig:target=15",
    "pig:target=9,piglet=yes,players=1",
    "shutthebox:tiles=5,one_die=sum6",
    "shutthebox:tiles=4,aim=win",
    "nim:stones=7",
    "chinesecheckers:size=4,pieces=1",
    "rookending",
)
SMALL = "cantstop:sides=3,shortest=2"
NAMES = ("Ann", "Bob")


def played(spec: str, seed: int = 1, most: int = 150) -> Iterator[tuple[Game[Any], list[Step]]]:
    """A game of random moves: what has been played before each step, that step last."""
    game, random, steps = load(spec), Random(seed), list[Step]()

    def player(position: Any) -> Any:
        node = game.node(position)
        assert isinstance(node, Choice)
        return random.choice(list(node.moves))

    for step in play(game, [player, player], luck_of(game, seed, 0)):
        steps.append(step)
        yield game, steps
        if len(steps) == most:
            return


def seen(game: Game[Any], steps: list[Step]) -> State:
    """The state at the last of some steps."""
    *before, last = steps
    return state_of(game, last.position, side=last.who, names=NAMES, steps=before)


@pytest.mark.parametrize("spec", SPECS)
def test_states_are_plain_data_and_follow_the_rules(spec: str) -> None:
    phases = set()
    for game, steps in played(spec):
        state, step = seen(game, steps), steps[-1]
        assert json.loads(json.dumps(state, allow_nan=False)) == state
        assert state["position"] == game.show(step.position)
        node = game.node(step.position)
        phases.add(state["phase"])
        assert (state["phase"] == "over") == isinstance(node, Terminal)
        if isinstance(node, Choice):
            assert [each["move"] for each in state["choices"]] == [*map(game.show_move, node.moves)]
            assert state["turn"] == step.mover
        elif isinstance(node, Chance):
            assert [each["move"] for each in state["choices"]] == ["roll"]
    assert len(phases) >= 2


@pytest.mark.parametrize("spec", SPECS)
def test_pictures_are_whole(spec: str) -> None:
    for game, steps in played(spec, most=25):
        state = seen(game, steps)
        root = ElementTree.fromstring(svg(state))
        title = root.find("{http://www.w3.org/2000/svg}title")
        assert title is not None
        assert (title.text or "").endswith(state["position"])
        assert lines(state)[-1] == state["said"]


def test_players_are_told_by_seat_whoever_moves() -> None:
    game = load(SMALL)
    position = game.parse("2,0,1,0,0/0,1,0,0,0/4=3@1,2,2,2")
    first, second = (state_of(game, position, side=side) for side in (1, 2))
    assert first["players"][0]["won"] == [2] == second["players"][1]["won"]
    assert first["players"][1]["heights"] == second["players"][0]["heights"]
    assert (first["turn"], second["turn"]) == (1, 2)


def test_choices_lead_to_where_the_rules_put_the_markers() -> None:
    led = 0
    for game, steps in played(SMALL, seed=5):
        step = steps[-1]
        if step.mover and isinstance(step.move, tuple):
            choices = {each["move"]: each["leads"] for each in seen(game, steps)["choices"]}
            after: Any = game.play(step.position, step.move)
            heights = {str(column + 2): height for column, height in after.neutral}
            expected = {str(total): heights[str(total)] for total in step.move}
            assert choices[game.show_move(step.move)] == expected
            led += 1
    assert led


def test_what_came_before_is_told() -> None:
    sentences = [
        seen(game, steps)["said"] for seed in range(4) for game, steps in played(SMALL, seed)
    ]
    lost = [said for said in sentences if "loses the turn" in said]
    assert lost
    assert all(re.match(r"(Ann|Bob) rolled \d \d \d \d, which", said) for said in lost)
    assert re.search(r"(Ann|Bob) won\.$", sentences[-1])


def test_the_winner_is_told_by_seat() -> None:
    winners = set()
    for seed in range(8):
        for game, steps in played("pig:target=6", seed):
            state = seen(game, steps)
        scores = [player["score"] for player in state["players"]]
        assert scores[state["winner"] - 1] == 6
        assert state["worth"] == (state["winner"] == 1)
        winners.add(state["winner"])
    assert winners == {1, 2}


def test_the_end_for_one_counts_what_was_paid() -> None:
    for game, steps in played("cantstop:sides=2,shortest=1,players=1", 3, most=2_000):
        state = seen(game, steps)
    assert state["phase"] == "over"
    turns = sum(game.anchor(step.position) for step in steps)
    assert state["worth"] == turns
    assert state["said"].endswith(f"The end: {turns} in all.")


def test_hints_stand_with_their_choices() -> None:
    game = load("pig:target=20")
    hints = [Hint("hold", 0.5, 0.0, "a guess"), Hint("roll", 0.25, 0.25, "a guess")]
    state = state_of(game, game.parse("3/4/5"), hints=hints)
    known = {each["move"]: (each["value"], each["cost"]) for each in state["choices"]}
    assert known == {"hold": (0.5, 0.0), "roll": (0.25, 0.25)}
    assert state["basis"] == "a guess"


def test_players_of_one_name_are_told_apart() -> None:
    state = state_of(load("pig"), load("pig").start(), names=("you", "you"))
    assert [player["name"] for player in state["players"]] == ["you (1)", "you (2)"]
    assert state["said"] == "You (1) to roll."


def test_names_are_escaped() -> None:
    game = load(SMALL)
    drawn = svg(state_of(game, game.start(), names=("<b>", "&")))
    assert "<b>" not in drawn
    assert "&lt;b&gt;" in drawn


def test_a_board_in_text_has_every_marker() -> None:
    text = repr(picture_of("2,0,1,0,0/0,1,0,0,0/4=3,5=1@1,2,2,2", spec=SMALL))
    board = text.partition("\n\n")[0]
    assert (board.count("^"), board.count("1")) == (2, 3)
    assert "Player 1 rolled 1 2 2 2. Player 1 to choose." in text


def test_a_picture_is_kept(tmp_path: Path) -> None:
    picture_of("3/4/5", spec="pig").save(tmp_path / "pig.svg")
    assert ElementTree.parse(tmp_path / "pig.svg").getroot().tag.endswith("svg")
    assert picture_of(spec="pig")._repr_svg_().startswith("<svg")


def test_show_asks_for_a_game_and_for_a_position_of_it() -> None:
    with pytest.raises(SpecError, match="expected a game to show, as spec= or game="):
        backroll.show("3/4/5")
    with pytest.raises(NotationError, match="expected mover/opponent/turn"):
        backroll.show("3", spec="pig")


def test_without_anywidget_a_picture_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "find_spec", lambda name: None)
    game = load("pig")
    shown = backroll.show(game.parse("3/4/5"), game=game)
    assert isinstance(shown, Picture)
    assert shown.state["total"] == 5


def test_with_anywidget_a_widget_is_shown() -> None:
    pytest.importorskip("anywidget")
    shown = backroll.show("3/4/5", spec="pig")
    assert not isinstance(shown, Picture)
    assert shown.state == picture_of("3/4/5", spec="pig").state
    assert repr(shown) == repr(picture_of("3/4/5", spec="pig"))
    assert {"state", "chosen", "animate", "theme", "locked"} <= set(shown.traits(sync=True))
    assert "export default" in str(shown.get_state()["_esm"])


def test_a_game_that_changes_the_rules_of_another_is_drawn_plainly() -> None:
    class House(type(load("pig"))):  # type: ignore[misc]
        """Pig with other rules."""

    state = state_of(House(target=9), House(target=9).start())
    assert state["kind"] == "plain"
    assert state["picture"] == "0/0/0"
