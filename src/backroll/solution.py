"""What solving gives: values at anchors, and a report that says how they were made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, TypeAlias

from backroll.arrays import Floats
from backroll.game import Game, Position

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

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class Solution(Generic[Position]):
    """A solved game in memory: anchors, their values and, if asked for, proven bounds."""

    game: Game[Position]
    report: Report
    anchors: list[Position]
    values: Floats
    lower: Floats | None = None
    upper: Floats | None = None

    @property
    def value(self) -> float:
        """What the start is worth."""
        return self.report.value
