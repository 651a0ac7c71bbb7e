"""A game as flat arrays, explored from its start.

The four-partite graph of seed 000 (rolls and moves of either player) is one case: `kind` says
chance, highest or lowest, and nothing asks that they alternate.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Generic, NoReturn

import numpy as np

from backroll.arrays import HIGHEST, LOWEST, MEAN, Bytes, Flags, Floats, Graph, Ints, Longs
from backroll.contract import HEAVIEST, ContractError, Finding, first_finding
from backroll.errors import BackrollError, GameError, TooManyPositions
from backroll.game import WIN, Chance, Choice, Game, Position, Swap, minimises
from backroll.solution import Progress, silent

END = 3  # only while exploring: in a graph an end is a mean of nothing
LIMIT = 50_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Explored(Generic[Position]):
    """Every position that can be reached, numbered as met, and the graph they make."""

    game: Game[Position]
    positions: list[Position]
    graph: Graph
    anchor: Flags
    """Where the game says that a turn starts; nowhere if it does not say."""
    centre: float
    """What was taken off every value: half the total where players swap, otherwise 0."""


def overrides(game: Game[Any], method: str) -> bool:
    """Whether a game has its own version of an optional method."""
    return getattr(type(game), method) is not getattr(Game, method)


def chances(graph: Graph) -> Flags:
    """Where fate picks."""
    found: Flags = (graph.kind == MEAN) & (np.diff(graph.first) > 0)
    return found


def explore(
    game: Game[Position], limit: int = LIMIT, progress: Progress = silent
) -> Explored[Position]:
    """Follow every move and every outcome from the start, symmetric positions as one."""
    finding = first_finding(game)
    if finding is not None:
        raise ContractError(finding)
    collecting = gc.isenabled()
    gc.disable()  # millions of small tuples, none of them garbage: collecting costs a third
    try:
        return _Explorer(game).run(limit, progress)
    finally:
        if collecting:
            gc.enable()


class _Explorer(Generic[Position]):
    """The arrays while they grow."""

    def __init__(self, game: Game[Position]) -> None:
        self.game = game
        self.positions: list[Position] = []
        self.index: dict[Hashable, int] = {}
        self.symmetry = game.symmetry if overrides(game, "symmetry") else None
        self.kinds = array("B")
        self.firsts = array("q", [0])
        self.targets = array("i")
        self.weights = array("q")
        self.adds = array("d")

    def admit(self, position: Position) -> int:
        """The number of a position not met before in this form."""
        represented = position if self.symmetry is None else self.symmetry(position)
        number = self.index.setdefault(represented, len(self.positions))
        if number == len(self.positions):
            self.positions.append(represented)
        if represented is not position:
            self.index[position] = number
        return number

    def run(self, limit: int, progress: Progress) -> Explored[Position]:
        """Explore breadth first."""
        position = self.game.start()
        try:
            self.admit(position)
            self._follow(limit, progress)
        except (BackrollError, MemoryError):
            raise
        except Exception as error:  # the game's code may raise anything
            self._blame((self.positions[len(self.firsts) - 1 :] or [position])[0], error)
        return self._finish()

    def _follow(self, limit: int, progress: Progress) -> None:
        """The inner loop: everything in it is paid for at every edge."""
        node_of, play = self.game.node, self.game.play
        positions, find, admit = self.positions, self.index.get, self.admit
        add_kind, add_first, add_adds = self.kinds.append, self.firsts.append, self.adds.append
        targets, add_target, add_weights = self.targets, self.targets.append, self.weights.extend
        choosing = {
            player: LOWEST if minimises(self.game.quantity, player) else HIGHEST
            for player in range(1, self.game.players + 1)
        }
        options: Any
        done = 0
        for position in positions:
            node = node_of(position)
            sort = type(node)
            if sort is Chance:
                options = node.outcomes  # type: ignore[union-attr]
                add_weights(options.values())
                add_kind(MEAN)
                add_adds(node.adds)  # type: ignore[union-attr]
            elif sort is Choice:
                options = node.moves  # type: ignore[union-attr]
                add_kind(choosing[node.player])  # type: ignore[union-attr]
                add_adds(node.adds)  # type: ignore[union-attr]
            else:
                add_kind(END)
                add_adds(node.value)  # type: ignore[union-attr]
                add_first(len(targets))
                continue
            for move in options:
                child: Any = play(position, move)
                if type(child) is Swap:
                    child = child[0]
                    number = find(child)
                    add_target(~(admit(child) if number is None else number))
                else:
                    number = find(child)
                    add_target(admit(child) if number is None else number)
            add_first(len(targets))
            done += 1
            if not done & 0xFFF:
                progress("explore", done, None)
                if len(positions) > limit:
                    raise TooManyPositions(self._too_many(limit))
        if len(positions) > limit:
            raise TooManyPositions(self._too_many(limit))

    def _too_many(self, limit: int) -> str:
        last = self.game.show(self.positions[-1])
        return (
            f"more than {limit:,} positions (the last one met: {last}); "
            "either the game has no end or it wants a larger limit"
        )

    def _blame(self, position: Position, error: Exception | None = None) -> NoReturn:
        """Say how the game breaks its contract at a position, or at one that follows."""
        finding = first_finding(self.game, position)
        if finding is not None:
            raise ContractError(finding) from error
        what = f"{type(error).__name__}: {error}" if error else "node() changes its answer"
        raise GameError(f"{what}, at {self.game.show(position)}") from error

    def _finish(self) -> Explored[Position]:
        """Turn what was gathered into a graph."""
        kind = np.frombuffer(self.kinds, np.uint8)
        first = np.frombuffer(self.firsts, np.int64)
        target = np.frombuffer(self.targets, np.int32)
        adds = np.frombuffer(self.adds, np.float64).copy()
        degree = np.diff(first)
        swapped = target < 0
        self._check_positions(first, target)
        self._check_numbers(kind, degree, adds)
        if self.game.players == 1 and swapped.any():
            self._blame(self.positions[np.searchsorted(first, np.argmax(swapped), "right") - 1])
        self._check_sides(kind, first, swapped)
        centre = self.game.total / 2 if swapped.any() else 0.0
        adds[degree == 0] -= centre
        weight = self._probabilities(kind, first, degree)
        np.negative(weight, where=swapped, out=weight)
        child = np.where(swapped, ~target, target).astype(np.int32)
        return Explored(
            self.game,
            self.positions,
            Graph(kind, first, child, weight, adds),
            self._anchors(degree),
            centre,
        )

    def _probabilities(self, kind: Bytes, first: Longs, degree: Longs) -> Floats:
        """Weights of chance divided by their sums, in exact whole numbers until the division."""
        by_chance = (kind == MEAN) & (degree > 0)
        ways = np.frombuffer(self.weights, np.int64)
        degrees = degree[by_chance]
        starts = np.cumsum(degrees) - degrees
        self._check_weights(ways, starts, by_chance)
        sums = np.add.reduceat(ways, starts) if starts.size else ways
        weight = np.ones(first[-1], np.float64)
        weight[np.repeat(by_chance, degree)] = ways / np.repeat(sums, degrees)
        return weight

    def _check_weights(self, ways: Longs, starts: Longs, by_chance: Flags) -> None:
        if not starts.size:
            return
        sums = np.add.reduceat(ways.astype(np.float64), starts)
        wrong = (np.minimum.reduceat(ways, starts) < 1) | (sums > HEAVIEST)
        if wrong.any():
            self._blame(self.positions[np.flatnonzero(by_chance)[np.argmax(wrong)]])

    def _check_positions(self, first: Longs, target: Ints) -> None:
        """Refuse None, which a `play` that forgets to return gives."""
        nowhere = self.index.get(None, 0)
        if nowhere and self.positions[nowhere] is None:
            edge = np.argmax((target == nowhere) | (target == ~nowhere))
            self._blame(self.positions[np.searchsorted(first, edge, "right") - 1])

    def _check_sides(self, kind: Bytes, first: Longs, swapped: Flags) -> None:
        """Refuse a game that is written both ways: whose side a value is on would be unclear."""
        second = kind == (LOWEST if minimises(self.game.quantity, 2) else HIGHEST)
        if self.game.players == 1 or not swapped.any() or not second.any():
            return
        show = self.game.show
        there = show(self.positions[np.searchsorted(first, np.argmax(swapped), "right") - 1])
        detail = f"expected the default player everywhere, for there is a Swap at {there}"
        here = show(self.positions[np.argmax(second)])
        raise ContractError(Finding("a choice of player 2 in a game with Swap", here, detail))

    def _check_numbers(self, kind: Bytes, degree: Longs, adds: Floats) -> None:
        wrong = ((degree == 0) & (kind != END)) | ~np.isfinite(adds)
        if self.game.quantity == WIN:
            wrong |= (kind == END) & ((adds < 0) | (adds > self.game.total))
        if wrong.any():
            self._blame(self.positions[np.argmax(wrong)])
        kind[kind == END] = MEAN

    def _anchors(self, degree: Longs) -> Flags:
        if not overrides(self.game, "anchor"):
            return np.zeros(degree.size, np.bool_)
        said = np.fromiter(map(self.game.anchor, self.positions), np.bool_, degree.size)
        return said & (degree > 0)
