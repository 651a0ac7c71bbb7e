"""Reports of evolutions: as JSON, as text, and as a picture where matplotlib is there."""

from __future__ import annotations

import json
from pathlib import Path

from backroll.arena.plots import canvas, require_plots
from backroll.errors import PlotError
from backroll.evolve.checkpoint import write
from backroll.evolve.evolution import Evolution

JSON, TEXT, PICTURE = "report.json", "report.txt", "report.png"


def report(found: Evolution, folder: Path) -> None:
    """Write the report of an evolution into its folder."""
    write(folder / JSON, (json.dumps(found.as_dict(), indent=1) + "\n").encode())
    write(folder / TEXT, text(found).encode())
    try:
        require_plots(folder / PICTURE)
    except PlotError:  # the numbers are there without it
        return
    plot(found, folder / PICTURE)


def rows(found: Evolution) -> list[tuple[str, str]]:
    """What an evolution came to, label by label."""
    settings, final = found.settings, found.final
    games = sum(each.games * len(each.turns) for each in found.generations)
    seconds = sum(each.seconds for each in found.generations)
    return [
        ("strategy", found.text),
        ("turns", f"{found.mean:.4f} ± {found.error:.4f}, {settings.measured:,} fresh games"),
        ("genome", f"{settings.genome}, from {settings.start or _nothing(settings.method)}"),
        ("method", f"{settings.method}, seed {settings.seed}"),
        ("generations", f"{settings.generations:,} of {settings.population:,}, {games:,} games"),
        ("last", f"mean {final.mean:.3f}, best {final.best:.3f}, judged again"),
        ("rate", f"{games / max(seconds, 1e-9):,.0f} games a second"),
    ]


def _nothing(method: str) -> str:
    return "bits drawn by lot" if method == "ga" else "the Rule of N"


def text(found: Evolution) -> str:
    """The report as text."""
    labels = rows(found)
    width = max(len(label) for label, _ in labels)
    lines = [found.settings.spec, *(f"{label:<{width}}  {said}" for label, said in labels), ""]
    lines += ["generation     games      best      mean"]
    for number, each in enumerate(found.generations, 1):
        lines.append(f"{number:>10}  {each.games:>8}  {each.best:>8.3f}  {each.mean:>8.3f}")
    return "\n".join(lines) + "\n"


def plot(found: Evolution, path: Path) -> None:
    """Draw the best and the mean of each generation."""
    numbers = range(1, len(found.generations) + 1)
    with canvas(path, 7, 4) as axes:
        axes.plot(numbers, [each.mean for each in found.generations], label="mean")
        axes.plot(numbers, [each.best for each in found.generations], label="best, luck included")
        axes.axhline(found.mean, color="grey", linestyle=":", label=f"found: {found.mean:.3f}")
        axes.set(xlabel="generation", ylabel="turns", title=found.settings.spec)
        axes.legend(frameon=False)
