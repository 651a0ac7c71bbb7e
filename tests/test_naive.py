"""The oracle itself, on games whose values are known by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

import naive
from backroll.errors import NoSolution
from backroll.game import COST, SCORE, Chance, Choice, Game, Swap, Terminal
from drawn import Drawn, drawn_games
from tiny import DUEL, PIGLET, Piglet, Written, duel, toll


class Figure1(Game[str]):
    """Half the time the mover wins; otherwise the other side is in the same situation."""

    def start(self) -> str:
        return "u"

    def node(self, position: str) -> Chance | Choice | Terminal:
        if position == "u":
            return Chance({"fail": 1, "win": 1})
        return Terminal(1)

    def play(self, position: str, move: str) -> str | Swap[str]:
        return "won" if move == "win" else Swap("u")


def test_piglet_as_published() -> None:
    values = naive.values(Piglet(2))
    assert {position: values[position] for position in PIGLET} == PIGLET


def test_figure_1_relative_and_absolute() -> None:
    assert naive.values(Figure1())["u"] == Fraction(2, 3)
    absolute = Written(
        {
            "u1": Chance({"v1": 1, "u2": 1}),
            "v1": Choice(["~u1"]),
            "u2": Terminal(1),
            "~u1": Chance({"~v1": 1, "~u2": 1}),
            "~v1": Choice(["u1"], player=2),
            "~u2": Terminal(0),
        }
    )
    values = naive.values(absolute)
    assert (values["u1"], values["~u1"]) == (Fraction(2, 3), Fraction(1, 3))
    assert naive.enumerate_policies(absolute) == values


def test_two_players_without_a_cycle() -> None:
    values = naive.values(duel())
    assert {position: values[position] for position in DUEL} == DUEL


def test_costs_on_a_cycle() -> None:
    assert naive.values(toll())["start"] == 2
    nodes = toll(players=2).nodes
    game = Written({"gate": nodes["gate"], **nodes}, COST)
    assert naive.values(game)["gate"] == Fraction(5, 2)


class Toll(Game[int]):
    """Relative: each side is paid on its way, 1 then 2, and the second gets 5 at the end."""

    quantity, total = SCORE, 0

    def start(self) -> int:
        return 0

    def node(self, position: int) -> Choice | Terminal:
        return Terminal(5) if position == 2 else Choice(["on"], adds=position + 1)

    def play(self, position: int, move: str) -> int | Swap[int]:
        return 2 if position else Swap(1)


def test_what_one_side_is_paid_the_other_pays() -> None:
    assert naive.values(Toll()) == {0: 1 - 7, 1: 2 + 5, 2: 5}


def test_going_round_for_ever_has_no_solution() -> None:
    endless = Written({"here": Choice(["there"]), "there": Choice(["here"], player=2)})
    with pytest.raises(NoSolution, match="force an end from"):
        naive.values(endless)
    with pytest.raises(NoSolution, match="go on for ever from"):
        naive.enumerate_policies(endless)


def test_strategies_that_delay_are_not_taken_for_good() -> None:
    """Staying is no better than leaving, so both starts of the iteration must leave."""
    game = Written(
        {
            "a": Choice(["b", "low"]),
            "b": Choice(["a", "high"]),
            "low": Terminal(1),
            "high": Terminal(3),
        },
        SCORE,
        players=1,
    )
    assert naive.values(game) == {"a": 3, "b": 3, "low": 1, "high": 3}


@settings(max_examples=60, deadline=None)
@given(drawn_games(largest=7))
def test_strategy_iteration_agrees_with_trying_everything(game: Drawn) -> None:
    assert naive.values(game) == naive.enumerate_policies(game, limit=3_000)
