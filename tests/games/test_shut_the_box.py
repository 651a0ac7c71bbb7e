"""Shut the Box: the rules, settled values, the recurrences and the text form."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Literal

import pytest

import naive
from backroll.dice import die, total
from backroll.errors import NotationError, SpecError
from backroll.game import COST, WIN, Chance, Choice, Game, Swap, Terminal
from backroll.games.shut_the_box import Box, ShutTheBox, first_wins
from backroll.spec import load

FULL = 0b111111111
Rule = Literal["never", "sum6"]
RULES: tuple[Rule, ...] = ("never", "sum6")


def value(game: Game[Box], position: Box, known: dict[Box, float]) -> float:
    """The value of a position by recursion in plain floats."""
    if position not in known:
        node = game.node(position)
        if isinstance(node, Terminal):
            known[position] = node.value
        elif isinstance(node, Choice):
            known[position] = max(answer(game, position, move, known) for move in node.moves)
        else:
            ways = sum(node.outcomes.values())
            known[position] = sum(
                weight / ways * answer(game, position, roll, known)
                for roll, weight in node.outcomes.items()
            )
    return known[position]


def answer(game: Game[Box], position: Box, move: object, known: dict[Box, float]) -> float:
    child = game.play(position, move)
    if isinstance(child, Swap):
        return 1 - value(game, child.position, known)
    return value(game, child, known)


def test_a_roll_flips_any_open_tiles_that_add_up_to_it() -> None:
    game = ShutTheBox()
    assert game.start() == Box(FULL)
    assert game.node(Box(FULL)) == Chance(total(2, 6))
    rolled = game.play(Box(FULL), 7)
    assert rolled == Box(FULL, roll=7)
    assert game.node(Box(FULL, roll=7)) == Choice([(7,), (1, 6), (2, 5), (3, 4), (1, 2, 4)])
    assert game.play(Box(FULL, roll=7), (2, 5)) == Box(0b111101101)
    assert game.node(Box(0b111101101, roll=7)) == Choice([(7,), (1, 6), (3, 4)])
    assert game.show_move((2, 5)) == "2+5"
    assert game.show_move(7) == "7"


def test_a_player_who_is_stuck_scores_the_open_tiles() -> None:
    game = ShutTheBox()
    assert game.quantity == COST
    stuck = game.play(game.parse("1,2,3"), 12)
    assert stuck == game.parse("1,2,3@end")
    assert game.node(game.parse("1,2,3@end")) == Terminal(6)
    assert game.node(game.parse("-")) == Terminal(0)
    assert game.node(game.parse("1,2@7")) == Choice(("end",))
    assert game.play(game.parse("1,2@7"), "end") == game.parse("1,2@end")


def test_only_shutting_the_box_counts_when_that_is_the_aim() -> None:
    game = ShutTheBox(aim="shut")
    assert (game.players, game.quantity) == (1, WIN)
    assert game.node(game.parse("1@end")) == Terminal(0)
    assert game.node(game.parse("-")) == Terminal(1)


def test_one_die_may_be_left_out_when_the_open_tiles_add_up_to_six() -> None:
    game = ShutTheBox(one_die="sum6")
    assert game.node(game.parse("1,6")) == Chance(total(2, 6))
    few = game.parse("2,4")
    assert game.node(few) == Choice(("1d", "2d"))
    assert game.play(few, "1d") == game.parse("2,4@1d")
    assert game.node(game.parse("2,4@1d")) == Chance(die(6))
    assert game.node(game.parse("2,4@2d")) == Chance(total(2, 6))
    assert game.play(game.parse("2,4@1d"), 6) == game.parse("2,4@6")
    assert game.play(game.parse("2,4@1d"), 5) == game.parse("2,4@end")
    assert ShutTheBox().node(few) == Chance(total(2, 6))


def test_the_second_player_sees_the_score_and_stops_when_it_is_beaten() -> None:
    game = ShutTheBox(aim="win")
    every = game.start().tiles
    assert game.players == 2
    assert game.play(game.parse("1,2"), 7) == Swap(Box(every, target=3))
    assert game.play(game.parse("3@3"), (3,)) == Swap(Box(every, target=0))
    assert game.node(game.parse("1,2/4")) == Terminal(1)
    assert game.node(game.parse("1,3/4")) == Chance(total(2, 6))
    assert game.node(game.parse("1,3/4@end")) == Terminal(0.5)
    assert game.node(game.parse("1,4/4@end")) == Terminal(0)
    assert game.node(game.parse("-/1")) == Terminal(1)


def test_a_box_shut_by_both_is_a_tie() -> None:
    assert ShutTheBox(aim="win").node(Box(0, target=0)) == Terminal(0.5)


def test_anchors_await_a_roll() -> None:
    game = ShutTheBox(aim="win", one_die="sum6")
    anchors = ["1,2,3", "7,8", "1,2,3/4"]
    others = ["1,2,3@1d", "7,8@9", "1,2,3/4@end", "1,2/4", "-/0"]
    assert all(game.anchor(game.parse(text)) for text in anchors)
    assert not any(game.anchor(game.parse(text)) for text in others)


@pytest.mark.parametrize(
    ("spec", "settled"),
    [
        ("shutthebox", 11.157508444),
        ("shutthebox:one_die=sum6", 11.021120546),
        ("shutthebox:aim=shut", 0.071431622),
    ],
)
def test_settled_values_alone(spec: str, settled: float) -> None:
    game = load(spec)
    assert float(naive.values(game)[game.start()]) == pytest.approx(settled, abs=5e-10, rel=0)


def test_the_best_chance_to_shut_with_one_die_is_exact() -> None:
    game = ShutTheBox(aim="shut", one_die="sum6")
    assert naive.values(game)[game.start()] == Fraction(956177159, 9795520512)


@pytest.mark.parametrize(("rule", "settled"), [("never", 0.497993947), ("sum6", 0.498049942)])
def test_settled_values_for_two(rule: Rule, settled: float) -> None:
    game = ShutTheBox(aim="win", one_die=rule)
    found = value(game, game.start(), {})
    assert found == pytest.approx(settled, abs=5e-10, rel=0)
    assert first_wins(9, rule) == pytest.approx(found, abs=1e-14, rel=0)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("tiles", range(1, 6))
def test_the_recurrences_agree_with_the_rules(tiles: int, rule: Rule) -> None:
    game = ShutTheBox(tiles, rule, "win")
    exact = float(naive.values(game)[game.start()])
    assert first_wins(tiles, rule) == pytest.approx(exact, abs=1e-14, rel=0)


@pytest.mark.parametrize("aim", ["score", "shut", "win"])
@pytest.mark.parametrize("rule", RULES)
def test_text_and_position_are_inverse(aim: str, rule: Rule) -> None:
    game, random = load(f"shutthebox:tiles=6,aim={aim},one_die={rule}"), Random(1)
    for _ in range(200):
        position = game.sample(random)
        assert game.parse(game.show(position)) == position


def test_text_forms() -> None:
    game = ShutTheBox(aim="win", one_die="sum6")
    assert game.show(Box(0b11)) == "1,2"
    assert game.show(Box(0b11, 12, 7)) == "1,2/12@7"
    assert game.parse(" 9, 1 / 10 @ 3 ") == Box(0b100000001, 10, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a tile: expected a whole number from 1 to 9, found ''"),
        ("0,1", "a tile: expected a whole number from 1 to 9, found '0'"),
        ("1,2,1", "expected each tile once, found '1,2,1'"),
        ("1,2/46", "the score to beat: expected a whole number from 0 to 45, found '46'"),
        ("-", "expected the second player's tiles and 0 to beat, found '-'"),
        ("-/0@7", "the play is over: expected no @, found '-/0@7'"),
        ("1,2/4@7", "the play is over: expected no @, found '1,2/4@7'"),
        ("1,2@end", "the roll (or 1d, 2d): expected a whole number from 1 to 12, found 'end'"),
        ("7,8@1d", "the roll of two dice: expected a whole number from 2 to 12, found '1d'"),
        ("7,8@1", "the roll of two dice: expected a whole number from 2 to 12, found '1'"),
        ("1@", "the roll (or 1d, 2d): expected a whole number from 1 to 12, found ''"),
        ("1/2/3", "the score to beat: expected a whole number from 0 to 45, found '2/3'"),
    ],
)
def test_a_wrong_text_gets_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        ShutTheBox(aim="win", one_die="sum6").parse(text)
    assert str(error.value) == message


def test_one_player_has_no_score_to_beat() -> None:
    with pytest.raises(NotationError, match="no score to beat with aim=shut, found '1,2/3'"):
        ShutTheBox(aim="shut").parse("1,2/3")


@pytest.mark.parametrize(
    "spec",
    ["shutthebox:tiles=0", "shutthebox:tiles=13", "shutthebox:one_die=yes", "shutthebox:aim=3"],
)
def test_wrong_parameters_are_refused(spec: str) -> None:
    with pytest.raises(SpecError):
        load(spec)
