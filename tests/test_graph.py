"""Exploring: the arrays it makes, and what it says of games that break the contract."""

from __future__ import annotations

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

WRONG_WEIGHTS: Any = {"start": 0.5}
WRONG_VALUE: Any = "x"


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
        ({"start": Choice([])}, "start is a choice without moves"),
        ({"start": Chance({})}, "start is chance without outcomes"),
        ({"start": Chance({"start": 0, "a": 1}), "a": Terminal(1)}, "start has one of 0"),
        (
            {"start": Chance({"a": 1}), "a": Chance({"b": 1, "a": -2}), "b": Terminal(1)},
            "weights must be 1 or more; a has one of -2",
        ),
        ({"start": Chance(WRONG_WEIGHTS)}, "whole numbers; at start 'start' has 0.5"),
        ({"start": Terminal(float("nan"))}, "finite numbers; start has nan"),
        ({"start": Choice(["a"], player=3)}, "player at start must be 1 to 2, found 3"),
        ({"start": 7}, "must give Terminal, Choice or Chance; at start it gave int"),
        ({"start": Choice(["a"])}, r"node\(\) fails at a \(KeyError: 'a'\)"),
        ({"start": Choice([["a"]])}, r"play\(\) fails at start \(TypeError: unhashable"),
        ({"start": Terminal(WRONG_VALUE)}, "values must be numbers; at start found 'x'"),
    ],
)
def test_what_breaks_the_contract_is_named(nodes: dict[Any, Any], message: str) -> None:
    with pytest.raises(GameError, match=message):
        explore(Small(nodes))


def test_a_start_that_cannot_be_hashed_is_named() -> None:
    class Listed(Small):
        def start(self) -> Any:
            return []

    with pytest.raises(GameError, match=r"start\(\) must give a hashable position"):
        explore(Listed({}))


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
