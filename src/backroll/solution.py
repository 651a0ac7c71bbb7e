"""What solving gives: values at anchors, and a report that says how they were made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from types import TracebackType
from typing import Any, Generic, Protocol, TypeAlias, overload

import numpy as np

from backroll.arrays import Floats, Words
from backroll.errors import BackrollError
from backroll.game import Game, Position
from backroll.outcomes import Packed, worth

Progress: TypeAlias = Callable[[str, int, int | None], None]
"""Called as progress(stage, done, total); total is None while it is unknown."""


def silent(stage: str, done: int, total: int | None) -> None:
    """Show no progress."""


@dataclass(frozen=True, slots=True)
class Report:
    """How a game was solved, and how far the answer can be trusted."""

    spec: str
    quantity: str
    method: str
    value: float
    """What the start is worth to whoever is player 1."""
    bound: float
    """A proven bound on the error of `value`; infinite where nothing was proven."""
    residual: float
    """The largest difference between a position's value and what its children say."""
    positions: int
    edges: int
    anchors: int
    """Positions that the table keeps."""
    components: int
    """Components of the graph that hold an anchor."""
    cyclic: int
    """Components with a cycle, each solved as a system of equations."""
    iterations: int
    """Sweeps over cyclic components, added up."""
    methods: dict[str, int] = field(default_factory=dict)
    """How many components each algorithm solved."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Time by stage: explore, order, solve, prove."""
    engine: str = "general"
    rolls: int = 0
    """Roll positions evaluated, all iterations together; the general engine does not count them."""
    counts: dict[str, int] = field(default_factory=dict)
    """Of games without chance: outcomes, the height, expansions and moves made either way."""

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        return asdict(self)


class Rows(Sequence[Position]):
    """The anchors of a game that finds them by arithmetic: a list that is nowhere written out."""

    def __init__(self, game: Game[Position]) -> None:
        self.game = game
        self._length = game.anchor_count()

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, row: int) -> Position: ...

    @overload
    def __getitem__(self, row: slice) -> list[Position]: ...

    def __getitem__(self, row: int | slice) -> Position | list[Position]:
        if isinstance(row, slice):
            return [self.game.anchor_at(each) for each in range(self._length)[row]]
        return self.game.anchor_at(range(self._length)[row])


class Unsaved(Protocol):
    """What an engine keeps of a solution until it is saved, and says where if that fails."""

    def __enter__(self) -> Any:
        """Begin to save."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Come to an end with it."""
        ...

    def discard(self) -> None:
        """Remove it: the solution is saved."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Solution(Generic[Position]):
    """A solved game in memory: anchors, their values and, if asked for, proven bounds."""

    game: Game[Position]
    report: Report
    anchors: Sequence[Position]
    values: Floats
    lower: Floats | None = None
    upper: Floats | None = None
    checkpoint: Unsaved | None = None

    @property
    def value(self) -> float:
        """What the start is worth."""
        return self.report.value


class Endgame(Solution[Position]):
    """A solved game without chance: for each anchor a word, as the game writes values.

    A word is 4 * distance + outcome (`backroll.outcomes`); 0 says that play goes on for ever,
    which is a draw. It may be kept packed: outcomes in two bits, or wins by who is to move in one.
    """

    __slots__ = ("kept",)
    kept: Words | Packed

    def __init__(
        self,
        game: Game[Position],
        report: Report,
        anchors: Sequence[Position],
        kept: Words | Packed,
        checkpoint: Unsaved | None = None,
    ) -> None:
        given = {"game": game, "report": report, "anchors": anchors, "kept": kept}
        none = {"lower": None, "upper": None}
        for name, each in {**given, **none, "checkpoint": checkpoint}.items():
            object.__setattr__(self, name, each)

    @property
    def words(self) -> Words:
        """The words of the anchors: 2 bytes each."""
        if not isinstance(self.kept, Packed):
            return self.kept
        if self.kept.bits == 1:
            raise BackrollError(
                f"{self.report.spec}: expected outcomes, found wins alone; "
                "Database.of(solution) tells the others by their moves"
            )
        return self.kept.take(np.arange(len(self.kept))).astype(np.uint16)

    @property
    def values(self) -> Floats:
        """What the anchors are worth: 8 bytes each."""
        worths = np.array([worth(word, self.game.total) for word in range(4)])
        found: Floats = worths[self.words & 3]
        return found
