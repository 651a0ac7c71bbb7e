"""A position shown: in a notebook as the board, elsewhere as a picture or as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backroll.board.picture import svg
from backroll.board.state import State, state_of
from backroll.board.text import lines
from backroll.errors import SpecError
from backroll.game import Game
from backroll.spec import load

if TYPE_CHECKING:
    from backroll.board.widget import Board


@dataclass(frozen=True, slots=True)
class Picture:
    """A state that notebooks draw as SVG and `print` as text."""

    state: State

    def _repr_svg_(self) -> str:
        return svg(self.state)

    def __repr__(self) -> str:
        return "\n".join(lines(self.state))

    def save(self, path: str | Path) -> None:
        """Keep the picture as an SVG file."""
        Path(path).write_text(svg(self.state), encoding="utf-8")


def show(
    position: Any = None,
    *,
    spec: str = "",
    game: Game[Any] | None = None,
    names: Sequence[str] = (),
) -> Board | Picture:
    """The board at a position, or at its text, or at the start: a widget where anywidget is.

    >>> from backroll.board.showing import picture_of
    >>> picture_of("1,0,0/0,1,0/3=2@", spec="cantstop:sides=2,shortest=1")
         3
     2   ·   4
     1   ^   ·
     2   2   4
         3
    <BLANKLINE>
    > 1 player 1  won 2
      2 player 2
    Player 1 to roll.
    """
    if find_spec("anywidget") is None:
        return picture_of(position, spec=spec, game=game, names=names)
    from backroll.board.widget import Board

    return Board(_state(position, spec, game, names))


def picture_of(
    position: Any = None,
    *,
    spec: str = "",
    game: Game[Any] | None = None,
    names: Sequence[str] = (),
) -> Picture:
    """What `show` gives where there is no anywidget."""
    return Picture(_state(position, spec, game, names))


def _state(position: Any, spec: str, game: Game[Any] | None, names: Sequence[str]) -> State:
    if game is None:
        if not spec:
            raise SpecError("expected a game to show, as spec= or game=, found none")
        game = load(spec)
    if position is None:
        position = game.start()
    elif isinstance(position, str):
        position = game.parse(position)
    return state_of(game, position, names=names)
