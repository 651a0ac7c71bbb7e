"""The chance to lose the turn, in games in which a roll can end it: Can't Stop and Pig."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backroll.game import Chance, Choice, Game, Swap, Terminal
from backroll.games.cantstop.rules import CantStop
from backroll.games.pig import Pig
from backroll.turn import best, evaluate, expand


def can_be_lost(game: Game[Any]) -> bool:
    """Whether turns are lost in a game, and known to be by its rules."""
    return type(game) in (CantStop, Pig)


def over(game: Game[Any], position: Any) -> bool:
    """Whether no roll of this turn is left: another begins, or the game is over."""
    return game.anchor(position) or isinstance(game.node(position), Terminal)


def at_next_roll(game: Game[Any], position: Any) -> float:
    """The chance that the next roll of a turn loses it, if the player rolls."""
    node = game.node(position)
    if isinstance(node, Choice):
        if "roll" not in node.moves:
            return 0.0
        position = game.play(position, "roll")
        node = game.node(position)
    if not isinstance(node, Chance):
        return 0.0
    lost = sum(n for each, n in node.outcomes.items() if _ends(game, game.play(position, each)))
    return lost / sum(node.outcomes.values())


def _ends(game: Game[Any], child: Any) -> bool:
    """Whether an outcome is where another turn begins: nothing was banked, so it lost this one."""
    return isinstance(child, Swap) or (
        game.anchor(child) and not isinstance(game.node(child), Terminal)
    )


def in_turn(game: Game[Any], position: Any, anchor_value: Callable[[Any], float]) -> float:
    """The chance to lose the turn that goes on at a position, with best play, by the rules alone.

    A turn is worked out as `evaluate` does, which meets children before what leads to them.
    """
    worth: dict[Any, float] = {}

    def known(each: Any) -> float | None:
        return anchor_value(each) if game.anchor(each) else None

    def worth_of(each: Any) -> float:
        return worth[game.symmetry(each)]

    evaluate(game, position, known, worth=worth)
    lost: dict[Any, float] = {}
    for each in worth:
        if each != position and not game.anchor(each):
            lost[each] = _lost_at(game, each, worth_of, lost)
    return _lost_at(game, position, worth_of, lost)


def _lost_at(
    game: Game[Any], position: Any, worth_of: Callable[[Any], float], lost: dict[Any, float]
) -> float:
    """The chance at a position of a turn, from that at its children."""
    node, children = expand(game, position)
    if isinstance(node, Choice):
        top = best(game, position, worth_of)[0]
        return float(top.move == "bust") if over(game, top.position) else lost[top.position]
    if not isinstance(node, Chance):
        return 0.0
    weights = node.outcomes.values()
    chances = [
        1.0 if child.swapped or game.anchor(child.position) else lost[child.position]
        for child in children
    ]
    return sum(n * each for n, each in zip(weights, chances, strict=True)) / sum(weights)
