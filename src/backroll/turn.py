"""The inside of a turn, recomputed in plain Python from the values of the anchors around it.

A position is worth `adds` plus the mean, the highest or the lowest value of its children. A
child whose value is known ends the search there; any other is worked out first, depth first and
without recursion. Nothing here looks at a solver: this is also what `verify` checks one with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple

from backroll.errors import GameError, MissingPosition
from backroll.game import (
    COST,
    Chance,
    Choice,
    Game,
    Move,
    Node,
    Position,
    Swap,
    Terminal,
    minimises,
)

LIMIT = 1_000_000
"""Positions that one turn may have: some hundreds of megabytes."""


class Child(NamedTuple, Generic[Position]):
    """Where a move leads, and whether the other side is to move there."""

    move: Move
    position: Position
    swapped: bool


class MoveValue(NamedTuple, Generic[Position]):
    """A move, where it leads, what it is worth to the mover and what it costs him."""

    move: Move
    position: Position
    value: float
    loss: float


def evaluate(
    game: Game[Position],
    position: Position,
    known: Callable[[Position], float | None],
    limit: int = LIMIT,
    worth: dict[Position, float] | None = None,
) -> float:
    """What a position is worth by its children, down to those for which `known` has a number.

    `worth` keeps what was found, for calls that share a turn. MissingPosition is raised for a
    cycle without a known position in it, and past `limit` positions.
    """
    worth = {} if worth is None else worth
    opened = {position: _Inner(game, position)}  # a path: the last is the one being worked on
    met = 1
    while opened:
        here, inner = next(reversed(opened.items()))
        child = inner.next_unknown(known, worth)
        if child is None:
            worth[here] = inner.value(worth)
            opened.popitem()
            continue
        met += 1
        if child in opened or met > limit:
            what = "a cycle" if child in opened else f"more than {limit:,} positions"
            raise MissingPosition(
                f"{game.show(position)}: expected a turn that ends at positions of the table, "
                f"found {what} without one (at {game.show(child)})"
            )
        opened[child] = _Inner(game, child)
    return worth[position]


class _Inner(Generic[Position]):
    """A position whose children are being valued."""

    __slots__ = ("_children", "_game", "_node", "_pending")

    def __init__(self, game: Game[Position], position: Position) -> None:
        self._game = game
        self._node, children = expand(game, position)
        self._children = [(game.symmetry(child.position), child.swapped) for child in children]
        self._pending = iter(self._children)

    def next_unknown(
        self, known: Callable[[Position], float | None], worth: dict[Position, float]
    ) -> Position | None:
        """The next child to be worked out first, or None if there is none left."""
        for position, _ in self._pending:
            if position not in worth:
                value = known(position)
                if value is None:
                    return position
                worth[position] = value
        return None

    def value(self, worth: dict[Position, float]) -> float:
        """What the position is worth once its children are."""
        node, total = self._node, self._game.total
        if isinstance(node, Terminal):
            return float(node.value)
        values = [
            total - worth[position] if swapped else worth[position]
            for position, swapped in self._children
        ]
        if isinstance(node, Choice):
            choose = min if minimises(self._game.quantity, node.player) else max
            return float(node.adds + choose(values))
        weights = node.outcomes.values()
        weighted = sum(weight * value for weight, value in zip(weights, values, strict=True))
        return float(node.adds + weighted / sum(weights))


def expand(game: Game[Position], position: Position) -> tuple[Node, list[Child[Position]]]:
    """The node of a position and its children, in the order of the rules."""
    node = game.node(position)
    if isinstance(node, Terminal):
        return node, []
    if not isinstance(node, Choice | Chance):
        raise GameError(
            f"{game.show(position)}: expected a Terminal, Choice or Chance, found {node!r}"
        )
    if isinstance(node, Chance) and min(node.outcomes.values(), default=1) < 1:
        raise GameError(f"{game.show(position)}: expected weights of 1 or more, found {node!r}")
    options = node.outcomes if isinstance(node, Chance) else node.moves
    children = [_child(move, game.play(position, move)) for move in options]
    if not children:
        raise GameError(f"{game.show(position)}: expected a move or an outcome, found none")
    return node, children


def _child(move: Move, child: Position | Swap[Position]) -> Child[Position]:
    if isinstance(child, Swap):
        return Child(move, child.position, True)
    return Child(move, child, False)


def seen_by(game: Game[Any], node: Node, value: float) -> float:
    """A position's value turned to the mover's point of view."""
    other = isinstance(node, Choice) and node.player == 2
    return game.total - value if other else value


def best(
    game: Game[Position], position: Position, value_of: Callable[[Position], float]
) -> list[MoveValue[Position]]:
    """Every legal move, best first, equal ones in the order of the rules; none without a choice.

    Values are the mover's and count what the choice adds, so the first is what the position is
    worth to him.
    """
    node, children = expand(game, position)
    if not isinstance(node, Choice):
        return []
    values = []
    for child in children:
        value = value_of(child.position)
        value = node.adds + (game.total - value if child.swapped else value)
        values.append(float(seen_by(game, node, value)))
    sign = -1 if game.quantity == COST else 1
    top = max(sign * value for value in values)
    moves = [
        MoveValue(child.move, child.position, value, top - sign * value)
        for child, value in zip(children, values, strict=True)
    ]
    return sorted(moves, key=lambda each: -sign * each.value)


def relative(game: Game[Any], limit: int = 10_000) -> bool:
    """Whether values are the mover's: one Swap says yes, one choice of player 2 says no.

    A relative game leaves every choice to the default player and an absolute one never swaps, so
    the first sign met from the start decides; a game without one near its start is absolute.
    """
    if game.players == 1:
        return False
    positions = [game.start()]
    seen = set(positions)
    for position in positions:
        node, children = expand(game, position)
        if isinstance(node, Choice) and node.player == 2:
            return False
        for child in children:
            if child.swapped:
                return True
            if child.position not in seen and len(seen) < limit:
                seen.add(child.position)
                positions.append(child.position)
    return False
