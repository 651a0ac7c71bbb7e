"""Anchors <-> 0..n-1: by arithmetic, in memory by position, on disk by the text of the position."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any, Generic, Protocol

import numpy as np
from numpy.typing import NDArray

from backroll.errors import GameError
from backroll.game import ABSENT, Game, Position
from backroll.solution import Rows


class Index(Protocol):
    """Where each anchor's number stands."""

    def __len__(self) -> int:
        """How many anchors there are."""
        ...

    def find(self, position: Any) -> int:
        """The row of a position, or ABSENT."""
        ...

    def find_many(self, positions: Iterable[Any]) -> NDArray[np.int64]:
        """The rows of many positions, ABSENT where there is none."""
        ...

    def texts(self) -> Iterator[str]:
        """The text of each anchor, in order."""
        ...

    def text(self, row: int) -> str:
        """The text of the anchor at a row."""
        ...


def index_of(game: Game[Position], anchors: Sequence[Position]) -> Index:
    """The index of the anchors of a solution."""
    return RowIndex(game) if isinstance(anchors, Rows) else PositionIndex(game, anchors)


class RowIndex(Generic[Position]):
    """Anchors that the game finds by arithmetic."""

    def __init__(self, game: Game[Position]) -> None:
        self._game = game
        self._length = game.anchor_count()

    def __len__(self) -> int:
        return self._length

    def find(self, position: Position) -> int:
        """The row of a position, or ABSENT."""
        return self._game.anchor_row(position)

    def find_many(self, positions: Iterable[Position]) -> NDArray[np.int64]:
        """The rows of many positions, ABSENT where there is none."""
        return np.fromiter(map(self._game.anchor_row, positions), np.int64)

    def texts(self) -> Iterator[str]:
        """The text of each anchor, in order."""
        return map(self.text, range(self._length))

    def text(self, row: int) -> str:
        """The text of the anchor at a row."""
        return self._game.show(self._game.anchor_at(row))


class PositionIndex(Generic[Position]):
    """Anchors in memory, looked up by themselves."""

    def __init__(self, game: Game[Position], positions: Iterable[Position]) -> None:
        self._game = game
        self._canonical = _canonical(game)
        self._anchors = list(positions)
        self._rows = {position: row for row, position in enumerate(self._anchors)}

    def __len__(self) -> int:
        return len(self._rows)

    def find(self, position: Position) -> int:
        """The row of a position, or ABSENT."""
        canonical = self._canonical
        return self._rows.get(canonical(position) if canonical else position, ABSENT)

    def find_many(self, positions: Iterable[Position]) -> NDArray[np.int64]:
        """The rows of many positions, ABSENT where there is none."""
        return _rows(self._rows, map(self._canonical, positions) if self._canonical else positions)

    def texts(self) -> Iterator[str]:
        """The text of each anchor, in order."""
        return map(self._game.show, self._rows)

    def text(self, row: int) -> str:
        """The text of the anchor at a row."""
        return self._game.show(self._anchors[row])


class TextIndex(Generic[Position]):
    """Anchors on disk, looked up by their texts, which are read at the first probe."""

    def __init__(
        self, game: Game[Position], length: int, read: Callable[[], NDArray[np.uint8]]
    ) -> None:
        self._game = game
        self._canonical = _canonical(game)
        self._length = length
        self._read = read
        self._known: dict[str, int] | None = None

    def __len__(self) -> int:
        return self._length

    def find(self, position: Position) -> int:
        """The row of a position, or ABSENT."""
        canonical = self._canonical
        text = self._game.show(canonical(position) if canonical else position)
        return self._rows().get(text, ABSENT)

    def find_many(self, positions: Iterable[Position]) -> NDArray[np.int64]:
        """The rows of many positions, ABSENT where there is none."""
        shown = map(self._canonical, positions) if self._canonical else positions
        return _rows(self._rows(), map(self._game.show, shown))

    def texts(self) -> Iterator[str]:
        """The text of each anchor, in order."""
        return iter(self._rows())

    def text(self, row: int) -> str:
        """The text of the anchor at a row."""
        return self._listed[row]

    @cached_property
    def _listed(self) -> list[str]:
        return list(self._rows())

    def _rows(self) -> dict[str, int]:
        if self._known is None:
            self._known = {text: row for row, text in enumerate(decode(self._read()))}
        return self._known


def _canonical(game: Game[Position]) -> Callable[[Position], Position] | None:
    """The game's symmetry, or None if it has none: a call a probe is worth saving."""
    return None if type(game).symmetry is Game.symmetry else game.symmetry


def _rows(rows: dict[Any, int], keys: Iterable[Hashable]) -> NDArray[np.int64]:
    return np.fromiter(map(rows.get, keys, repeat(ABSENT)), np.int64)


def encode(texts: Iterable[str]) -> NDArray[np.uint8]:
    """Texts as UTF-8 bytes, a newline after each; GameError if they cannot be told apart.

    >>> bytes(encode(["0/1", "1/0"]))
    b'0/1\\n1/0\\n'
    """
    lines = list(texts)
    seen = set()
    for text in lines:
        if "\n" in text or "\r" in text:
            raise GameError(f"the text of a position must be one line, found {text!r}")
        if text in seen:
            raise GameError(f"positions must have different texts, found two shown as {text!r}")
        seen.add(text)
    try:
        content = "".join([f"{text}\n" for text in lines]).encode()
    except UnicodeEncodeError as error:
        culprit = error.object.count("\n", 0, error.start)
        raise GameError(f"expected text that UTF-8 can hold, found {lines[culprit]!r}") from None
    return np.frombuffer(content, np.uint8)


def decode(content: NDArray[np.uint8]) -> list[str]:
    """The inverse of `encode`."""
    return content.tobytes().decode().split("\n")[:-1]
