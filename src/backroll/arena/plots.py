"""Pictures of simulations and tournaments, drawn by matplotlib (the extra `plots`)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from backroll.arena.simulation import Simulation
from backroll.arena.tournaments import Tournament
from backroll.errors import PlotError

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMS = (".png", ".svg", ".pdf")
REST = 0.001
"""Of all games, those on the longest turns, which are left out of a picture."""


def plot_turns(simulations: Sequence[Simulation], path: Path) -> None:
    """Draw how many of the games took so many turns."""
    with canvas(path, 7, 4) as axes:
        for each in simulations:
            counts = sorted(each.turns.items())
            turns = [n for n, _ in counts]
            shares = np.array([count for _, count in counts]) / max(each.ended, 1)
            shown = np.cumsum(shares) <= 1 - REST
            shown[:1] = True
            label = f"{' – '.join(each.strategies)}: {each.mean:.3f}"
            axes.plot(np.array(turns)[shown], shares[shown], ".-", label=label)
        axes.set(xlabel="turns", ylabel="share of games", title=simulations[0].spec)
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)


def plot_tournament(found: Tournament, path: Path) -> None:
    """Draw the share that each wins as first against each as second; alone, means and intervals."""
    order = [each.place for each in found.standings()]
    names = [found.strategies[i] for i in order]
    if not found.scores:
        _plot_means(found, order, names, path)
        return
    shares = np.full((len(order), len(order)), np.nan)
    for row, i in enumerate(order):
        for column, j in enumerate(order):
            if (i, j) in found.scores:
                points, games = found.scores[i, j]
                shares[row, column] = points / games
    size = 2.5 + 0.9 * len(order)
    with canvas(path, size + 1, size) as axes:
        axes.imshow(shares, cmap="RdBu", vmin=0, vmax=1)
        for (row, column), share in np.ndenumerate(shares):
            if not np.isnan(share):
                axes.text(column, row, f"{share:.3f}", ha="center", va="center")
        axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
        axes.set_yticks(range(len(names)), names)
        axes.set(xlabel="second", ylabel="first", title=f"{found.spec}: points of the first")


def _plot_means(found: Tournament, order: list[int], names: list[str], path: Path) -> None:
    cells = [found.cells[i,] for i in order]
    means = [each.mean for each in cells]
    away = [[m - c.interval.low for m, c in zip(means, cells, strict=True)]]
    away.append([c.interval.high - m for m, c in zip(means, cells, strict=True)])
    with canvas(path, 7, 1.5 + 0.4 * len(order)) as axes:
        axes.errorbar(means, range(len(order)), xerr=away, fmt="o", capsize=3)
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set(xlabel=found.quantity, title=found.spec)


@contextmanager
def canvas(path: Path, width: float, height: float) -> Iterator[Any]:
    """Axes to draw on, kept as a picture afterwards."""
    require_plots(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    yield figure.subplots()
    try:
        # without a date the same picture is the same file
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    except OSError as error:
        raise PlotError(f"cannot write {path}: {error.strerror}") from error


def require_plots(path: Path) -> None:
    """Refuse a picture that cannot be drawn, before the work and not after it."""
    if path.suffix not in FORMS:
        raise PlotError(f"{path}: expected a name that ends in {', '.join(FORMS)}")
    if not path.absolute().parent.is_dir():
        raise PlotError(f"{path}: expected a folder at {path.absolute().parent}, found none")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        said = "plots need matplotlib, which is not installed: pip install 'backroll[plots]'"
        raise PlotError(said) from None
