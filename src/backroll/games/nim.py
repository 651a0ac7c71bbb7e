"""Nim: take stones from a pile; whoever takes the last stone wins, or loses in misère play.

A position is the piles that are left, smallest first, as the player to move sees them; its text
is `3,4,5`, and `0` when every stone is gone. A move is a pile's size and the stones to take.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from backroll.errors import NotationError
from backroll.game import Choice, Game, Swap, Terminal
from backroll.games.reading import quoted, whole_number
from backroll.spec import Range

LONG = 16_000
"""Moves of a game so long that it is not solved layer by layer: words count 16,381 at most."""

Piles: TypeAlias = tuple[int, ...]
Take: TypeAlias = tuple[int, int]


class Nim(Game[Piles]):
    """Take stones from a pile; whoever takes the last one wins (or loses: misere)."""

    name = "nim"

    def __init__(
        self,
        stones: Annotated[int, Range(1, 1_000_000)] = 21,
        piles: Annotated[int, Range(1, 8)] = 1,
        most: Annotated[int, Range(0, 1_000_000)] = 3,
        misere: Literal["no", "yes"] = "no",
    ) -> None:
        """Start with `piles` piles of `stones`; take `most` at a time (0: no limit)."""
        self.stones, self.piles, self.most, self.misere = stones, piles, most, misere
        self.chance = stones * piles >= LONG
        self._takes = range(1, (most or stones) + 1)
        self._end = Terminal(1 if misere == "yes" else 0)

    def start(self) -> Piles:
        """Every pile whole."""
        return (self.stones,) * self.piles

    def node(self, position: Piles) -> Terminal | Choice:
        """Who finds no stones has lost: the other side took the last one."""
        if not position:
            return self._end
        sizes = dict.fromkeys(position)
        return Choice([(size, take) for size in sizes for take in self._takes[:size]])

    def play(self, position: Piles, move: Take) -> Swap[Piles]:
        """Take the stones; the other side is to move."""
        size, take = move
        piles = [*position]
        piles.remove(size)
        if take < size:
            piles.append(size - take)
            piles.sort()
        return Swap(tuple(piles))

    def show(self, position: Piles) -> str:
        """The piles, smallest first."""
        return ",".join(map(str, position)) or "0"

    def parse(self, text: str) -> Piles:
        """The piles that a text lists, in any order."""
        if text.strip() == "0":
            return ()
        sizes = text.split(",")
        if len(sizes) > self.piles:
            raise NotationError(
                f"expected at most {self.piles} pile{'s' * (self.piles > 1)}, "
                f"found {len(sizes)} in {quoted(text)}"
            )
        return tuple(sorted(whole_number(size, 1, self.stones, "a pile") for size in sizes))

    def show_move(self, move: Take) -> str:
        """The pile's size less the stones taken: `21-3`."""
        return f"{move[0]}-{move[1]}"
