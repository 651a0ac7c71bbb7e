"""Can't Stop: roll four dice, pair them, climb the two columns; stop before the dice stop you.

With n-sided dice the columns are 2 to 2n, of length k, k+2, …, k+2(n-1), …, k+2, k.

1. A turn begins with a roll. After each move the player stops or rolls again.
2. The player splits the dice into two pairs. Both totals must be used if both can be; if only
   one of them can be used at a time, the player says which. A total twice climbs two squares,
   or one if no more is left. Three neutral markers a turn: a fourth column cannot be started.
3. A column topped in this turn takes no further move. It is won, and closed for good to both
   players, when the turn ends with a stop. `columns` won columns win the game.
4. Where a square holds the opponent's marker, `occupied` says what a neutral marker there does:
   `roll`: the player may not stop; `share`: nothing; `jump`: it goes on to the next square.
5. A roll that cannot be used loses the turn's progress.

With one player the aim is the least expected number of turns.
"""

from __future__ import annotations

from functools import cache, cached_property, lru_cache
from operator import eq
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from backroll.dice import multisets
from backroll.errors import SpecError
from backroll.game import ABSENT, COST, WIN, Chance, Choice, Game, Node, Swap, Terminal
from backroll.games.cantstop import notation
from backroll.games.cantstop.index import Index, index_of
from backroll.games.cantstop.notation import NEUTRALS
from backroll.spec import Range

Heights: TypeAlias = tuple[int, ...]
Dice: TypeAlias = tuple[int, ...]
Totals: TypeAlias = tuple[int, ...]
Markers: TypeAlias = tuple[tuple[int, int], ...]

STOP_OR_ROLL: Final = Choice(("stop", "roll"))
BUST: Final = Choice(("bust",))
_LOST: Final = Terminal(0)


class Position(NamedTuple):
    """Both players' heights, and what is on the table in this turn.

    A column is its place from the left, 0 for total 2. A neutral marker is (column, height).
    """

    mine: Heights
    theirs: Heights
    neutral: Markers = ()
    dice: Dice = ()
    rolling: bool = False


@cache
def splits(dice: Dice) -> tuple[tuple[int, int], ...]:
    """The distinct ways to pair four dice, as two totals, the lower one first.

    >>> splits((1, 1, 2, 3))
    ((2, 5), (3, 4))
    """
    a, b, c, d = dice
    pairs = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return tuple(dict.fromkeys((min(pair), max(pair)) for pair in pairs))


class CantStop(Game[Position]):
    """Roll four dice, pair them, climb two columns; stop before the dice stop you."""

    name = "cantstop"

    def __init__(
        self,
        sides: Annotated[int, Range(2, 6)] = 6,
        shortest: Annotated[int, Range(1, 7)] = 3,
        players: Literal[1, 2] = 2,
        occupied: Literal["roll", "share", "jump"] = "roll",
        columns: Annotated[int, Range(1, 5)] = 3,
    ) -> None:
        """Play with dice of `sides`, columns from `shortest` squares, to `columns` won columns."""
        if columns > 2 * sides - 1:
            raise SpecError(
                f"cantstop: expected at most {2 * sides - 1} columns to win "
                f"with sides={sides}, found columns={columns}"
            )
        if players == 1 and occupied != "roll":
            raise SpecError(f"cantstop: one player meets nobody, so leave out occupied={occupied}")
        self.sides, self.shortest, self.players = sides, shortest, players
        self.occupied, self.columns = occupied, columns
        self.quantity = WIN if players == 2 else COST
        middle = sides - 1
        self.lengths = tuple(
            shortest + 2 * (middle - abs(column - middle)) for column in range(2 * sides - 1)
        )
        rolls = multisets(4, sides)
        self._first_roll = Chance(rolls, adds=0 if players == 2 else 1)
        self._roll = Chance(rolls)
        self._end = Terminal(1 if players == 2 else 0)

    def start(self) -> Position:
        """Every column empty."""
        nothing = (0,) * len(self.lengths)
        return Position(nothing, nothing)

    def node(self, position: Position) -> Node:
        """Roll, split the dice, or stop or roll on."""
        mine, theirs, neutral, dice, rolling = position
        if dice:
            return self._choice(position, dice)
        if neutral:
            return STOP_OR_ROLL if not rolling and self.may_stop(position) else self._roll
        if self.won(mine) >= self.columns:
            return self._end
        return self._first_roll if self.won(theirs) < self.columns else _LOST

    def play(self, position: Position, move: Any) -> Position | Swap[Position]:
        """Climb, stop, pick up the dice, or see what they show."""
        mine, theirs, neutral, dice, _ = position
        if dice:
            if move == "bust":
                return self._pass(mine, theirs)
            return Position(mine, theirs, self._climbed(position, move), (), False)
        if move == "roll":
            return Position(mine, theirs, neutral, (), True)
        if move == "stop":
            return self._stopped(position)
        if self._choice(position, move) is BUST:
            return self._pass(mine, theirs)
        return Position(mine, theirs, neutral, move, False)

    def _choice(self, position: Position, dice: Dice) -> Choice:
        """The ways to use some dice."""
        room = _room(self.lengths, self.occupied, *position[:3])
        return _ways(dice, *room)

    def _climbed(self, position: Position, move: Totals) -> Markers:
        """The neutral markers after a move."""
        heights = dict(position.neutral)
        for total in move:
            column = total - 2
            height = heights.get(column, position.mine[column])
            heights[column] = _above(height, position.theirs[column], self.occupied)
        return tuple(sorted(heights.items()))

    def may_stop(self, position: Position) -> bool:
        """Whether no neutral marker is where the opponent's marker keeps it from staying."""
        theirs = position.theirs
        return self.occupied != "roll" or all(
            theirs[column] != height for column, height in position.neutral
        )

    def _stopped(self, position: Position) -> Position | Swap[Position]:
        """The neutral markers stay for good; who has won enough columns does not pass the dice."""
        mine, theirs = list(position.mine), list(position.theirs)
        for column, height in position.neutral:
            mine[column] = height
            if height == self.lengths[column]:
                theirs[column] = 0
        heights, others = tuple(mine), tuple(theirs)
        if self.won(heights) >= self.columns:
            return Position(heights, others)
        return self._pass(heights, others)

    def _pass(self, mine: Heights, theirs: Heights) -> Position | Swap[Position]:
        if self.players == 1:
            return Position(mine, theirs)
        return Swap(Position(theirs, mine))

    def won(self, heights: Heights) -> int:
        """How many columns a player has won."""
        return _won(heights, self.lengths)

    def anchor(self, position: Position) -> bool:
        """A turn starts with nothing on the table."""
        mine, theirs, neutral, dice, _ = position
        return not neutral and not dice and max(self.won(mine), self.won(theirs)) < self.columns

    def symmetry(self, position: Position) -> Position:
        """At an anchor: the smaller mirror image, and of closed columns only how many each won."""
        mine, theirs, neutral, dice, _ = position
        if neutral or dice:
            return position
        return _representative(self.lengths, self.columns, mine, theirs)

    @cached_property
    def _index(self) -> Index:
        return index_of(self)

    def anchor_count(self) -> int:
        """How many anchors the index has room for, the mirror images of some among them."""
        return len(self._index)

    def anchor_row(self, position: Position) -> int:
        """The row of an anchor."""
        mine, theirs, neutral, dice, _ = position
        return ABSENT if neutral or dice else self._index.row(mine, theirs)

    def anchor_at(self, row: int) -> Position:
        """The anchor at a row; of the closed columns the leftmost are the mover's."""
        return Position(*self._index.heights(row))

    def show(self, position: Position) -> str:
        """`mover/opponent/neutral@dice`, heights from the lowest column to the highest."""
        return notation.show(self, position)

    def parse(self, text: str) -> Position:
        """The position that a text shows."""
        return notation.parse(self, text)

    def show_move(self, move: Any) -> str:
        """The totals used, `3+4` or `3`; dice as `1,1,2,3`; a word as it is."""
        return notation.show_move(move)


def _won(heights: Heights, lengths: Heights) -> int:
    return sum(map(eq, heights, lengths))


def _above(height: int, opponent: int, occupied: str) -> int:
    """The square to which a marker climbs from a height."""
    height += 1
    return height + 1 if occupied == "jump" and height == opponent else height


@lru_cache(maxsize=1 << 12)
def _room(
    lengths: Heights, occupied: str, mine: Heights, theirs: Heights, neutral: Markers
) -> tuple[Heights, tuple[int, ...]]:
    """How often each column can still be climbed, at most twice; and the columns marked."""
    heights = dict(neutral)
    room = []
    for column, length in enumerate(lengths):
        won = length in (mine[column], theirs[column])
        height = length if won else heights.get(column, mine[column])
        once = _above(height, theirs[column], occupied)
        room.append((height < length) + (once < length))
    return tuple(room), tuple(heights)


@lru_cache(maxsize=1 << 18)
def _ways(dice: Dice, room: Heights, marked: tuple[int, ...]) -> Choice:
    """The ways to use some dice: of each split both totals, or whichever can be used."""
    free = NEUTRALS - len(marked)
    moves: list[Totals] = []
    for low, high in splits(dice):
        usable = [t for t in (low, high) if room[t - 2] and (free or t - 2 in marked)]
        fresh = {t for t in usable if t - 2 not in marked}
        if len(fresh) > free:
            moves += [(low,), (high,)]
        elif usable:
            moves.append(tuple(usable[: room[low - 2]] if low == high else usable))
    return Choice(tuple(dict.fromkeys(moves))) if moves else BUST


@lru_cache(maxsize=1 << 18)
def _representative(lengths: Heights, columns: int, mine: Heights, theirs: Heights) -> Position:
    """The anchor that stands for its mirror image and for every sharing of closed columns."""
    if _won(mine, lengths) >= columns:
        nothing = (0,) * len(lengths)
        return Position(lengths[:columns] + nothing[columns:], nothing)
    images = ((mine, theirs), (mine[::-1], theirs[::-1]))
    return Position(*min(_shared_out(lengths, *image) for image in images))


def _shared_out(lengths: Heights, mine: Heights, theirs: Heights) -> tuple[Heights, Heights]:
    """The leftmost closed columns given to the mover, as many as were won, the rest not."""
    mover, opponent = list(mine), list(theirs)
    left = _won(mine, lengths)
    for column, length in enumerate(lengths):
        if length in (mine[column], theirs[column]):
            mover[column], opponent[column] = (length, 0) if left > 0 else (0, length)
            left -= 1
    return tuple(mover), tuple(opponent)
