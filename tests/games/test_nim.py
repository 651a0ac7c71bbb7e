"""Nim: the rules, the theory of the game, and its text form."""

from __future__ import annotations

from functools import reduce
from operator import xor
from random import Random

import pytest

import naive
from backroll.errors import NotationError, SpecError
from backroll.game import Choice, Swap, Terminal
from backroll.games.nim import Nim
from backroll.spec import load


def test_moves_take_up_to_most_from_one_of_the_piles() -> None:
    game = Nim(stones=5, piles=3, most=3)
    assert game.start() == (5, 5, 5)
    node = game.node((2, 5, 5))
    assert isinstance(node, Choice)
    assert node.moves == [(2, 1), (2, 2), (5, 1), (5, 2), (5, 3)]
    assert game.play((2, 5, 5), (5, 3)) == Swap((2, 2, 5))
    assert game.play((2, 5, 5), (2, 2)) == Swap((5, 5))
    assert game.show_move((5, 3)) == "5-3"


def test_no_limit_takes_whole_piles() -> None:
    node = Nim(stones=4, most=0).node((4,))
    assert isinstance(node, Choice)
    assert node.moves == [(4, 1), (4, 2), (4, 3), (4, 4)]


def test_who_finds_no_stones_has_lost_or_in_misere_won() -> None:
    assert Nim().node(()) == Terminal(0)
    assert Nim(misere="yes").node(()) == Terminal(1)


@pytest.mark.parametrize("misere", ["no", "yes"])
def test_one_pile_is_lost_at_every_fourth_size(misere: str) -> None:
    values = naive.values(load(f"nim:misere={misere}"))
    rest = 0 if misere == "no" else 1
    assert all(values[(size,)] == (size % 4 != rest) for size in range(1, 22))


def test_piles_without_a_limit_follow_their_exclusive_or() -> None:
    normal = naive.values(Nim(stones=4, piles=3, most=0))
    misere = naive.values(Nim(stones=4, piles=3, most=0, misere="yes"))
    assert len(normal) == 35
    for piles, value in normal.items():
        won = reduce(xor, piles, 0) != 0
        assert value == won
        only_ones = max(piles, default=0) <= 1
        assert misere[piles] == (not won if only_ones else won)


def test_text_and_position_are_inverse() -> None:
    game, random = Nim(stones=9, piles=4, most=0), Random(1)
    for _ in range(200):
        position = game.sample(random)
        assert game.parse(game.show(position)) == position
    assert game.show(()) == "0"
    assert game.parse(" 5, 3,4 ") == (3, 4, 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a pile: expected a whole number from 1 to 5, found ''"),
        ("6", "a pile: expected a whole number from 1 to 5, found '6'"),
        ("3,0", "a pile: expected a whole number from 1 to 5, found '0'"),
        ("-1", "a pile: expected a whole number from 1 to 5, found '-1'"),
        ("٣", "a pile: expected a whole number from 1 to 5, found '٣'"),
        (
            "9" * 5000,
            f"a pile: expected a whole number from 1 to 5, found '{'9' * 27}...{'9' * 28}'",
        ),
        ("1,2,3", "expected at most 2 piles, found 3 in '1,2,3'"),
    ],
)
def test_a_wrong_text_gets_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        Nim(stones=5, piles=2).parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize("spec", ["nim:stones=0", "nim:piles=9", "nim:most=-1", "nim:misere=maybe"])
def test_a_parameter_out_of_its_range_is_refused(spec: str) -> None:
    with pytest.raises(SpecError):
        load(spec)
