"""Deterministic games for two as numbered states: what the retrograde engine works on.

A game without chance becomes states in one of three ways. A game that says `states()` gives them
itself, for instance by arithmetic on whole blocks. A game that numbers its positions
(`anchor_count`, `anchor_row`, `anchor_at`) is listed by those numbers, whether a position can be
reached or not. Any other is explored from its start. What leads to a state is worked out from
where states lead, if the game does not say it.

Outcomes are seen from whoever is to move. `turns` has 0 or 1 for each state, or nothing where
every move hands over; in a game written relatively each state then stands for both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from backroll.arrays import DRAWN, LOST, LOWEST, WON, Bytes, Flags, Floats, Links, Longs
from backroll.errors import GameError, TooManyPositions
from backroll.game import Choice, Game, Node
from backroll.games.chinese_checkers import ChineseCheckers
from backroll.graph import LIMIT, Explored, chances, explore
from backroll.programs.rhombuses import Checkers, rhombus
from backroll.solution import Progress, Rows, silent
from backroll.spec import spec_of

MOST = 2**31 - 1
"""States whose numbers fit into links."""


class States(Protocol):
    """A deterministic game for two, its states numbered from 0."""

    size: int
    turns: Bytes
    """Whose turn it is in each state, 0 or 1; empty if every move hands over."""

    def ends(self, begin: int, end: int) -> Bytes:
        """For states begin to end - 1: WON, LOST or DRAWN where the game is over, else 0."""
        ...

    def successors(self, states: Longs) -> Links:
        """Where some states lead; nowhere from an end."""
        ...

    def predecessors(self, states: Longs) -> Links:
        """What leads to some states."""
        ...


class Listed:
    """States whose links are kept in memory."""

    def __init__(self, links: Links, ends: Bytes, turns: Bytes) -> None:
        self.size = ends.size
        self.turns = turns
        self.links = links
        self.back = transposed(links)
        self._ends = ends
        self.alternating = not turns.size or _alternating(links, ends, turns)
        """Whether every move hands over, or ends the game."""

    def ends(self, begin: int, end: int) -> Bytes:
        """Where the game is over."""
        return self._ends[begin:end]

    def successors(self, states: Longs) -> Links:
        """Where some states lead."""
        return picked(self.links, states)

    def predecessors(self, states: Longs) -> Links:
        """What leads to some states."""
        return picked(self.back, states)


def _alternating(links: Links, ends: Bytes, turns: Bytes) -> bool:
    hands_over = turns[links.state] != np.repeat(turns, np.diff(links.first))
    return bool(np.all(hands_over | (ends[links.state] > 0)))


def transposed(links: Links) -> Links:
    """The links the other way round, sources in order."""
    size = links.first.size - 1
    first = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(links.state, minlength=size), out=first[1:])
    source = np.repeat(np.arange(size, dtype=np.int32), np.diff(links.first))
    return Links(first, source[np.argsort(links.state, kind="stable")])


def picked(links: Links, states: Longs) -> Links:
    """The links of some states."""
    begin, length = links.first[states], links.first[states + 1] - links.first[states]
    first = np.zeros(states.size + 1, np.int64)
    np.cumsum(length, out=first[1:])
    at = np.arange(first[-1]) - np.repeat(first[:-1] - begin, length)
    return Links(first, links.state[at])


def explored(game: Game[Any], limit: int, progress: Progress) -> Explored[Any]:
    """A game as a graph without chance; GameError if there is some."""
    found = explore(game, limit, progress)
    graph = found.graph
    chance = chances(graph)
    if chance.any():
        at = game.show(found.positions[int(np.argmax(chance))])
        raise GameError(f"{_name(game)}: expected a game without chance, found some at {at}")
    return found


def listed(found: Explored[Any]) -> Listed:
    """The states of an explored game."""
    graph, game = found.graph, found.game
    over = np.diff(graph.first) == 0
    worth = graph.adds + found.centre
    ends = outcomes(worth, game.total) * over
    unknown = over & (ends == 0)
    unknown |= ~over & (graph.adds != 0)
    if unknown.any():
        at = int(np.argmax(unknown))
        raise GameError(
            f"{_name(game)}, {game.show(found.positions[at])}: expected an end that is won, lost "
            f"or drawn, worth {game.total:g}, 0 or {game.total / 2:g}, and nothing to pay on the "
            f"way; found {worth[at]:g}"
        )
    links = Links(graph.first.astype(np.int64), graph.child)
    swaps = graph.weight < 0
    if (graph.kind == LOWEST).any():  # an end is nobody's turn: call it the winner's
        second = (graph.kind == LOWEST) | (ends == LOST)
        ends[ends == LOST] = WON
        return Listed(links, ends, second.astype(np.uint8))
    if swaps.all():
        return Listed(links, ends, np.zeros(0, np.uint8))
    return _doubled(links, ends, swaps)


def outcomes(worth: Floats, total: float) -> Bytes:
    """What is over, from its value to who is to move; 0 if that is no outcome."""
    values = [worth == total, worth == 0, worth == total / 2]
    return np.select(values, [WON, LOST, DRAWN], 0).astype(np.uint8)


def _doubled(links: Links, ends: Bytes, swaps: np.ndarray[Any, np.dtype[np.bool_]]) -> Listed:
    """Every state once for each side, n apart: some moves hand over, some do not."""
    size = ends.size
    same, other = links.state, links.state + size
    first = np.where(swaps, other, same)
    second = np.where(swaps, same, other)
    both = Links(
        np.concatenate([links.first, links.first[1:] + links.first[-1]]),
        np.concatenate([first, second]).astype(np.int32),
    )
    turns = np.repeat(np.array([0, 1], np.uint8), size)
    return Listed(both, np.concatenate([ends, ends]), turns)


def states_by_arithmetic(game: Game[Any]) -> States | None:
    """The states of a game that numbers them in blocks, its own or written here; or None."""
    if isinstance(game, ChineseCheckers):
        board = game.board
        return Checkers(rhombus(board.rows, board.columns, list(board.home), game.index.classes))
    own: States | None = game.states()
    return own


def states_to_solve(game: Game[Any]) -> States | None:
    """The states by arithmetic, if there are no more than links have numbers for."""
    states = states_by_arithmetic(game)
    if states is not None and states.size > MOST:
        raise TooManyPositions(
            f"{spec_of(game)}: expected at most {MOST:,} positions, found {states.size:,}"
        )
    return states


class _Everywhere(Game[Any]):
    """A game that begins with the choice of any position that it has a row for."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.total, self.quantity = game.total, game.quantity

    def start(self) -> Any:
        """Not yet anywhere."""
        return self

    def node(self, position: Any) -> Node:
        """Any row, and then as in the game."""
        if position is self:
            return Choice(range(self.game.anchor_count()))
        return self.game.node(position)

    def play(self, position: Any, move: Any) -> Any:
        """The position at a row, and then as in the game."""
        return self.game.anchor_at(move) if position is self else self.game.play(position, move)

    def symmetry(self, position: Any) -> Any:
        """As in the game."""
        return position if position is self else self.game.symmetry(position)

    def show(self, position: Any) -> str:
        """As in the game."""
        return "before the start" if position is self else self.game.show(position)


def _name(game: Game[Any]) -> str:
    return spec_of(game.game if isinstance(game, _Everywhere) else game)


def _without_start(found: Explored[Any]) -> Explored[Any]:
    """The graph without the links of the choice it was explored from, which is nowhere then."""
    graph = found.graph
    loose = int(graph.first[1])
    first = np.maximum(graph.first - loose, 0)
    adds = graph.adds.copy()
    adds[0] = found.game.total / 2 - found.centre
    rest = graph._replace(
        first=first, child=graph.child[loose:], weight=graph.weight[loose:], adds=adds
    )
    return replace(found, graph=rest)


def _flips(states: States, rows: Longs | None, *, relative: bool) -> Flags | None:
    """Where the second player is to move, if the game writes values for the first."""
    if relative or not states.turns.size:
        return None
    second: Flags = states.turns == 1
    return second if rows is None else second[rows]


class Numbered(NamedTuple):
    """States, and which of them stand for the anchors of a game."""

    states: States
    anchors: Sequence[Any]
    rows: Longs | None
    """The state of each anchor; None if they are the same."""
    flips: Flags | None
    """Anchors whose value the game writes for the other side; None if for nobody."""


def number(game: Game[Any], limit: int = LIMIT, progress: Progress = silent) -> Numbered:
    """The states of a game by the best way there is."""
    if game.players != 2:
        raise GameError(f"{spec_of(game)}: expected a game for two, found one for one player")
    own = states_to_solve(game)
    if own is not None:
        return Numbered(own, Rows(game), None, _flips(own, None, relative=False))
    if game.anchor_count() == 0:
        found = explored(game, limit, progress)
        states = listed(found)
        rows = None if states.size == len(found.positions) else np.arange(len(found.positions))
        return Numbered(
            states, found.positions, rows, _flips(states, rows, relative=found.centre > 0)
        )
    found = explored(_Everywhere(game), limit, progress)
    states = listed(_without_start(found))
    at = {game.anchor_row(position): i for i, position in enumerate(found.positions) if i > 0}
    rows = np.array([at[row] for row in range(game.anchor_count())], np.int64)
    return Numbered(states, Rows(game), rows, _flips(states, rows, relative=found.centre > 0))
