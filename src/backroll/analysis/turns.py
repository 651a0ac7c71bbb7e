"""Can't Stop by turns whose states all have a value, from a table or from an estimate."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from backroll.analysis.figures import Basis
from backroll.analysis.losing import over
from backroll.analysis.sources import Found
from backroll.game import Chance, Choice, Terminal
from backroll.games.cantstop.rules import CantStop, Position
from backroll.strategies.estimates import fitted
from backroll.strategies.exact import Exact, TurnPlayer
from backroll.strategies.turns import Turn
from backroll.turn import best


class Worth(NamedTuple):
    """What a position is worth, as the game writes it, and the chance to lose the turn."""

    value: float
    lost: float


class ByTurns:
    """Looks up what a turn makes of its leaves; stopping is worth what it was to the turn."""

    distances = False

    def __init__(self, turns: TurnPlayer, basis: Basis) -> None:
        self.turns, self.game, self.basis = turns, turns.game, basis

    def refine(self, position: Position) -> Iterator[Found]:
        """What the turn says, once."""
        moves = []
        if isinstance(self.game.node(position), Choice):
            moves = best(self.game, position, lambda child: self._after(position, child))
        value = moves[0].value if moves else self.worth(position).value
        yield Found(value, moves, self.basis)

    def lost(self, position: Position) -> float:
        """The chance to lose the turn, with best play."""
        return self.worth(position).lost

    def distance(self, position: Position) -> None:
        """Nobody knows where there is chance."""

    def worth(self, position: Position) -> Worth:
        """What a position is worth by its own turn."""
        game = self.game
        node = game.node(position)
        if isinstance(node, Terminal):
            return Worth(node.value, 0.0)
        turn = self._turn(position)
        if isinstance(node, Chance):
            rolled = self._rolled(turn, position, node)
            begins = game.anchor(position)
            return rolled._replace(value=self._written(turn.value)) if begins else rolled
        if not position.dice:
            return self._state(turn, position)
        return self._chosen(turn, position)

    def _turn(self, position: Position) -> Turn:
        return self.turns.turn(position.mine, position.theirs)

    def _state(self, turn: Turn, position: Position) -> Worth:
        neutral = position.neutral
        return Worth(self._written(turn.worth(neutral)), turn.lost(neutral))

    def _rolled(self, turn: Turn, position: Position, node: Chance) -> Worth:
        """The mean over what dice may show."""
        value = lost = 0.0
        for dice, weight in node.outcomes.items():
            found = self._chosen(turn, position._replace(dice=dice, rolling=False))
            value += weight * found.value
            lost += weight * found.lost
        total = sum(node.outcomes.values())
        return Worth(value / total, lost / total)

    def _chosen(self, turn: Turn, position: Position) -> Worth:
        """The best use of some dice; without one the turn is lost."""
        node = self.game.node(position)
        assert isinstance(node, Choice)
        children = [self.game.play(position, move) for move in node.moves]
        if node.moves == ("bust",):
            return Worth(self._lost(turn), 1.0)
        worths = [self._state(turn, child) for child in children if isinstance(child, Position)]
        choose = min if self.game.players == 1 else max
        return choose(worths, key=lambda each: each.value)

    def _lost(self, turn: Turn) -> float:
        """What losing a turn is worth."""
        if self.game.players == 1:
            return self._written(turn.value)
        return 1.0 - self.turns.turn(turn.theirs, turn.mine).value

    def _after(self, position: Position, child: Position) -> float:
        """What a move is worth by the turn in which it is made, as written where it leads."""
        if isinstance(self.game.node(child), Terminal) or not over(self.game, child):
            return self.worth(child).value
        turn = self._turn(position)
        stops = self._written(float(turn.stops[turn.state(position.neutral)]))
        value = self._lost(turn) if position.dice else stops
        return value if self.game.players == 1 else 1.0 - value

    def _written(self, value: float) -> float:
        """A turn's value as the game writes it: turns left are counted negative in turns."""
        return -value if self.game.players == 1 else value


def turn_exact(game: CantStop, estimate: str = "") -> ByTurns:
    """Turns solved exactly, from an estimate: by itself the fitted one, if there is one."""
    known = fitted(game.sides, game.shortest, game.columns) is not None
    text = estimate or ("fitted" if known else "columns")
    turns = Exact(text).player(game, Random(0))
    assert isinstance(turns, TurnPlayer)
    said = text if not text.startswith("table:") else "of a table"
    return ByTurns(turns, Basis(f"turn-exact on the estimate {said}"))
