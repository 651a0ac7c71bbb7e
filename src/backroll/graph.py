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

from backroll.arrays import HIGHEST, LOWEST, MEAN, Bytes, Flags, Floats, Graph, Longs
from backroll.errors import BackrollError, GameError, TooManyPositions
from backroll.game import Chance, Choice, Game, Position, Swap, Terminal, minimises
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


def explore(
    game: Game[Position], limit: int = LIMIT, progress: Progress = silent
) -> Explored[Position]:
    """Follow every move and every outcome from the start, symmetric positions as one."""
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
        except TypeError as error:
            raise GameError(f"start() must give a hashable position: {error}") from None
        try:
            self._follow(limit, progress)
        except (BackrollError, KeyboardInterrupt, MemoryError):
            raise
        except Exception as error:
            self._blame(error)
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

    def _blame(self, error: Exception) -> NoReturn:
        """Say at which position the game broke its contract."""
        position = self.positions[len(self.firsts) - 1]
        try:
            where = self.game.show(position)
        except Exception:
            where = repr(position)
        what = f"{type(error).__name__}: {error}"
        try:
            node = self.game.node(position)
        except Exception:
            raise GameError(f"node() fails at {where} ({what})") from error
        if not isinstance(node, Terminal | Chance | Choice):
            found = type(node).__name__
            raise GameError(
                f"node() must give Terminal, Choice or Chance; at {where} it gave {found}"
            ) from None
        if isinstance(node, Choice) and node.player not in range(1, self.game.players + 1):
            raise GameError(
                f"the player at {where} must be 1 to {self.game.players}, found {node.player!r}"
            ) from None
        paid = node.value if isinstance(node, Terminal) else node.adds
        if not isinstance(paid, int | float | np.number):
            raise GameError(f"values must be numbers; at {where} found {paid!r}") from None
        if isinstance(node, Chance):
            for outcome, weight in node.outcomes.items():
                if not isinstance(weight, int | np.integer):
                    raise GameError(
                        f"weights must be whole numbers; at {where} {outcome!r} has {weight!r}"
                    ) from None
        raise GameError(f"play() fails at {where} ({what})") from error

    def _finish(self) -> Explored[Position]:
        """Turn what was gathered into a graph."""
        kind = np.frombuffer(self.kinds, np.uint8)
        first = np.frombuffer(self.firsts, np.int64)
        target = np.frombuffer(self.targets, np.int32)
        adds = np.frombuffer(self.adds, np.float64).copy()
        degree = np.diff(first)
        swapped = target < 0
        self._check_numbers(kind, degree, adds)
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
        if ways.size and ways.min() < 1:
            raise GameError(f"weights must be 1 or more; {self._where_weight(ways, by_chance)}")
        degrees = degree[by_chance]
        starts = np.cumsum(degrees) - degrees
        sums = np.add.reduceat(ways, starts) if starts.size else ways
        weight = np.ones(first[-1], np.float64)
        weight[np.repeat(by_chance, degree)] = ways / np.repeat(sums, degrees)
        return weight

    def _where_weight(self, ways: Longs, by_chance: Flags) -> str:
        edge = int(np.argmax(ways < 1))
        degrees = np.diff(np.frombuffer(self.firsts, np.int64))[by_chance]
        row = int(np.searchsorted(np.cumsum(degrees), edge, side="right"))
        position = self.positions[int(np.flatnonzero(by_chance)[row])]
        return f"{self.game.show(position)} has one of {int(ways[edge])}"

    def _check_numbers(self, kind: Bytes, degree: Longs, adds: Floats) -> None:
        stuck = (degree == 0) & (kind != END)
        if stuck.any():
            u = int(np.argmax(stuck))
            what = "chance without outcomes" if kind[u] == MEAN else "a choice without moves"
            where = self.game.show(self.positions[u])
            raise GameError(f"{where} is {what}; an end of the game is a Terminal")
        kind[kind == END] = MEAN
        endless = ~np.isfinite(adds)
        if endless.any():
            u = int(np.argmax(endless))
            where = self.game.show(self.positions[u])
            raise GameError(f"values must be finite numbers; {where} has {adds[u]}")

    def _anchors(self, degree: Longs) -> Flags:
        if not overrides(self.game, "anchor"):
            return np.zeros(degree.size, np.bool_)
        said = np.fromiter(map(self.game.anchor, self.positions), np.bool_, degree.size)
        return said & (degree > 0)
