"""The oracle: values of small games as exact fractions, by the plainest means that end.

A game is written out in full: every position with the side whose turn it is seen from (side 2
after an odd number of swaps), every value player 1's. What cannot come back to itself is computed
by recursion. Positions that can reach one another are solved by strategy iteration (Hoffman and
Karp, 1966), each pair of strategies by elimination, and the result is put back into the equations
of optimal play, which it must satisfy to the last digit. `enumerate_policies` does without any
cleverness: it tries every pair of strategies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from operator import mul
from typing import Any, NamedTuple, TypeAlias

from backroll.errors import NoSolution
from backroll.game import Chance, Game, Swap, Terminal, minimises

State: TypeAlias = tuple[Any, int]
"""A position and the side it is written from."""
Row: TypeAlias = dict[State | None, Fraction]
"""A linear equation: value = Σ weight · value of another + constant, kept under None."""
Values: TypeAlias = dict[State, Fraction]
Policy: TypeAlias = dict[State, State]


class Vertex(NamedTuple):
    """A state: whether its value is the greatest or the least of its children's, or their mean."""

    kind: str
    children: tuple[State, ...] = ()
    weights: tuple[Fraction, ...] = ()
    constant: Fraction = Fraction(0)


Graph: TypeAlias = dict[State, Vertex]
BEST: dict[str, Callable[..., Any]] = {"max": max, "min": min}


def values(game: Game[Any]) -> dict[Any, Fraction]:
    """The value of every position that can be reached, from its mover's side."""
    graph = unfold(game)
    known: Values = {}
    for component in components(graph):
        known.update(_solved(graph, component, known))
    return _seen_by_mover(game, known)


def enumerate_policies(game: Game[Any], limit: int = 100_000) -> dict[Any, Fraction]:
    """The same by brute force: the best of player 1's strategies against the best answer to each.

    Every pair of strategies must end the game.
    """
    graph = unfold(game)
    highs, lows = (list(_policies(graph, kind, limit)) for kind in ("max", "min"))
    answers = [
        _extreme(min, [_evaluated(graph, list(graph), {}, a | b) for b in lows]) for a in highs
    ]
    return _seen_by_mover(game, _extreme(max, answers))


def unfold(game: Game[Any]) -> Graph:
    """Every state that can be reached, with every value player 1's."""
    start: State = (game.start(), 1)
    graph: Graph = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state not in graph:
            graph[state] = _vertex(game, state)
            waiting += graph[state].children
    return graph


def _vertex(game: Game[Any], state: State) -> Vertex:
    position, side = state
    node = game.node(position)
    sign = 1 if side == 1 else -1
    if isinstance(node, Terminal):
        worth = Fraction(node.value)
        return Vertex("mean", constant=worth if side == 1 else Fraction(game.total) - worth)
    adds = sign * Fraction(node.adds)
    if isinstance(node, Chance):
        ways = Fraction(sum(node.outcomes.values()))
        weights = tuple(weight / ways for weight in node.outcomes.values())
        return Vertex("mean", _children(game, state, node.outcomes), weights, adds)
    chooser = node.player if side == 1 else 3 - node.player
    kind = "min" if minimises(game.quantity, chooser) else "max"
    return Vertex(kind, _children(game, state, node.moves), (), adds)


def _children(game: Game[Any], state: State, moves: Iterable[Any]) -> tuple[State, ...]:
    position, side = state
    found = (game.play(position, move) for move in moves)
    return tuple(
        (child.position, 3 - side) if isinstance(child, Swap) else (child, side) for child in found
    )


def components(graph: Graph) -> Iterator[list[State]]:
    """The strongly connected components, each after all that it can reach (Kosaraju, 1978)."""
    children = {state: vertex.children for state, vertex in graph.items()}
    parents: dict[State, list[State]] = {state: [] for state in graph}
    for state, its_children in children.items():
        for child in its_children:
            parents[child].append(state)
    seen: set[State] = set()
    order = [state for root in graph for state in _postorder(parents, root, seen)]
    seen.clear()
    for root in reversed(order):
        if component := list(_postorder(children, root, seen)):
            yield component


def _postorder(
    successors: Mapping[State, Iterable[State]], root: State, seen: set[State]
) -> Iterator[State]:
    """What can be reached from the root and was not seen before, depth first."""
    path = [] if root in seen else [(root, iter(successors[root]))]
    seen.add(root)
    while path:
        state, rest = path[-1]
        following = next((other for other in rest if other not in seen), None)
        if following is None:
            path.pop()
            yield state
        else:
            seen.add(following)
            path.append((following, iter(successors[following])))


def _solved(graph: Graph, component: list[State], known: Values) -> Values:
    """The values of a component from those that it can reach."""
    alone = component[0]
    if len(component) == 1 and alone not in graph[alone].children:
        return {alone: _worth(graph[alone], known)}
    for kind in BEST:
        leader = _forcing(graph, component, kind)
        if leader is not None:
            found = _settled(graph, component, known, kind, leader)
            everything = known | found
            assert all(_worth(graph[state], everything) == found[state] for state in component)
            return found
    raise NoSolution(f"no player alone can force an end from {alone[0]}")


def _worth(vertex: Vertex, known: Values) -> Fraction:
    """What the equation of optimal play says."""
    children = [known[child] for child in vertex.children]
    if vertex.kind in BEST:
        best: Fraction = BEST[vertex.kind](children)
        return vertex.constant + best
    return vertex.constant + sum(map(mul, vertex.weights, children), Fraction(0))


def _forcing(graph: Graph, component: list[State], kind: str) -> Policy | None:
    """Choices with which one player leaves the component in the end, whatever the other does."""
    inside = set(component)
    policy: Policy = {}
    growing = True
    while growing:
        growing = False
        for state in inside & set(component):
            vertex = graph[state]
            out = [child for child in vertex.children if child not in inside]
            if len(out) == len(vertex.children) or (out and vertex.kind in (kind, "mean")):
                inside.remove(state)
                growing = True
                if vertex.kind == kind:
                    policy[state] = out[0]
    return None if inside else policy


def _settled(
    graph: Graph, component: list[State], known: Values, kind: str, leader: Policy
) -> Values:
    """Strategy iteration: the follower answers as well as can be, then the leader improves.

    Only strict improvements are made, so that the play goes on leaving the component.
    """
    choices = [state for state in component if graph[state].kind in BEST]
    follower = {s: graph[s].children[0] for s in choices if graph[s].kind != kind}
    while True:
        found = _evaluated(graph, component, known, leader | follower)
        everything = known | found
        answer = _improved(graph, follower, everything)
        if answer != follower:
            follower = answer
            continue
        better = _improved(graph, leader, everything)
        if better == leader:
            return found
        leader = better


def _improved(graph: Graph, policy: Policy, known: Values) -> Policy:
    """The policy with a better child wherever there is one."""
    improved = {}
    for state, child in policy.items():
        best = BEST[graph[state].kind](graph[state].children, key=known.__getitem__)
        improved[state] = child if known[child] == known[best] else best
    return improved


def _evaluated(graph: Graph, component: list[State], known: Values, policy: Policy) -> Values:
    """What a pair of strategies is worth, by Gaussian elimination."""
    rows = {state: _row(graph[state], known, policy.get(state)) for state in component}
    solved: list[tuple[State, Row]] = []
    for state in component:
        row = rows.pop(state)
        itself = row.pop(state, Fraction(0))
        if itself == 1:
            raise NoSolution(f"the strategies may go on for ever from {state[0]}")
        row = {other: weight / (1 - itself) for other, weight in row.items()}
        for using in rows.values():
            _add(using, row, using.pop(state, Fraction(0)))
        solved.append((state, row))
    found: dict[State | None, Fraction] = {None: Fraction(1)}
    for state, row in reversed(solved):
        found[state] = sum((w * found[other] for other, w in row.items()), Fraction(0))
    return {state: found[state] for state in component}


def _row(vertex: Vertex, known: Values, choice: State | None) -> Row:
    """The equation of a state once its choice is made, with what is known in the constant."""
    row: Row = {None: vertex.constant}
    ways = zip(vertex.children, vertex.weights, strict=True) if choice is None else [(choice, 1)]
    for child, weight in ways:
        _add(row, {None: known[child]} if child in known else {child: Fraction(1)}, weight)
    return row


def _add(row: Row, other: Row, weight: Fraction | int) -> None:
    if weight:
        for key, amount in other.items():
            row[key] = row.get(key, Fraction(0)) + weight * amount


def _policies(graph: Graph, kind: str, limit: int) -> Iterator[Policy]:
    """Every strategy of one player."""
    choices = {state: v.children for state, v in graph.items() if v.kind == kind}
    count = prod(len(children) for children in choices.values())
    assert count <= limit, f"{count} strategies are more than {limit}"
    for made in product(*choices.values()):
        yield dict(zip(choices, made, strict=True))


def _extreme(best: Callable[..., Fraction], answers: list[Values]) -> Values:
    return {state: best(answer[state] for answer in answers) for state in answers[0]}


def _seen_by_mover(game: Game[Any], known: Values) -> dict[Any, Fraction]:
    """Values from the side each position is written from; both sides must agree."""
    seen: dict[Any, Fraction] = {}
    for (position, side), value in known.items():
        mine = value if side == 1 else Fraction(game.total) - value
        assert seen.setdefault(position, mine) == mine, position
    return seen
