"""Exploring: the arrays it makes, and what it says of games that break the contract."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from backroll import Chance, Choice, Game, Swap, Terminal
from backroll.arrays import HIGHEST, LOWEST, MEAN
from backroll.engines.problem import Problem
from backroll.errors import GameError
from backroll.graph import explore
from drawn import Drawn, drawn_games

WRONG: Any = 0.5
NO_NUMBER: Any = "x"


class Small(Game[Any]):
    """A game by a table of nodes; moves are the positions they lead to."""

    def __init__(self, nodes: dict[Any, Any], players: int = 2) -> None:
        self.nodes, self.players = nodes, players

    def start(self) -> Any:
        return "start"

    def node(self, position: Any) -> Any:
        return self.nodes[position]

    def play(self, position: Any, move: Any) -> Any:
        return move


def test_a_graph_is_what_the_rules_say() -> None:
    game = Small(
        {
            "start": Choice(["luck", Swap("luck")]),
            "luck": Chance({"won": 1, "start": 3}, adds=2),
            "won": Terminal(1),
        }
    )
    explored = explore(game)
    graph = explored.graph
    assert explored.positions == ["start", "luck", "won"]
    assert explored.centre == 0.5
    assert graph.kind.tolist() == [HIGHEST, MEAN, MEAN]
    assert graph.first.tolist() == [0, 2, 4, 4]
    assert graph.child.tolist() == [1, 1, 2, 0]
    assert graph.weight.tolist() == [1, -1, 0.25, 0.75]
    assert graph.adds.tolist() == [0, 2, 0.5]


def test_the_second_player_wants_low() -> None:
    explored = explore(Small({"start": Choice(["won"], player=2), "won": Terminal(1)}))
    assert explored.graph.kind.tolist() == [LOWEST, MEAN]
    assert explored.centre == 0


class Mirrored(Small):
    """Left and right are worth the same."""

    def symmetry(self, position: Any) -> Any:
        return str(position).replace("right", "left")


def test_symmetric_positions_are_one() -> None:
    game = Mirrored(
        {
            "start": Chance({"left": 1, "right": 1}),
            "left": Choice(["end", "right end"]),
            "end": Terminal(0),
            "left end": Terminal(1),
        }
    )
    explored = explore(game)
    assert explored.positions == ["start", "left", "end", "left end"]
    assert explored.graph.child.tolist() == [1, 1, 2, 3]


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ({"start": Choice([])}, "a choice without moves, at start: expected one move"),
        ({"start": Choice(WRONG)}, "node() raises, at start: TypeError: 'float' object is not"),
        ({"start": Chance({})}, "a chance without outcomes, at start: expected one outcome"),
        ({"start": Chance(WRONG)}, "a chance that is not a mapping, at start: expected outcomes"),
        ({"start": Chance({"start": 0, "a": 1}), "a": Terminal(1)}, "at start: expected a whole"),
        (
            {"start": Chance({"a": 1}), "a": Chance({"b": 1, "a": -2}), "b": Terminal(1)},
            "at a: expected a whole number from 1, found -2 for 'a'",
        ),
        ({"start": Chance({"start": WRONG})}, "expected a whole number from 1, found 0.5 for"),
        (
            {"start": Chance({"a": 2**62, "b": 2**62}), "a": Terminal(1), "b": Terminal(0)},
            "at start: expected at most 9,007,199,254,740,992, found 9,223,372,036,854,775,808",
        ),
        ({"start": Chance({"a": 10**30}), "a": Terminal(1)}, "weights that add up to too much"),
        ({"start": Terminal(float("nan"))}, "at start: expected a finite number, found nan"),
        ({"start": Terminal(10**400)}, "at start: expected a finite number, found 1000"),
        ({"start": Choice(["a"], player=3)}, "at start: expected 1 to 2, found 3"),
        ({"start": 7}, "at start: expected Terminal, Choice or Chance, found 7"),
        ({"start": Choice(["a"])}, "node() raises, at a: KeyError: 'a'"),
        ({"start": Choice([["a"]])}, "hash(position) raises, at ['a']: after move ['a'] at start"),
        ({"start": Terminal(NO_NUMBER)}, "at start: expected a finite number, found 'x'"),
        ({"start": Choice(["a"]), "a": Terminal(7)}, "at a: expected 0 to 1.0, found 7"),
        ({"start": Choice(["a"]), "a": Terminal(-1)}, "at a: expected 0 to 1.0, found -1"),
        (
            {"start": Choice(["a"]), "a": Choice([None]), None: Terminal(1)},
            "play() gives no position, at a: move None: expected a position, found None",
        ),
        (
            {"start": Choice([Swap(None)]), None: Terminal(1)},
            "at start: move Swap(position=None): expected a position, found Swap(position=None)",
        ),
    ],
)
def test_what_breaks_the_contract_is_named(nodes: dict[Any, Any], message: str) -> None:
    with pytest.raises(GameError, match=re.escape(message)):
        explore(Small(nodes))


def test_weights_may_be_as_large_as_float64_counts() -> None:
    weights = {"a": 2**53 - 1, "b": 1}
    explored = explore(Small({"start": Chance(weights), "a": Terminal(1), "b": Terminal(0)}))
    assert explored.graph.weight.tolist() == [1 - 2**-53, 2**-53]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("players", 3, "players: expected 1 or 2, found 3"),
        ("quantity", "fun", "quantity: expected one of"),
        ("total", None, "total: expected a finite number, found None"),
    ],
)
def test_what_a_game_says_of_itself_must_make_sense(name: str, value: Any, message: str) -> None:
    game = Small({"start": Choice(["won"]), "won": Terminal(1)})
    setattr(game, name, value)
    with pytest.raises(GameError, match=message):
        explore(game)


@pytest.mark.parametrize("game", ["nim", Small, None])
def test_what_is_no_game_is_refused(game: Any) -> None:
    with pytest.raises(GameError, match="not a game: expected an instance of a subclass of Game"):
        explore(game)


def test_nobody_takes_over_in_a_game_for_one() -> None:
    game = Small({"start": Choice(["a"]), "a": Choice([Swap("end")]), "end": Terminal(1)}, 1)
    with pytest.raises(GameError, match="a Swap in a game for one, at a: "):
        explore(game)


def test_a_start_that_cannot_be_hashed_is_named() -> None:
    class Listed(Small):
        def start(self) -> Any:
            return []

    with pytest.raises(GameError, match=r"hash\(position\) raises, at \[\]: TypeError: unhashable"):
        explore(Listed({}))


def test_a_game_that_breaks_the_contract_only_once_is_refused_too() -> None:
    class Moody(Small):
        asked = 0

        def node(self, position: Any) -> Any:
            self.asked += 1
            return self.nodes[position] if self.asked > 1 else Choice([])

    nodes = {"start": Choice(["won"]), "won": Terminal(1)}
    with pytest.raises(GameError, match=r"node\(\) changes its answer, at start"):
        explore(Moody(nodes))


@settings(max_examples=200, deadline=None)
@given(drawn_games())
def test_an_order_has_children_first_but_for_cuts(game: Drawn) -> None:
    problem = Problem.of(explore(game))
    graph, order = problem.graph, problem.order
    place = np.argsort(order.order)
    assert sorted(order.order.tolist()) == list(range(len(place)))
    for u in range(len(place)):
        for v in graph.child[graph.first[u] : graph.first[u + 1]]:
            assert order.component[v] <= order.component[u]
            assert order.cut[v] or place[v] < place[u]


@settings(max_examples=200, deadline=None)
@given(drawn_games())
def test_components_are_what_can_reach_one_another(game: Drawn) -> None:
    problem = Problem.of(explore(game))
    graph, component = problem.graph, problem.order.component
    n = component.size
    reach = np.eye(n, dtype=bool)
    for u in range(n):
        reach[u, graph.child[graph.first[u] : graph.first[u + 1]]] = True
    for k in range(n):
        reach |= np.outer(reach[:, k], reach[k])
    assert np.array_equal(reach & reach.T, component[:, None] == component[None, :])
