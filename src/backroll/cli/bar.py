"""The progress bar: one line a stage, with its rate and the time left."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text


class _Rate(ProgressColumn):
    """How much was done, and how fast."""

    def render(self, task: Task) -> Text:
        """Draw the column."""
        speed = task.finished_speed or task.speed
        done = f"{int(task.completed):>13,}"
        return Text(f"{done}  {speed:,.0f}/s" if speed else done)


class Bar:
    """Draws a stage when it is first heard of and moves on when the next one is."""

    def __init__(self) -> None:
        self._progress = Progress(
            TextColumn("{task.description:<8}"),
            BarColumn(bar_width=30),
            _Rate(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._stages: dict[str, TaskID] = {}

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def say(self, line: str) -> None:
        """Print a line above the bar."""
        self._progress.console.print(Text(line))

    def show(self, stage: str, done: int, total: int | None) -> None:
        """Draw how far a stage has come; a total that is not known moves to and fro."""
        if stage not in self._stages:
            self._stages[stage] = self._progress.add_task(stage, total=total)
        self._progress.update(self._stages[stage], completed=done, total=total)
