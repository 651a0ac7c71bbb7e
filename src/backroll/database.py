"""A database: position -> value, moves best first, from a solution or from a table on disk.

Only anchors are kept. An end of the game is answered by the rules, and a position inside a turn
by recomputing that turn from the anchors around it.

Values are as the game writes them: the mover's in a relative game, player 1's in an absolute
one. `moves` and `probe` turn them to the player who is to choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self

import numpy as np
from numpy.typing import NDArray

from backroll import turn
from backroll.arrays import Floats, Longs
from backroll.belonging import check_game, report_of
from backroll.contract import ContractError, misread
from backroll.errors import BackrollError, GameError, MissingPosition, TableError, WrongTable
from backroll.game import Game, Position
from backroll.index import Index, RowIndex, TextIndex, encode, index_of
from backroll.manifest import About
from backroll.outcomes import Numbers, Outcomes, Packed
from backroll.solution import Endgame, Report, Rows, Solution
from backroll.spec import fingerprint, load
from backroll.table import BITS, ROWS, WORDS, Table, write
from backroll.turn import MoveValue
from backroll.wins import Wins

__all__ = ["Database", "MoveValue", "open_table", "refuse_misread", "save"]

READ_BACK = 1000
"""Of how many anchors, at most, the texts are read back before a table is written."""


class Database(Generic[Position]):
    """A solved game that can be asked about any of its positions; a context manager."""

    def __init__(
        self,
        game: Game[Position],
        index: Index,
        values: Numbers,
        report: Report,
        bounds: tuple[Numbers, Numbers] | None = None,
        table: Table | None = None,
    ) -> None:
        self.game = game
        self.report = report
        self.table = table
        self._index = index
        self._values = values
        self._bounds = bounds
        self._closed = False

    @classmethod
    def of(cls, solution: Solution[Position]) -> Database[Position]:
        """A solution in memory as a database."""
        index = index_of(solution.game, solution.anchors)
        if isinstance(solution, Endgame):
            outcomes = _outcomes(solution.kept, solution.game, index, solution.report)
            return cls(solution.game, index, outcomes, solution.report)
        bounds = None
        if solution.lower is not None and solution.upper is not None:
            bounds = (solution.lower, solution.upper)
        return cls(solution.game, index, solution.values, solution.report, bounds)

    @property
    def spec(self) -> str:
        """The spec of the game."""
        return self.report.spec

    @property
    def index(self) -> Index:
        """The anchors and their rows."""
        self._require_open()
        return self._index

    def __len__(self) -> int:
        return len(self.index)

    def value(self, position: Position) -> float:
        """What a position is worth, as the game writes values."""
        with self._asking(position):
            row = self.index.find(position)
            return self._values.item(row) if row >= 0 else self._inside(position)

    def get(self, position: Position, default: float | None = None) -> float | None:
        """What a position is worth, or `default` if the database cannot tell."""
        try:
            return self.value(position)
        except MissingPosition:
            return default

    def values(self, positions: Iterable[Position]) -> Floats:
        """What many positions are worth: the fast form."""
        wanted = list(positions)
        try:
            rows = self.index.find_many(wanted)
        except (BackrollError, MemoryError):
            raise
        except Exception:  # one of them is no position of the game: say which
            rows = np.full(len(wanted), -1)
        kept = rows >= 0
        values = np.empty(rows.size, np.float64)
        values[kept] = self._values.take(rows[kept])
        for place in np.flatnonzero(~kept).tolist():
            values[place] = self.value(wanted[place])
        return values

    def at(self, rows: Longs) -> Floats:
        """What the anchors at some rows are worth."""
        self._require_open()
        return self._values.take(rows).astype(np.float64)

    def bounds(self, position: Position) -> tuple[float, float] | None:
        """The proven lower and upper value of an anchor, or None if they were not asked for."""
        with self._asking(position):
            row = self.index.find(position)
            if row < 0:
                raise MissingPosition(
                    f"{self.spec}: expected an anchor, found {self.game.show(position)}"
                )
            if self._bounds is None:
                return None
            return self._bounds[0].item(row), self._bounds[1].item(row)

    def moves(self, position: Position) -> list[MoveValue[Position]]:
        """Every legal move, best first; values and losses are the mover's.

        Where distances are known, the shorter way to win and the longer way to lose are better.
        """
        with self._asking(position):
            return self._best(position)

    def distance(self, position: Position) -> int | None:
        """How many moves it is to the end with best play, where that is known; or None.

        It is known in games without chance, for what is won or lost.
        """
        with self._asking(position):
            return self._distance(position)

    def probe(self, position: Position) -> dict[str, Any]:
        """What there is to say of a position, as plain data."""
        game = self.game
        value = self.value(position)
        with self._asking(position):
            node = game.node(position)
            kind = type(node).__name__.lower()
            mine = kind == "choice" or self._relative
            return {
                "position": _text(game.show(position)),
                "value": turn.seen_by(game, node, value),
                "view": "mover" if mine else "player 1",
                "kind": kind,
                "moves": [
                    {
                        "move": _text(game.show_move(each.move)),
                        "position": _text(game.show(each.position)),
                        "value": each.value,
                        "loss": each.loss,
                        **self._outcome(each.position),
                    }
                    for each in self._best(position)
                ],
                **self._outcome(position),
            }

    def recompute(self, position: Position) -> float:
        """What a position is worth by its turn, not by its own row."""
        with self._asking(position):
            return self._inside(position)

    def recompute_distance(self, position: Position) -> int | None:
        """How far it is to the end by the moves, not by the position's own row."""
        with self._asking(position):
            best = self._best(position)
            if not best:
                return self._distance(position)
            after = self._distance(best[0].position)
            return None if after is None else after + 1

    def texts(self) -> Iterator[str]:
        """The text of each anchor, in the order of the rows."""
        return self.index.texts()

    def columns(self) -> dict[str, NDArray[Any]]:
        """The values of all anchors; the bounds, if they were asked for; words, if it has some."""
        rows = np.arange(len(self))
        named = {"value": self._values}
        if self._bounds is not None:
            named |= {"lower": self._bounds[0], "upper": self._bounds[1]}
        columns = {name: each.take(rows).astype(np.float64) for name, each in named.items()}
        if isinstance(self._values, Outcomes | Wins):
            columns["word"] = self._values.words.take(rows)
        return columns

    def close(self) -> None:
        """Let go of the table; any later use is a TableError."""
        self._closed = True
        if self.table is not None:
            self.table.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @cached_property
    def _relative(self) -> bool:
        return turn.relative(self.game)

    def _known(self, position: Position) -> float | None:
        row = self.index.find(position)
        return self._values.item(row) if row >= 0 else None

    def _inside(self, position: Position, worth: dict[Position, float] | None = None) -> float:
        return turn.evaluate(self.game, position, self._known, worth=worth)

    def _sharing(self) -> Callable[[Position], float]:
        """What positions are worth, for children that share a turn."""
        worth: dict[Position, float] = {}

        def value_of(position: Position) -> float:
            value = worth.get(position)
            value = self._known(position) if value is None else value
            return self._inside(position, worth) if value is None else value

        return value_of

    def _best(self, position: Position) -> list[MoveValue[Position]]:
        moves = turn.best(self.game, position, self._sharing())
        if not self.distances:
            return moves

        return sorted(moves, key=lambda each: self._wished(each, self._distance(each.position)))

    def _wished(self, each: MoveValue[Position], far: int | None) -> tuple[float, int]:
        """The best move has the least of these."""
        return -each.value, (far or 0) * (1 if each.value > self.game.total / 2 else -1)

    @property
    def distances(self) -> bool:
        """Whether it is known how far positions are from the end."""
        return isinstance(self._values, Outcomes) and self._values.distances

    @property
    def outcomes_alone(self) -> bool:
        """Whether it is known who wins and not how: such outcomes can agree and yet be wrong."""
        return isinstance(self._values, (Outcomes, Wins)) and not self.distances

    def _distance(self, position: Position) -> int | None:
        """By its row; of an end without one, or what no game from the start has, by the moves."""
        if not isinstance(self._values, Outcomes) or not self.distances:
            return None
        found: dict[Position, int | None] = {}
        values, waiting = self._sharing(), [position]
        while waiting:  # what has no row has a value, so that no way of asking on goes round
            at = waiting[-1]
            row = self.index.find(at)
            if row >= 0:
                found[waiting.pop()] = self._values.distance(row)
                continue
            moves = turn.best(self.game, at, values)
            asked = [each.position for each in moves if each.position not in found]
            if asked:
                waiting += asked
            elif moves:
                far = [(self._wished(each, found[each.position]), each.position) for each in moves]
                after = found[min(far, key=lambda each: each[0])[1]]
                found[waiting.pop()] = None if after is None else after + 1
            else:  # an end: what is drawn has no distance
                found[waiting.pop()] = 0 if values(at) != self.game.total / 2 else None
        return found[position]

    def _outcome(self, position: Position) -> dict[str, Any]:
        """The distance, for games that have some."""
        return {"distance": self._distance(position)} if self.distances else {}

    def _require_open(self) -> None:
        if self._closed:
            raise TableError(f"the database of {self.spec} is closed")

    @contextmanager
    def _asking(self, position: Position) -> Iterator[None]:
        """The rules hold for every position that can be reached, so where they fail is another."""
        self._require_open()
        try:
            yield
        except (BackrollError, MemoryError):
            raise
        except Exception as error:
            raise MissingPosition(
                f"expected a position of {self.spec}, found {position!r} "
                f"({type(error).__name__}: {error})"
            ) from error


def _text(shown: Any) -> str:
    """What the game calls a text, if it is one."""
    if isinstance(shown, str):
        return shown
    raise GameError(f"expected a text of show() and show_move(), found {shown!r}")


def open_table(path: str | Path, game: Game[Any] | None = None) -> Database[Any]:
    """Open a table; its game is loaded by the spec it was made with, or given."""
    table = Table(path)
    try:
        return _over(table, load(table.manifest.spec) if game is None else game)
    except BaseException:
        table.close()
        raise


def _over(table: Table, game: Game[Any]) -> Database[Any]:
    manifest = table.manifest
    check_game(table.path, manifest, game)
    index: Index = TextIndex(game, manifest.length, table.texts)
    if manifest.index == ROWS:
        index = RowIndex(game)
        if len(index) != manifest.length:
            raise WrongTable(
                f"{table.path}: expected {len(index):,} anchors of {manifest.spec}, "
                f"found {manifest.length:,}; the rules have changed since the table was made"
            )
    bounds = None
    if table.lower is not None and table.upper is not None:
        bounds = (table.lower, table.upper)
    report = report_of(table.path, manifest)
    values: Numbers = table.values
    if manifest.dtype in BITS:
        values = Packed(values, BITS[manifest.dtype], manifest.length)
    if manifest.dtype in WORDS:
        values = _outcomes(values, game, index, report)
    return Database(game, index, values, report, bounds, table)


def _outcomes(words: Numbers, game: Game[Any], index: Index, report: Report) -> Numbers:
    if isinstance(words, Packed) and words.bits == 1:
        return Wins(words, game, index)
    return Outcomes(words, game.total, distances="distance" in report.counts)


def refuse_misread(game: Game[Position], positions: Iterable[Position]) -> None:
    """Raise if `parse` does not read back what `show` writes: a table is asked by text."""
    finding = misread(game, positions)
    if finding is not None:
        raise ContractError(finding)


def save(solution: Solution[Any], path: str | Path, dtype: str = "float64") -> None:
    """Keep a solution as a table, in place of an older one if there is one.

    Words are kept as they are, whatever `dtype` says.
    """
    game, report = solution.game, solution.report
    refuse_misread(game, solution.anchors[:: len(solution.anchors) // READ_BACK + 1])
    about = About(
        spec=report.spec,
        rules=fingerprint(game),
        quantity=game.quantity,
        players=game.players,
        total=float(game.total),
        report=report.as_dict(),
    )
    anchors = solution.anchors
    texts = None if isinstance(anchors, Rows) else encode(map(game.show, anchors))
    if isinstance(solution, Endgame):
        if "lost" not in report.counts and not isinstance(solution.kept, Packed):
            raise TableError(f"{report.spec}: expected every outcome to keep, found wins only")
        write(path, about, texts, solution.kept)
        return
    bounds = None
    if solution.lower is not None and solution.upper is not None:
        bounds = (solution.lower, solution.upper)
    write(path, about, texts, solution.values, bounds, dtype)
