"""Games small enough to solve by hand, and their solutions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from backroll.game import COST, SCORE, WIN, Chance, Choice, Game, Node, Swap, Terminal
from backroll.solution import Report, Solution
from backroll.spec import spec_of

P = TypeVar("P", bound=Hashable)


def solution(game: Game[P], values: Mapping[P, Any], bounds: float | None = None) -> Solution[P]:
    """A solution made by hand; `bounds` is how far the bounds are from the values."""
    report = Report(
        spec=spec_of(game),
        quantity=game.quantity,
        method="by hand",
        value=float(next(iter(values.values()), 0)),
        bound=float("inf") if bounds is None else bounds,
        residual=0.0,
        positions=len(values),
        edges=0,
        anchors=len(values),
        components=1,
        cyclic=1,
        iterations=0,
        methods={"by hand": 1},
        seconds={"solve": 0.5},
    )
    numbers = np.array([float(each) for each in values.values()])
    if bounds is None:
        return Solution(game, report, list(values), numbers)
    return Solution(game, report, list(values), numbers, numbers - bounds, numbers + bounds)


class At(NamedTuple):
    """A position of Piglet."""

    mover: int
    opponent: int
    turn: int = 0
    tossing: bool = False


class Piglet(Game[At]):
    """First to `target` heads; tails loses the turn's. Relative and cyclic."""

    def __init__(self, target: int = 2) -> None:
        self.target = target

    def start(self) -> At:
        return At(0, 0)

    def node(self, position: At) -> Node:
        if position.opponent >= self.target:
            return Terminal(0)
        if position.mover + position.turn >= self.target:
            return Terminal(1)
        if position.tossing:
            return Chance({"heads": 1, "tails": 1})
        return Choice(["hold", "toss"] if position.turn else ["toss"])

    def play(self, position: At, move: str) -> At | Swap[At]:
        mover, opponent, turn, _ = position
        match move:
            case "toss":
                return position._replace(tossing=True)
            case "heads":
                return At(mover, opponent, turn + 1)
            case "tails":
                return Swap(At(opponent, mover))
        return Swap(At(opponent, mover + turn))

    def anchor(self, position: At) -> bool:
        return position.turn == 0 and not position.tossing


PIGLET = {
    At(0, 0): Fraction(4, 7),
    At(0, 1): Fraction(2, 5),
    At(1, 0): Fraction(4, 5),
    At(1, 1): Fraction(2, 3),
}
"""By hand: E(1,1) = 1/2 + (1 - E(1,1))/2, and so on."""


class Written(Game[str]):
    """A game written out: each move is the name of the position it leads to."""

    def __init__(self, nodes: Mapping[str, Node], quantity: str = WIN, players: int = 2) -> None:
        self.nodes = nodes
        self.quantity = quantity
        self.players = players

    def start(self) -> str:
        return next(iter(self.nodes))

    def node(self, position: str) -> Node:
        return self.nodes[position]

    def play(self, position: str, move: str) -> str:
        return move

    def show(self, position: str) -> str:
        return position

    def parse(self, text: str) -> str:
        return text


def duel() -> Written:
    """Absolute, for two: `start` is worth 1/2, `safe` 1/2, `bold` 1/4 + 3/4 * 1/8 = 11/32."""
    return Written(
        {
            "start": Choice(["bold", "safe"]),
            "safe": Choice(["three quarters", "half"], player=2),
            "bold": Chance({"one": 1, "low": 3}),
            "low": Choice(["quarter", "eighth"], player=2),
            "one": Terminal(1),
            "three quarters": Terminal(0.75),
            "half": Terminal(0.5),
            "quarter": Terminal(0.25),
            "eighth": Terminal(0.125),
        }
    )


DUEL = {"start": 0.5, "safe": 0.5, "bold": 11 / 32}


def toll(players: int = 1) -> Written:
    """A cost: from `start` walk, which half the time comes back, or ride for 3: worth 2.

    For two, `gate` is player 2's, who wants the cost high: worth max(2, 1) + 1/2.
    """
    nodes: dict[str, Node] = {
        "start": Choice(["ride", "walk"], adds=1),
        "walk": Chance({"home": 1, "start": 1}),
        "ride": Terminal(3),
        "home": Terminal(0),
    }
    if players == 2:
        nodes["gate"] = Choice(["short", "start"], player=2, adds=0.5)
        nodes["short"] = Terminal(1)
    return Written(nodes, COST, players)


class Mirror(Game[tuple[int, int]]):
    """Two heaps, the order of which is nothing: each of two tosses takes one from a heap."""

    players = 1
    quantity = SCORE

    def start(self) -> tuple[int, int]:
        return (2, 1)

    def node(self, position: tuple[int, int]) -> Node:
        heaps = [row for row, size in enumerate(position) if size]
        return Chance(dict.fromkeys(heaps, 1), adds=1) if heaps else Terminal(0)

    def play(self, position: tuple[int, int], move: int) -> tuple[int, int]:
        first, second = position
        return (first - 1, second) if move == 0 else (first, second - 1)

    def symmetry(self, position: tuple[int, int]) -> tuple[int, int]:
        first, second = position
        return (max(first, second), min(first, second))


MIRROR = {(2, 1): 3, (2, 0): 2, (1, 1): 2, (1, 0): 1, (0, 0): 0}

MY_GAME = '''
from backroll import Chance, Game, Terminal

class Coin(Game):
    """A coin."""
    players = 1
    def __init__(self, heads: int = 1):
        self.heads = heads
    def start(self):
        return "coin"
    def node(self, position):
        outcomes = {"heads": self.heads, "tails": 1}
        return Chance(outcomes) if position == "coin" else Terminal(position == "heads")
    def play(self, position, move):
        return move
'''


def flip(file: Path, bit: int) -> None:
    """Turn one bit of a file."""
    content = bytearray(file.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    file.write_bytes(content)
