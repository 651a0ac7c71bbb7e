"""`fix`: the game in which one player's choices are made.

Solving it gives the exact value of a strategy and the best answer to it; fixing both players
gives the exact value of one strategy against another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple, TypeAlias

from backroll.errors import GameError, IllegalMove, NotationError
from backroll.game import Chance, Choice, Game, Move, Node, Position, Swap, Terminal
from backroll.spec import remember, spec_of

Strategy: TypeAlias = Callable[[Position], Move] | Mapping[Position, Move]
"""What picks a move at a position of the game, as the game writes it."""


class Sided(NamedTuple):
    """A position of a game for two, and the player from whose side it is written."""

    position: Hashable
    who: int


def fix(game: Game[Position], player: int, strategy: Strategy[Position]) -> Game[Any]:
    """The game in which `strategy` makes that player's choices, wherever there are two or more.

    A game for two is written out in full: its positions become `Sided`, every value is player
    1's, and a choice names who makes it (in an absolute game `who` stays 1). The strategy sees
    the game's own positions, so one strategy of a relative game can play either side. Players
    keep their numbers, so a player 2 who is left alone still wants the value low. A strategy
    need not treat equal positions alike, so the symmetry of the game is dropped.
    """
    base: Game[Any] = game.base if isinstance(game, Fixed) else game
    before = game.strategies if isinstance(game, Fixed) else {}
    if player not in range(1, game.players + 1):
        raise GameError(f"fix: expected a player from 1 to {game.players}, found {player!r}")
    if player in before:
        raise GameError(f"fix: expected a player who still chooses, found player {player} fixed")
    fixed = Fixed(base, {**before, player: strategy})
    remember(fixed, f"fix({spec_of(game)},{player})")
    return fixed


class Fixed(Game[Any]):
    """A game with the choices of some players made; `fix` makes it."""

    def __init__(self, base: Game[Any], strategies: Mapping[int, Strategy[Any]]) -> None:
        self.base = base
        self.strategies = strategies
        self.players = base.players
        self.quantity = base.quantity
        self.total = base.total

    def start(self) -> Any:
        """The start of the game, seen from player 1."""
        return self._join(self.base.start(), 1)

    def node(self, position: Any) -> Node:
        """The node of the game, in player 1's values, with fixed choices cut to one move."""
        inner, who = self._split(position)
        node = self.base.node(inner)
        if isinstance(node, Choice):
            player = node.player if who == 1 else 3 - node.player
            moves = self._moves(inner, player, node)
            return Choice(moves, player, node.adds if who == 1 else -node.adds)
        if who == 1:
            return node
        if isinstance(node, Chance):
            return Chance(node.outcomes, -node.adds)
        return Terminal(self.base.total - node.value)

    def play(self, position: Any, move: Move) -> Any:
        """The position a move leads to, with the side it is written from."""
        inner, who = self._split(position)
        child = self.base.play(inner, move)
        return (
            self._join(child.position, 3 - who)
            if isinstance(child, Swap)
            else self._join(child, who)
        )

    def anchor(self, position: Any) -> bool:
        """Turns start where they start in the game."""
        return self.base.anchor(self._split(position)[0])

    def show(self, position: Any) -> str:
        """The text of the game, and for two players `#` and the side it is written from."""
        inner, who = self._split(position)
        text = self.base.show(inner)
        return f"{text}#{who}" if self.players == 2 else text

    def parse(self, text: str) -> Any:
        """The inverse of `show`."""
        if self.players != 2:
            return self.base.parse(text)
        inner, _, who = text.rpartition("#")
        if who not in ("1", "2"):
            example = self.show(self.start())
            raise NotationError(f"expected a position like {example}, found {text!r}")
        return Sided(self.base.parse(inner), int(who))

    def show_move(self, move: Move) -> str:
        """The text of a move in the game."""
        return self.base.show_move(move)

    def _split(self, position: Any) -> tuple[Any, int]:
        return position if self.players == 2 else (position, 1)

    def _join(self, position: Any, who: int) -> Any:
        return Sided(position, who) if self.players == 2 else position

    def _moves(self, position: Any, player: int, node: Choice) -> list[Move]:
        moves = list(node.moves)
        if player not in self.strategies or len(moves) < 2:
            return moves
        picked = _pick(self.strategies[player], position)
        if picked not in moves:
            offered = ", ".join(map(self.base.show_move, moves))
            raise IllegalMove(
                f"the strategy of player {player} at {self.base.show(position)}: "
                f"expected one of {offered}, found {picked!r}"
            )
        return [moves[moves.index(picked)]]


def _pick(strategy: Strategy[Any], position: Any) -> Move:
    """The strategy's move; a mapping without the position gives None."""
    if not isinstance(strategy, Mapping):
        return strategy(position)
    try:
        return strategy[position]
    except KeyError:
        return None
