"""The best answer to a strategy: the game in which it plays one side, solved.

Any game can be solved so through `fix`. In Can't Stop for two it is done anchor by anchor. With x
what the answer wins by when it is to move and y when the strategy is, at the same heights, x = f(y)
is a turn solved exactly, and y = c + m x what the strategy's player makes of its turn: he loses it
with probability m. Newton solves x = f(c + m x).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from time import perf_counter
from typing import Any

import numpy as np

from backroll.errors import NotConverged
from backroll.game import Chance, Choice, Game, Swap, Terminal
from backroll.games.cantstop.rules import CantStop, Heights, Position
from backroll.solution import Progress, Report, Solution, silent
from backroll.solving import solve
from backroll.spec import spec_of
from backroll.strategies.answers import Answered, answered, apart, shared_out
from backroll.strategies.protocol import Player, Strategy
from backroll.strategies.turns import TOLERANCE, Turn
from backroll.wrappers import Sided

STEPS = 40
Pair = tuple[Heights, Heights]
Parts = tuple[float, float]
"""What is left to the answer unless the turn is lost, and how often it is."""
Rest = Callable[[Position], Parts]


def respond(
    game: Game[Any], strategy: Strategy, *, progress: Progress = silent
) -> Solution[Hashable]:
    """The best answer to a strategy, as the solution of the game in which it plays second.

    Its positions are `Sided`; as all of them have a value whoever is to move, it also says what
    the answer is worth when the strategy begins.
    """
    made = answered(game, strategy)
    if not isinstance(made, Answered):
        return solve(made, progress=progress)
    assert isinstance(game, CantStop)
    return _Answers(game, made, progress).solution()


class _Answers:
    """Values of anchors, the answer's, by the heights of whoever is to move and of the other."""

    def __init__(self, game: CantStop, made: Answered, progress: Progress) -> None:
        self.game, self.made, self.progress = game, made, progress
        self.player: Player = made.strategies[2]  # type: ignore[assignment]
        self.to_move: dict[Pair, float] = {}
        self.waiting: dict[Pair, float] = {}
        self.steps = 0
        self._most = game.anchor_count()

    def solution(self) -> Solution[Hashable]:
        """Everything that can be reached, solved."""
        began = perf_counter()
        start = self.game.start()
        self.value(start.mine, start.theirs)
        anchors: list[Hashable] = [Sided(Position(*pair), 1) for pair in self.to_move]
        anchors += [Sided(Position(*pair), 2) for pair in self.waiting]
        values = np.array([*self.to_move.values(), *self.waiting.values()])
        report = Report(
            spec=spec_of(self.made), quantity=self.made.quantity, method="newton",
            value=self.to_move[start.mine, start.theirs], bound=math.inf, residual=math.inf,
            positions=len(anchors), edges=0, anchors=len(anchors),
            components=len(anchors) // 2, cyclic=len(anchors) // 2, iterations=self.steps,
            methods={"newton": len(anchors) // 2},
            seconds={"solve": perf_counter() - began}, engine="answers",
        )  # fmt: skip
        return Solution(self.made, report, anchors, values)

    def value(self, mine: Heights, theirs: Heights) -> tuple[float, float]:
        """What the answer wins by where it is to move and, at the same heights, where it is not."""
        here = shared_out(self.game.lengths, mine, theirs)
        there = shared_out(self.game.lengths, theirs, mine)
        if here not in self.to_move:
            turn = Turn(self.game, *here)
            turn.take(self._stops(turn), 1.0)
            known, lost = self._played(Position(*there))
            self.to_move[here], self.waiting[there] = self._settled(turn, known, lost)
            self.progress("answer", len(self.to_move), self._most)
        return self.to_move[here], self.waiting[there]

    def _settled(self, turn: Turn, known: float, lost: float) -> tuple[float, float]:
        x = 0.5
        for _ in range(STEPS):
            self.steps += 1
            value, slope = turn.evaluate(known + lost * x)
            step = (value - x) / (1.0 - slope * lost)
            x += step
            if abs(step) <= TOLERANCE:
                return x, known + lost * x
        raise NotConverged(f"{self.game.show(Position(turn.mine, turn.theirs))}: did not settle")

    def _stops(self, turn: Turn) -> Any:
        """What the answer's stops are worth: the strategy is to move then."""
        found = np.ones(len(turn.states))
        for topped, there in turn.stops_by_fold():
            if (turn.won | topped).bit_count() >= self.game.columns:
                continue
            theirs = turn.theirs_after(topped)
            for state, mine in zip(there.tolist(), turn.heights(there).tolist(), strict=True):
                if state != len(turn.states) - 1 and apart(self.game, mine, theirs):
                    found[state] = self.value(tuple(mine), theirs)[1]
        return found

    def _played(self, start: Position) -> Parts:
        """What the strategy's turn leaves the answer, unless it is lost, and how often it is."""
        worth: dict[Position, Parts] = {}

        def of(position: Position) -> Parts:
            if position not in worth:
                worth[position] = self._chosen(position, of, start)
            return worth[position]

        return of(start)

    def _chosen(self, position: Position, of: Rest, start: Position) -> Parts:
        game = self.game
        node = game.node(position)
        if isinstance(node, Terminal):
            return 0.0, 0.0  # the strategy has won
        if isinstance(node, Chance):
            total, known, lost = sum(node.outcomes.values()), 0.0, 0.0
            for outcome, weight in node.outcomes.items():
                a, b = self._after(position, outcome, of, start)
                known, lost = known + weight * a / total, lost + weight * b / total
            return known, lost
        assert isinstance(node, Choice)
        moves = tuple(node.moves)
        move = self.player(position) if len(moves) > 1 else moves[0]
        return self._after(position, move, of, start)

    def _after(self, position: Position, move: Any, of: Rest, start: Position) -> Parts:
        child = self.game.play(position, move)
        if not isinstance(child, Swap):
            return of(child)
        after = child.position
        if (after.mine, after.theirs) == (start.theirs, start.mine):
            return 0.0, 1.0
        return self.value(after.mine, after.theirs)[0], 0.0
