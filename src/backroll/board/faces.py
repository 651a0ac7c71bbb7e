"""What each kind of game adds to a state, and how it speaks of its moves.

Can't Stop has `sides`, `columns` (total and length), `columns_to_win`, each player's `heights` by
total and the totals `won`, and the `neutral` markers; Pig `target`, `total` (of the turn) and each
player's `score`; Shut the Box `tiles` (number and whether it is open), `roll` and `target`, the
score to beat; any other game a `picture`, lines of text. A move *leads* to heights by total, or
to the tiles that it flips down. Keys are texts, so that JSON gives back the same data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backroll.game import Game, Move, Swap
from backroll.games.cantstop.rules import CantStop, Position
from backroll.games.chinese_checkers.rules import ChineseCheckers
from backroll.games.chinese_checkers.view import drawn
from backroll.games.pig import Pig, Score
from backroll.games.shut_the_box.rules import NO_TARGET, Box, ShutTheBox

Leads = dict[str, int]


class Face:
    """Any game: what it shows of itself."""

    kind = "plain"

    def draw(self, game: Any, position: Any, side: int, state: dict[str, Any]) -> None:
        """Add to a state what this kind of game is made of."""
        picture = (
            drawn(game, position) if type(game) is ChineseCheckers else str(game.show(position))
        )
        state["picture"] = picture

    def label(self, game: Any, move: Move) -> str:
        """A move for people, short."""
        return str(game.show_move(move))

    def full(self, game: Any, position: Any, move: Move) -> str:
        """A move for people, with what it does."""
        return self.label(game, move)

    def leads(self, game: Any, position: Any, move: Move) -> Leads:
        """Where a move leads."""
        return {}

    def thrown(self, outcome: Move) -> list[int]:
        """The dice that an outcome of chance shows."""
        return []

    def lost(self, game: Any, position: Any, move: Move) -> bool:
        """Whether a move, or an outcome of chance, lost the turn."""
        return False


class CantStopFace(Face):
    """Columns, and the markers in them."""

    kind = "cantstop"

    def draw(self, game: CantStop, position: Position, side: int, state: dict[str, Any]) -> None:
        """Columns, heights, neutral markers and dice."""
        state |= {
            "sides": game.sides,
            "columns": [{"total": t, "length": n} for t, n in enumerate(game.lengths, 2)],
            "columns_to_win": game.columns,
            "neutral": {str(column + 2): height for column, height in position.neutral},
            "dice": list(position.dice),
        }
        heights = (position.mine, position.theirs)[:: 1 if side == 1 else -1]
        for player, own in zip(state["players"], heights, strict=False):
            player["heights"] = {str(total): height for total, height in enumerate(own, 2)}
            player["won"] = [
                total
                for total, (height, length) in enumerate(zip(own, game.lengths, strict=True), 2)
                if height == length
            ]

    def label(self, game: CantStop, move: Move) -> str:
        """`6 and 8`, `8 twice`, a word, or dice."""
        if isinstance(move, str):
            return "no move" if move == "bust" else move
        if len(move) == 4:
            return " ".join(map(str, move))
        if len(move) == 2 and move[0] == move[1]:
            return f"{move[0]} twice"
        return _listed(move)

    def full(self, game: CantStop, position: Position, move: Move) -> str:
        """The squares to which the markers go."""
        if move == "roll":
            return "roll on"
        if move == "bust":
            return "no column can be climbed: the turn is lost"
        squares = [
            f"column {total} to {_square(height, game.lengths[int(total) - 2])}"
            for total, height in self.leads(game, position, move).items()
        ]
        verb = "stop and keep" if move == "stop" else f"{self.label(game, move)}:"
        return f"{verb} {', '.join(squares)}"

    def leads(self, game: CantStop, position: Position, move: Move) -> Leads:
        """The heights of the columns that a move climbs, or that a stop keeps."""
        if move == "stop":
            return {str(column + 2): height for column, height in position.neutral}
        if isinstance(move, str) or len(move) == 4:
            return {}
        child = game.play(position, move)
        after = dict((child.position if isinstance(child, Swap) else child).neutral)
        return {str(total): after[total - 2] for total in dict.fromkeys(move)}

    def thrown(self, outcome: Move) -> list[int]:
        """Four dice."""
        return list(outcome)

    def lost(self, game: CantStop, position: Position, move: Move) -> bool:
        """Whether the dice cannot be used."""
        if isinstance(move, str) or len(move) < 4:
            return bool(move == "bust")
        child = game.play(position, move)
        return not (child.position if isinstance(child, Swap) else child).dice


def _listed(numbers: Sequence[int]) -> str:
    """Numbers as people list them.

    >>> _listed([7]), _listed([2, 5]), _listed([1, 2, 4])
    ('7', '2 and 5', '1, 2 and 4')
    """
    *before, last = map(str, numbers)
    return f"{', '.join(before)} and {last}" if before else last


def _square(height: int, length: int) -> str:
    return f"its top, square {height}" if height == length else f"square {height} of {length}"


class PigFace(Face):
    """Two scores and a die."""

    kind = "pig"

    def draw(self, game: Pig, position: Score, side: int, state: dict[str, Any]) -> None:
        """The scores, the turn's total, and the die that was thrown last."""
        last = state["last"]
        state |= {
            "target": game.target,
            "sides": game.sides,
            "total": position.turn,
            "dice": last["dice"] if last else [],
        }
        scores = (position.mine, position.theirs)[:: 1 if side == 1 else -1]
        for player, score in zip(state["players"], scores, strict=False):
            player["score"] = score

    def full(self, game: Pig, position: Score, move: Move) -> str:
        """What holding keeps."""
        if move == "hold":
            return f"hold {position.turn}, which makes {position.mine + position.turn}"
        return f"roll on with {position.turn} to lose" if move == "roll" else str(move)

    def thrown(self, outcome: Move) -> list[int]:
        """One die; a coin has no pips."""
        return [outcome] if isinstance(outcome, int) else []

    def lost(self, game: Pig, position: Score, move: Move) -> bool:
        """Whether the die, or the coin, gains nothing."""
        return move not in game.gains and move not in ("roll", "hold")


class ShutTheBoxFace(Face):
    """Tiles to flip down."""

    kind = "shutthebox"

    def draw(self, game: ShutTheBox, position: Box, side: int, state: dict[str, Any]) -> None:
        """The tiles, what was rolled, and the score to beat."""
        state |= {
            "tiles": [
                {"tile": tile, "open": bool(position.tiles >> (tile - 1) & 1)}
                for tile in range(1, game.tiles + 1)
            ],
            "roll": position.roll if position.roll > 0 else None,
            "target": None if position.target == NO_TARGET else position.target,
        }
        if state["target"] is not None:
            state["players"][0]["score"] = state["target"]

    def label(self, game: ShutTheBox, move: Move) -> str:
        """`2 and 5`, or what the word means."""
        if isinstance(move, tuple):
            return _listed(move)
        return {"1d": "one die", "2d": "two dice", "end": "no tiles fit"}.get(move, str(move))

    def full(self, game: ShutTheBox, position: Box, move: Move) -> str:
        """The tiles to flip down."""
        said = self.label(game, move)
        return f"flip down {said}" if isinstance(move, tuple) else said

    def leads(self, game: ShutTheBox, position: Box, move: Move) -> Leads:
        """The tiles that go down."""
        return {str(tile): 0 for tile in move} if isinstance(move, tuple) else {}


_FACES: Sequence[tuple[type[Game[Any]], Face]] = (
    (CantStop, CantStopFace()),
    (Pig, PigFace()),
    (ShutTheBox, ShutTheBoxFace()),
)
_PLAIN = Face()


def face_of(game: Game[Any]) -> Face:
    """How a game is drawn; one that changes the rules of another is drawn plainly."""
    return next((face for kind, face in _FACES if type(game) is kind), _PLAIN)
