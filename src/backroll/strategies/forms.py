"""Weights in more general forms than the genomes have, as a vector of numbers and as a file.

Glenn and Aloï name them and leave them to others. Columns at the same distance from the middle
share their weights, the outermost first, and so do mirror images of three columns. With h the
coloured marker, m where the climb begins, n where it ends, and l the length of the column, a form
says what a climb adds to a move and what having climbed to n adds to progress:

    form      a move                         progress
    columns   M (n - m)                      P (n - h + 1)         + T if n = l
    squares   sum of M[j], m < j <= n        B + sum of P[j], h < j <= n
    markers   M[h] (n - m)   + U if n = l    B[h] + P[h] (n - h)   + T if n = l

T is one number for all columns in the first form, and one a column in the third. The difficulty
of three columns is made up of `classes` (evens, odds, highs, lows), or is a number of its own for
each of the `triples`; it counts `caution` times in moves. The first form with T = 0 and a caution
of 1 is that of the Constant Weights Genome, without its whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from backroll.arrays import Floats
from backroll.errors import StrategyError
from backroll.games.cantstop.rules import CantStop
from backroll.parameters import Numbers
from backroll.played import Habits
from backroll.programs.habits import blank, by_set, read, threes
from backroll.strategies.habits import Habitual
from backroll.strategies.rules import difficulties
from backroll.strategies.weights import Constant, spread

Kind: TypeAlias = Literal["columns", "squares", "markers"]
Difficulty: TypeAlias = Literal["classes", "triples"]
Nested: TypeAlias = float | list[float] | list[list[float]]


class Form(NamedTuple):
    """Which weights there are."""

    kind: Kind = "columns"
    difficulty: Difficulty = "classes"


FORMS = tuple(Form(k, d) for k in get_args(Kind) for d in get_args(Difficulty))


class Block(NamedTuple):
    """Weights under one name: one, one a column, or a row for each column."""

    name: str
    rows: tuple[int, ...]
    depth: Literal[0, 1, 2]

    @property
    def size(self) -> int:
        """How many weights it has."""
        return sum(self.rows)

    def nested(self, flat: Floats) -> Nested:
        """The weights as a file has them."""
        if self.depth == 2:
            return [row.tolist() for row in np.split(flat, np.cumsum(self.rows)[:-1])]
        found: list[float] = flat.tolist()
        return found if self.depth else found[0]

    def square(self, flat: Floats) -> Floats:
        """Rows of equal length, the last number of each repeated."""
        rows = np.split(flat, np.cumsum(self.rows)[:-1])
        return np.array([np.pad(row, (0, max(self.rows) - row.size), "edge") for row in rows])


Blocks: TypeAlias = dict[str, tuple[Block, Floats]]
"""Weights by name."""

_NAMES: dict[str, dict[str, Literal[0, 1, 2]]] = {
    "columns": {"progress": 1, "move": 1, "top": 0},
    "squares": {"base": 1, "progress": 2, "move": 2},
    "markers": {"base": 2, "progress": 2, "move": 2, "top": 1, "reach": 1},
}


def blocks(game: CantStop, form: Form) -> list[Block]:
    """The weights of a form on a board, in the order of the vector."""
    lengths = game.lengths[: game.sides]
    rows = ((1,), (game.sides,), lengths)
    found = [Block(name, rows[depth], depth) for name, depth in _NAMES[form.kind].items()]
    if form.difficulty == "triples":
        found.append(Block("triples", (len(_classes(game)),), 1))
    else:
        found += [Block(name, (1,), 0) for name in ("evens", "odds", "highs", "lows")]
    return [*found, *(Block(name, (1,), 0) for name in ("caution", "marker", "threshold"))]


def _classes(game: CantStop) -> list[tuple[int, ...]]:
    """Three columns, of mirror images the first."""
    return [each for each in threes(game) if each <= _mirror(game, each)]


def _mirror(game: CantStop, columns: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(len(game.lengths) - 1 - c for c in columns))


@dataclass(frozen=True, slots=True)
class Weights(Habitual):
    """A form and its weights, for one board."""

    sides: int
    shortest: int
    form: Form
    vector: Numbers

    def habits(self, game: CantStop) -> Habits:
        """The strategy as arrays."""
        if (game.sides, game.shortest) != (self.sides, self.shortest):
            raise StrategyError(
                f"weighted: expected sides={self.sides} and shortest={self.shortest}, "
                f"found sides={game.sides} and shortest={game.shortest}"
            )
        values = self.blocks(game)
        one = {name: float(flat[0]) for name, (_, flat) in values.items()}
        difficulty = _difficulty(game, values, one)
        return read(blank(game), "shuffled")._replace(
            climb=_climb(game, self.form, values),
            progress=_progress(game, self.form, values),
            hazard=one["caution"] * difficulty,
            limit=one["threshold"] - difficulty,
            marker=one["marker"],
        )

    def blocks(self, game: CantStop) -> Blocks:
        """The weights by name."""
        found = blocks(game, self.form)
        if len(self.vector) != sum(block.size for block in found):
            raise StrategyError(
                f"weighted: expected {sum(block.size for block in found)} weights of the form "
                f"{'/'.join(self.form)}, found {len(self.vector)}"
            )
        ends = np.cumsum([block.size for block in found])[:-1]
        flat = np.split(np.array(self.vector, float), ends)
        return {block.name: (block, each) for block, each in zip(found, flat, strict=True)}


def from_vector(game: CantStop, form: Form, vector: Floats) -> Weights:
    """The strategy whose weights are a vector, which `Weights.vector` gives again."""
    return Weights(game.sides, game.shortest, form, tuple(map(float, vector)))


def started(game: CantStop, form: Form, constant: Constant, top: float = 0.0) -> Weights:
    """Constant weights written in a form; topping a column adds `top` to progress."""
    half = slice(game.sides)
    lengths = np.array(game.lengths[half])
    progress = spread(game, "constant: progress", constant.progress)[half]
    move = spread(game, "constant: move", constant.move)[half]
    squares = np.repeat(progress, lengths)
    if form.kind == "squares":
        squares[np.cumsum(lengths) - 1] += top
    columns = form.kind == "columns"
    values: dict[str, Floats | float] = {
        "base": squares if form.kind == "markers" else progress,
        "progress": progress if columns else squares,
        "move": move if columns else np.repeat(move, lengths),
        "top": top if columns else np.full(game.sides, top),
        "reach": np.zeros(game.sides),
        "caution": float(constant.wary),
        "triples": _triples(game, constant),
    }
    for name in ("evens", "odds", "highs", "lows", "marker", "threshold"):
        values[name] = getattr(constant, name)
    flat = [np.atleast_1d(values[block.name]) for block in blocks(game, form)]
    return from_vector(game, form, np.concatenate(flat))


def _triples(game: CantStop, constant: Constant) -> Floats:
    """The difficulty of each three columns, by classes; mirrored, high is low."""
    by_bits = difficulties(
        game, odds=constant.odds, evens=constant.evens, highs=constant.highs, lows=constant.lows
    )
    return np.array([by_bits[sum(1 << c for c in columns)] for columns in _classes(game)])


def _difficulty(game: CantStop, values: Blocks, one: dict[str, float]) -> Floats:
    if "triples" not in values:
        return difficulties(
            game, odds=one["odds"], evens=one["evens"], highs=one["highs"], lows=one["lows"]
        )
    found = dict(zip(_classes(game), values["triples"][1].tolist(), strict=True))
    return by_set(game, {c: found[min(c, _mirror(game, c))] for c in threes(game)})


def _spread(game: CantStop, values: tuple[Block, Floats]) -> Floats:
    """Weights of half the board for all of it: by column, or by column and place in its row."""
    block, flat = values
    half = block.square(flat) if block.depth == 2 else np.broadcast_to(flat, (game.sides,))
    return np.concatenate((half, half[-2::-1]))


def _climb(game: CantStop, form: Form, values: Blocks) -> Floats:
    """What climbs add to a move, by column, coloured marker, beginning, and squares less one."""
    squares = max(game.lengths) + 1
    move = _spread(game, values["move"])
    ends = np.minimum(np.arange(squares)[:, None] + [1, 2], squares - 1)  # by m and squares
    climbed = ends - np.arange(squares)[:, None]
    shape = (len(move), squares, *climbed.shape)
    if form.kind == "columns":
        return np.broadcast_to(move[:, None, None, None] * climbed, shape).copy()
    if form.kind == "squares":
        sums = _sums(move)
        return np.repeat((sums[:, ends] - sums[:, :, None])[:, None], squares, 1)
    length = np.array(game.lengths)[:, None, None]
    tops = _spread(game, values["reach"])[:, None, None] * (ends == length)
    found: Floats = _padded(move)[:, :, None, None] * climbed + tops[:, None]
    return found


def _progress(game: CantStop, form: Form, values: Blocks) -> Floats:
    """What having climbed adds to progress, by column, coloured marker and neutral marker."""
    heights = np.arange(max(game.lengths) + 1)
    climbed = np.maximum(heights[None, :] - heights[:, None], 0)
    progress = _spread(game, values["progress"])
    found: Floats
    if form.kind == "squares":
        sums = _sums(progress)
        found = _spread(game, values["base"])[:, None, None] + sums[:, None, :] - sums[:, :, None]
        return found
    topped = heights == np.array(game.lengths)[:, None]
    tops = (_spread(game, values["top"])[:, None] * topped)[:, None, :]
    if form.kind == "columns":
        found = progress[:, None, None] * (climbed + 1) + tops
        return found
    base, by_height = _padded(_spread(game, values["base"])), _padded(progress)
    found = base[:, :, None] + by_height[:, :, None] * climbed + tops
    return found


def _sums(weights: Floats) -> Floats:
    """What the squares up to each height weigh, 0 at first."""
    return np.pad(np.cumsum(weights, 1), ((0, 0), (1, 0)))


def _padded(weights: Floats) -> Floats:
    """Weights by height with a last one, where nobody climbs."""
    return np.pad(weights, ((0, 0), (0, 1)), "edge")
