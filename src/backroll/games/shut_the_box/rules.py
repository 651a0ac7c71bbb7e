"""Shut the Box: flip down tiles that add up to the roll, until the box is shut or you are stuck.

Whoever is stuck scores the sum of the tiles still open. With `one_die=sum6` the player may leave
one die out when the open tiles add up to 6 or less. There are three aims: the least expected
score, the best chance to shut the box, and to win: both players play once, the second knows
the first's score, the lower score wins and equal scores are worth a half. A second player whose
open tiles add up to less than the score to beat has won at once. A box shut by the first player
can still be shut by the second, for a half: that reading gives 0.497993947 on nine tiles.

The text of a position is its open tiles, `1,2,9` or `-` when there are none; then `/` and the
score to beat for the second player; then `@7` when a roll awaits its tiles, `@1d` or `@2d` when
the dice are in the air (only where their number was chosen), and `@end` when the player is stuck.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from backroll.dice import die, total
from backroll.errors import NotationError
from backroll.game import COST, WIN, Chance, Choice, Game, Node, Swap, Terminal
from backroll.games.reading import quoted, whole_number
from backroll.spec import Range

NO_TARGET: Final = -1
READY, ONE_DIE, TWO_DICE, STUCK = 0, -1, -2, -3
_SUFFIX = {READY: "", ONE_DIE: "@1d", TWO_DICE: "@2d", STUCK: "@end"}
_DICE = {"1d": ONE_DIE, "2d": TWO_DICE}
_CHOOSE_DICE = Choice(("1d", "2d"))
_STUCK = Choice(("end",))
_ROLLS: dict[int, Chance] = {ONE_DIE: Chance(die(6)), TWO_DICE: Chance(total(2, 6))}
Flip: TypeAlias = tuple[int, ...]


class Box(NamedTuple):
    """The open tiles as bits, the score to beat, and the roll (or READY, ONE_DIE, …, STUCK)."""

    tiles: int
    target: int = NO_TARGET
    roll: int = READY


def bits(tiles: Flip) -> int:
    """A set of tiles as bits, tile 1 the lowest."""
    return sum(1 << (tile - 1) for tile in tiles)


@cache
def flips(roll: int) -> tuple[tuple[Flip, int], ...]:
    """Every set of tiles that adds up to a roll, few tiles first, with its bits.

    >>> [flip for flip, _ in flips(6)]
    [(6,), (1, 5), (2, 4), (1, 2, 3)]
    """
    # No roll needs five tiles: they make 15 or more.
    sets = (flip for size in range(1, 5) for flip in combinations(range(1, roll + 1), size))
    return tuple((flip, bits(flip)) for flip in sets if sum(flip) == roll)


class ShutTheBox(Game[Box]):
    """Flip down tiles that add up to the roll, until the box is shut or you are stuck."""

    name = "shutthebox"

    def __init__(
        self,
        tiles: Annotated[int, Range(1, 12)] = 9,
        one_die: Literal["never", "sum6"] = "never",
        aim: Literal["score", "shut", "win"] = "score",
    ) -> None:
        """Play with tiles 1 to `tiles`; `aim` is a low score, to shut, or to beat a rival."""
        self.tiles, self.one_die, self.aim = tiles, one_die, aim
        self.players = 2 if aim == "win" else 1
        self.quantity = COST if aim == "score" else WIN
        self._full = (1 << tiles) - 1
        self._sums = [sum(_tiles(box)) for box in range(self._full + 1)]
        self._few = 6 if one_die == "sum6" else 0
        self._choices: dict[tuple[int, int], Choice] = {}

    def start(self) -> Box:
        """Every tile open."""
        return Box(self._full)

    def node(self, position: Box) -> Node:
        """Choose the tiles to flip, or the dice to roll, or see what they show."""
        tiles, target, roll = position
        if roll > 0:
            return self._choice(tiles, roll)
        if self._over(position):
            return Terminal(self._worth(tiles, target))
        if roll == READY:
            return _ROLLS[TWO_DICE] if self._sums[tiles] > self._few else _CHOOSE_DICE
        return _ROLLS[roll]

    def play(self, position: Box, move: Any) -> Box | Swap[Box]:
        """Flip tiles, pick up dice, or see whether a roll can be used."""
        tiles, target, roll = position
        if roll > 0 and move != "end":
            left = tiles & ~bits(move)
            return Box(left, target) if left else self._ended(left, target, READY)
        if move in _DICE:
            return Box(tiles, target, _DICE[move])
        if move == "end" or self._choice(tiles, move) is _STUCK:
            return self._ended(tiles, target, STUCK)
        return Box(tiles, target, move)

    def _choice(self, tiles: int, roll: int) -> Choice:
        """The open tiles that add up to a roll."""
        known = self._choices.get((tiles, roll))
        if known is None:
            moves = [flip for flip, needs in flips(roll) if not needs & ~tiles]
            known = self._choices[tiles, roll] = Choice(moves) if moves else _STUCK
        return known

    def _ended(self, tiles: int, target: int, roll: int) -> Box | Swap[Box]:
        """Nothing more to do; after the first player the second opens every tile."""
        if self.aim == "win" and target == NO_TARGET:
            return Swap(Box(self._full, self._sums[tiles]))
        return Box(tiles, target, roll)

    def _over(self, position: Box) -> bool:
        tiles, target, roll = position
        return not tiles or roll == STUCK or self._sums[tiles] < target

    def _worth(self, tiles: int, target: int) -> float:
        """What the open tiles are worth at the end."""
        score = self._sums[tiles]
        if self.aim == "score":
            return score
        if self.aim == "shut":
            return int(not tiles)
        return 0.5 if score == target else int(score < target)

    def anchor(self, position: Box) -> bool:
        """A turn starts when nothing has been rolled or chosen."""
        return position.roll == READY and not self._over(position)

    def show(self, position: Box) -> str:
        """The open tiles, the score to beat and the roll: `1,2,9/12@7`."""
        tiles, target, roll = position
        text = ",".join(map(str, _tiles(tiles))) or "-"
        if target != NO_TARGET:
            text += f"/{target}"
        return text + (f"@{roll}" if roll > 0 else _SUFFIX[roll])

    def parse(self, text: str) -> Box:
        """The position that a text shows."""
        rest, at, roll = text.strip().partition("@")
        tiles, slash, target = rest.partition("/")
        if slash and self.aim != "win":
            raise NotationError(
                f"expected no score to beat with aim={self.aim}, found {quoted(text)}"
            )
        box = Box(
            self._read_tiles(tiles.strip()),
            self._read_target(target) if slash else NO_TARGET,
        )
        return self._rolled(box, roll.strip(), text) if at else self._ready(box, text)

    def _read_tiles(self, text: str) -> int:
        if text == "-":
            return 0
        tiles = [whole_number(tile, 1, self.tiles, "a tile") for tile in text.split(",")]
        if len(set(tiles)) < len(tiles):
            raise NotationError(f"expected each tile once, found {quoted(text)}")
        return bits(tuple(tiles))

    def _read_target(self, text: str) -> int:
        return whole_number(text, 0, self._sums[-1], "the score to beat")

    def _ready(self, box: Box, text: str) -> Box:
        if self.aim == "win" and not box.tiles and box.target == NO_TARGET:
            raise NotationError(
                f"expected the second player's tiles and 0 to beat, found {quoted(text)}"
            )
        return box

    def _rolled(self, box: Box, roll: str, text: str) -> Box:
        """The box with what the text says after `@`, if that can come up."""
        if self._over(box):
            raise NotationError(f"the play is over: expected no @, found {quoted(text)}")
        few = self._sums[box.tiles] <= self._few
        if roll == "end" and (self.aim != "win" or box.target != NO_TARGET):
            return box._replace(roll=STUCK)
        if roll in _DICE and few:
            return box._replace(roll=_DICE[roll])
        what = "the roll (or 1d, 2d)" if few else "the roll of two dice"
        return box._replace(roll=whole_number(roll, 1 if few else 2, 12, what))

    def show_move(self, move: Any) -> str:
        """The tiles to flip, `2+5`, or a word or a roll as it is."""
        return "+".join(map(str, move)) if isinstance(move, tuple) else str(move)


def _tiles(box: int) -> Flip:
    """The tiles of a box, low to high."""
    return tuple(tile for tile in range(1, box.bit_length() + 1) if box >> (tile - 1) & 1)
