"""The text form of the rook ending: `w Ke1 Rh1 ke8`.

Who is to move, `w` or `b`; White's king and rook; Black's king, as `k`. After the rook is lost it
is left out: `w Ke1 ke8`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from backroll.errors import NotationError
from backroll.games.reading import cell_name, named_cell, quoted
from backroll.games.rook_ending.position import BLACK, LOST, WHITE, Ending, check, touching

if TYPE_CHECKING:
    from backroll.games.rook_ending.rules import Move, RookEnding

PLAYERS = {"w": WHITE, "b": BLACK}


def show(game: RookEnding, position: Ending) -> str:
    """The text of a position."""
    player, king, lone, rook = position
    pieces = [("K", king), ("R", rook), ("k", lone)]
    words = [letter + cell_name(at, game.size) for letter, at in pieces if at != LOST]
    return " ".join(["w" if player == WHITE else "b", *words])


def show_move(game: RookEnding, move: Move) -> str:
    """The piece and where it goes."""
    return move[0] + cell_name(move[1], game.size)


def parse(game: RookEnding, text: str) -> Ending:
    """The position that a text shows, if it is one of this game."""
    player, *words = text.split() or [""]
    placed = {word[0]: word[1:] for word in words}
    if player not in PLAYERS or len(placed) < len(words) or {"K", "k"} - set(placed):
        _refuse(game, text)
    if set(placed) - {"K", "R", "k"}:
        _refuse(game, text)
    shape = game.size, game.size
    at = {letter: named_cell(name, shape, letter) for letter, name in placed.items()}
    position = Ending(PLAYERS[player], at["K"], at["k"], at.get("R", LOST))
    _check(game, position, text)
    return position


def _refuse(game: RookEnding, text: str) -> None:
    example = show(game, game.start())
    raise NotationError(f"expected w or b, K, R and k, as in {example}, found {quoted(text)}")


def _check(game: RookEnding, position: Ending, text: str) -> None:
    """Refuse what no move can have led to."""
    player, king, lone, rook = position
    if len({king, lone, rook}) < 3:
        raise NotationError(f"expected one piece a square, found {quoted(text)}")
    if touching(game.board, king, lone):
        raise NotationError(f"expected kings that do not touch, found {quoted(text)}")
    if rook == LOST and player == BLACK:
        raise NotationError(f"expected w to move when the rook is lost, found {quoted(text)}")
    if player == WHITE and check(game.board, position):
        raise NotationError(f"expected k not in check with w to move, found {quoted(text)}")
