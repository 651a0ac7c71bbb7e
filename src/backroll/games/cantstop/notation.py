"""The text form of Can't Stop: `1,0,2,0,0/0,1,0,0,0/3=2,4=3@1,1,2,3`.

Heights from the lowest column to the highest, the mover's and (with two players) the opponent's;
the neutral markers as column=height, none at an anchor; after `@` the dice that await their
split, or nothing when the player has chosen to roll. A won column is its length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from backroll.errors import NotationError
from backroll.games.reading import quoted, whole_number

if TYPE_CHECKING:
    from backroll.games.cantstop.rules import CantStop, Dice, Heights, Markers, Position

NEUTRALS: Final = 3


def show(game: CantStop, position: Position) -> str:
    """The text of a position."""
    sides = [position.mine, position.theirs][: game.players]
    parts = [",".join(map(str, heights)) for heights in sides]
    if position.neutral:
        parts.append(",".join(f"{column + 2}={height}" for column, height in position.neutral))
    text = "/".join(parts)
    if position.dice or position.rolling:
        text += "@" + ",".join(map(str, position.dice))
    return text


def show_move(move: Any) -> str:
    """The totals used, `3+4` or `3`; dice as `1,1,2,3`; a word as it is."""
    if isinstance(move, str):
        return move
    return ("," if len(move) == 4 else "+").join(map(str, move))


def parse(game: CantStop, text: str) -> Position:
    """The position that a text shows, if it is one of this game."""
    board, at, dice = text.strip().partition("@")
    parts = [part.strip() for part in board.split("/")]
    if len(parts) - game.players not in (0, 1):
        heights = "mover/opponent" if game.players == 2 else "heights"
        raise NotationError(
            f"expected {heights}, {heights}/neutral and perhaps @dice, found {quoted(text)}"
        )
    position = game.start()._replace(mine=_heights(game, parts[0], "the mover"))
    if game.players == 2:
        position = position._replace(theirs=_heights(game, parts[1], "the opponent"))
        _check_columns(game, position)
    if len(parts) > game.players:
        position = position._replace(neutral=_markers(game, position, parts[-1]))
    if position.neutral or at:
        _check_goes_on(game, position)
    return _rolled(game, position, dice.strip()) if at else position


def _heights(game: CantStop, text: str, whose: str) -> Heights:
    words, lengths = text.split(","), game.lengths
    if len(words) != len(lengths):
        raise NotationError(
            f"{whose}: expected {len(lengths)} heights, for columns 2 to {2 * game.sides}, "
            f"found {len(words)} in {quoted(text)}"
        )
    return tuple(
        whole_number(word, 0, length, f"{whose}, column {total}")
        for total, (word, length) in enumerate(zip(words, lengths, strict=True), 2)
    )


def _check_columns(game: CantStop, position: Position) -> None:
    """Refuse columns in which the two players cannot both stand where they do."""
    for total, pair in enumerate(zip(position.mine, position.theirs, game.lengths, strict=True), 2):
        *heights, length = pair
        low, high = sorted(heights)
        if low == high == length:
            raise NotationError(f"column {total}: expected one winner, found both at {length}")
        if high == length and low:
            raise NotationError(f"column {total} is won: expected 0 for the other, found {low}")
        if low == high > 0 and game.occupied != "share":
            raise NotationError(
                f"column {total}: expected different squares with occupied={game.occupied}, "
                f"found both at {low}"
            )
    if min(game.won(position.mine), game.won(position.theirs)) >= game.columns:
        raise NotationError(f"expected one winner, found both with columns={game.columns} won")


def _markers(game: CantStop, position: Position, text: str) -> Markers:
    words = text.split(",")
    if len(words) > NEUTRALS:
        raise NotationError(f"expected at most {NEUTRALS} neutral markers, found {len(words)}")
    markers = tuple(sorted(_marker(game, position, word) for word in words))
    if len(dict(markers)) < len(markers):
        raise NotationError(f"expected one neutral marker a column, found {quoted(text)}")
    return markers


def _marker(game: CantStop, position: Position, word: str) -> tuple[int, int]:
    """One neutral marker, where a move can have put it."""
    total, equals, height = (part.strip() for part in word.partition("="))
    if not equals:
        raise NotationError(f"expected a neutral marker as column=height, found {quoted(word)}")
    column = whole_number(total, 2, 2 * game.sides, "a neutral marker's column") - 2
    mine, theirs, length = position.mine[column], position.theirs[column], game.lengths[column]
    if length in (mine, theirs):
        raise NotationError(
            f"column {total} is won: expected no neutral marker, found {quoted(word)}"
        )
    square = whole_number(height, mine + 1, length, f"the neutral marker in column {total}")
    if game.occupied == "jump" and square == theirs:
        raise NotationError(
            f"column {total}: expected the neutral marker to jump over the opponent's, "
            f"found both at {square}"
        )
    return column, square


def _check_goes_on(game: CantStop, position: Position) -> None:
    if max(game.won(position.mine), game.won(position.theirs)) >= game.columns:
        raise NotationError("the game is won: expected no neutral markers and no dice")


def _rolled(game: CantStop, position: Position, text: str) -> Position:
    """The position with the dice on the table, or in the air when the text names none."""
    if text:
        return position._replace(dice=_dice(game, text))
    if not position.neutral or not game.may_stop(position):
        raise NotationError("the player must roll here: expected four dice after @, or no @")
    return position._replace(rolling=True)


def _dice(game: CantStop, text: str) -> Dice:
    dice = [whole_number(word, 1, game.sides, "a die") for word in text.split(",")]
    if len(dice) != 4:
        raise NotationError(f"expected four dice after @, found {len(dice)} in {quoted(text)}")
    return tuple(sorted(dice))
