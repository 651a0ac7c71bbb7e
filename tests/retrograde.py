"""The oracle for games without chance: outcomes and heights from plain lists, by counting.

Every position gets a number; a side that can move to a position it has won has won, and a side
has lost when it has no move left that is not lost. Rounds go through single moves, so the round
in which a position is settled is its height: how many moves the game lasts if the winner hurries
and the loser holds out. What is never settled is drawn, and so is an end worth ½.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

from backroll.game import Choice, Game, Swap, Terminal

UNKNOWN = -1


class Outcomes(NamedTuple):
    """What the positions of a game are worth, and how far they are from the end."""

    positions: list[Any]
    value: array[float]
    """What the game calls the value: player 1's, or in a relative game the mover's."""
    height: array[int]
    """Moves to the end, -1 for a draw."""

    def counted(self) -> dict[str, int]:
        """What golden/deterministic.csv says."""
        return {
            "positions": len(self.positions),
            "won": self.value.count(1),
            "lost": self.value.count(0),
            "drawn": self.value.count(0.5),
            "height": max(self.height),
        }


class _Moves(NamedTuple):
    """The game as lists: children and parents are numbers of positions."""

    positions: list[Any]
    ends: dict[int, float]
    wants: array[float]
    """The value that the side to move wants, as the position gives it."""
    turned: bool
    """Whether a move turns the value: v to one side, 1 - v to the other."""
    children: array[int]
    parents: list[array[int]]


def solved(game: Game[Any], *, reached: bool = False) -> Outcomes:
    """The outcomes of all positions that have a row; without rows, or on request, of those reached.

    A child is looked up by its symmetry, and counted once for each move that leads to it.
    """
    moves = _listed(game, reached=reached or not game.anchor_count())
    value, height = _settled(moves)
    for number, worth in moves.ends.items():
        if worth == 0.5:
            value[number], height[number] = worth, UNKNOWN
    return Outcomes(moves.positions, value, height)


def _listed(game: Game[Any], *, reached: bool) -> _Moves:
    first = [game.symmetry(game.start())]
    positions = first if reached else [game.anchor_at(r) for r in range(game.anchor_count())]
    numbers = {position: number for number, position in enumerate(positions)}
    moves = _Moves(positions, {}, array("d"), _relative(game), array("i"), [])
    for number, position in enumerate(positions):
        for child in _children(game, moves, number, position):
            stands = numbers.get(child)
            if stands is None:
                stands = _number(game, numbers, positions, child, reached=reached)
            while len(moves.parents) <= max(stands, number):
                moves.parents.append(array("i"))
            moves.parents[stands].append(number)
    return moves


def _number(
    game: Game[Any], numbers: dict[Any, int], positions: list[Any], child: Any, *, reached: bool
) -> int:
    """The number of a child not met in this form: of its row, or of what stands for it."""
    if not reached:
        return game.anchor_row(child)
    stands = game.symmetry(child)
    number = numbers.setdefault(stands, len(positions))
    if number == len(positions):
        positions.append(stands)
    return number


def _children(game: Game[Any], moves: _Moves, number: int, position: Any) -> Iterator[Any]:
    """The positions that follow; what else there is to know goes into the lists."""
    node = game.node(position)
    if isinstance(node, Terminal):
        moves.ends[number] = node.value
        moves.wants.append(1)
        moves.children.append(0)
        return
    assert isinstance(node, Choice)
    following = [game.play(position, move) for move in node.moves]
    moves.wants.append(2 - node.player)
    moves.children.append(len(following))
    for child in following:
        yield child.position if isinstance(child, Swap) else child


def _relative(game: Game[Any]) -> bool:
    """Whether every move swaps sides; a game that sometimes does is none for this oracle."""
    position, swaps = game.start(), set()
    for _ in range(4):
        node = game.node(position)
        if isinstance(node, Choice):
            child = game.play(position, next(iter(node.moves)))
            swaps.add(isinstance(child, Swap))
            position = child.position if isinstance(child, Swap) else child
    assert len(swaps) == 1
    return swaps.pop()


def _settled(moves: _Moves) -> tuple[array[float], array[int]]:
    """Back from the ends, a round a move."""
    size = len(moves.positions)
    value, height = array("d", [0.5]) * size, array("i", [UNKNOWN]) * size
    left = array("i", moves.children)
    newest = [number for number, worth in moves.ends.items() if worth != 0.5]
    for number in newest:
        value[number], height[number] = moves.ends[number], 0
    moves.parents.extend(array("i") for _ in range(size - len(moves.parents)))
    rounds = 0
    while newest:
        rounds += 1
        following = []
        for number in newest:
            worth = 1 - value[number] if moves.turned else value[number]
            for parent in moves.parents[number]:
                left[parent] -= 1
                good = worth == moves.wants[parent]
                if height[parent] == UNKNOWN and (good or not left[parent]):
                    value[parent], height[parent] = worth, rounds
                    following.append(parent)
        newest = following
    return value, height
