"""Pig and Piglet: the rules, published and settled values, and the text form."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import naive
from backroll.database import Database
from backroll.errors import MissingPosition, NotationError, SpecError
from backroll.game import ABSENT, COST, Chance, Choice, Swap, Terminal
from backroll.games.pig import Pig, Score
from backroll.index import RowIndex
from backroll.solving import solve
from backroll.spec import load

ROLL = dict.fromkeys(range(1, 7), 1)


def test_a_turn_begins_with_a_roll() -> None:
    game = Pig()
    assert game.node(game.start()) == Chance(ROLL)
    assert game.play(Score(30, 40), 5) == Score(30, 40, turn=5)
    assert game.node(Score(30, 40, 5)) == Choice(("roll", "hold"))


def test_rolling_holding_and_losing_the_turn() -> None:
    game = Pig()
    in_the_air = Score(30, 40, 5, rolling=True)
    assert game.play(Score(30, 40, 5), "roll") == in_the_air
    assert game.node(in_the_air) == Chance(ROLL)
    assert game.play(in_the_air, 6) == Score(30, 40, 11)
    assert game.play(in_the_air, 1) == Swap(Score(40, 30))
    assert game.play(Score(30, 40, 5), "hold") == Swap(Score(40, 35))


def test_reaching_the_target_wins_at_once_in_one_position() -> None:
    game = Pig(target=20)
    won = game.play(Score(10, 7, 6, rolling=True), 4)
    assert won == game.play(Score(3, 0, 15, rolling=True), 6)
    assert isinstance(won, Score)
    assert game.node(won) == Terminal(1)
    assert not game.anchor(won)


def test_alone_every_turn_costs_one() -> None:
    game = Pig(players=1)
    assert game.quantity == COST
    assert game.node(game.start()) == Chance(ROLL, adds=1)
    assert game.node(Score(5, 0, 3, rolling=True)) == Chance(ROLL)
    assert game.play(Score(5, 0, 3), "hold") == Score(8)
    assert game.play(Score(5, 0, 3, rolling=True), 1) == Score(5)
    assert game.node(Score(100)) == Terminal(0)


def test_piglet_is_tossed_with_a_coin() -> None:
    game = Pig(target=10, piglet="yes")
    assert game.node(game.start()) == Chance({"tails": 1, "heads": 1})
    assert game.play(Score(2, 3, 1, rolling=True), "heads") == Score(2, 3, 2)
    assert game.play(Score(2, 3, 1, rolling=True), "tails") == Swap(Score(3, 2))


def test_anchors_are_where_turns_start() -> None:
    game = Pig(target=10)
    anchors = [position for position in naive.values(game) if game.anchor(position)]
    assert len(anchors) == 81  # no score of 1, for a turn gains at least 2
    assert {(position.turn, position.rolling) for position in anchors} == {(0, False)}


def test_what_is_no_score_has_no_row_and_no_value() -> None:
    database = Database.of(solve(Pig(target=10)))
    assert isinstance(database.index, RowIndex)
    for score in [Score(0, 10), Score(5, 15), Score(-1, 3), Score(0, -1), Score(0, 0, 300)]:
        assert database.index.find(score) == ABSENT
        with pytest.raises(MissingPosition):
            database.value(score)
        with pytest.raises(MissingPosition):
            database.values([Score(0), score])
    half: Any = 0.5
    with pytest.raises(MissingPosition):
        database.values([Score(half)])


def test_piglet_to_two_as_published() -> None:
    values = naive.values(Pig(target=2, piglet="yes"))
    anchors = [values[Score(*scores)] for scores in ((0, 0), (0, 1), (1, 0), (1, 1))]
    assert anchors == [Fraction(4, 7), Fraction(2, 5), Fraction(4, 5), Fraction(2, 3)]


def test_settled_value_of_pig_to_ten() -> None:
    game = Pig(target=10)
    assert float(naive.values(game)[game.start()]) == pytest.approx(
        0.709424322598, abs=1e-12, rel=0
    )


@pytest.mark.parametrize(
    "spec", ["pig:target=30", "pig:target=30,players=1", "pig:target=9,piglet=yes,players=1"]
)
def test_text_and_position_are_inverse(spec: str) -> None:
    game, random = load(spec), Random(1)
    for _ in range(200):
        position = game.sample(random)
        assert game.parse(game.show(position)) == position


def test_text_forms() -> None:
    assert Pig().show(Score(10, 20, 5, rolling=True)) == "10/20/5@"
    assert Pig().parse(" 10 / 20/5 @ ") == Score(10, 20, 5, rolling=True)
    assert Pig(players=1).show(Score(10, 0, 5)) == "10/5"
    assert Pig().parse("90/20/10") == Pig().parse("100/3/0") == Score(100)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1/2", "expected mover/opponent/turn (and @ when the die is in the air), found '1/2'"),
        (
            "1/2/3@4",
            "expected mover/opponent/turn (and @ when the die is in the air), found '1/2/3@4'",
        ),
        ("x/2/3", "the score: expected a whole number from 0 to 106, found 'x'"),
        ("1/100/0", "the opponent's score: expected a whole number from 0 to 99, found '100'"),
        ("1/2/-3", "the turn total: expected a whole number from 0 to 106, found '-3'"),
        ("1/2/0@", "a turn begins with a roll: expected no @, found '1/2/0@'"),
        ("90/2/10@", "the game is won: expected no @, found '90/2/10@'"),
    ],
)
def test_a_wrong_text_gets_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        Pig().parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    "spec", ["pig:target=0", "pig:sides=1", "pig:players=3", "pig:piglet=yes,sides=4"]
)
def test_wrong_parameters_are_refused(spec: str) -> None:
    with pytest.raises(SpecError):
        load(spec)
