"""The command that looks for better strategies."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from backroll.cli.arena import Threads
from backroll.cli.output import as_json, duration, panel
from backroll.cli.playing import Json, Spec, told_where
from backroll.spec import load, spec_of

if TYPE_CHECKING:
    from backroll.evolve import Generation


def evolve(
    spec: Spec,
    genome: Annotated[
        str,
        typer.Option(
            help="Constant or linear; for cmaes also columns, squares or markers, or one of these "
            "with /triples behind it."
        ),
    ] = "linear",
    method: Annotated[
        Literal["ga", "cmaes"], typer.Option(help="A genetic algorithm on bits, or CMA-ES.")
    ] = "ga",
    population: Annotated[int, typer.Option(help="Strategies in a generation.")] = 100,
    samples: Annotated[int, typer.Option(help="Games by which one is judged.")] = 640,
    more: Annotated[int, typer.Option(help="What each generation adds to these.")] = 0,
    generations: Annotated[int, typer.Option(help="How many there are.")] = 20,
    seed: Annotated[int, typer.Option(help="Of the search and its games.")] = 0,
    start: Annotated[
        str,
        typer.Option(
            metavar="STRATEGY", help="Where to start; by itself ga by lot, cmaes at the Rule of N."
        ),
    ] = "",
    fitness: Annotated[
        Literal["simulated", "exact"], typer.Option(help="Exact is for small boards.")
    ] = "simulated",
    flips: Annotated[float, typer.Option(help="ga: chance of each bit to be flipped.")] = 0.04,
    entrants: Annotated[int, typer.Option(help="ga: of how many the best is a parent.")] = 4,
    sigma: Annotated[float, typer.Option(help="cmaes: how far it looks around at first.")] = 0.5,
    finals: Annotated[int, typer.Option(help="Games to judge the last generation by.")] = 5_000,
    measured: Annotated[int, typer.Option(help="Fresh games for the best.")] = 1_000_000,
    threads: Threads = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for checkpoints, the report and the weights.")
    ] = None,
    json: Json = False,
) -> None:
    """Look for strategies that take fewer turns alone.

    With --out each generation is kept, and the same command goes on where it was interrupted.
    """
    from backroll.evolve import Settings
    from backroll.evolve import evolve as evolution_of
    from backroll.evolve.report import report, rows
    from backroll.kernels import start_without_scipy
    from backroll.solving import processors

    start_without_scipy()
    settings = Settings(
        spec_of(load(spec)),
        genome=genome,
        method=method,
        population=population,
        samples=samples,
        more=more,
        generations=generations,
        seed=seed,
        start=start,
        fitness=fitness,
        flips=flips,
        entrants=entrants,
        sigma=sigma,
        finals=finals,
        measured=measured,
    )
    with _watched() as (progress, watch), told_where():
        found = evolution_of(
            settings, out, threads=threads or processors(), progress=progress, watch=watch
        )
        if out is not None:
            report(found, out)
    if json:
        as_json(found.as_dict())
    else:
        panel(settings.spec, [*rows(found), ("time", duration(found.seconds))])


@contextmanager
def _watched() -> Iterator[tuple[Any, Any]]:
    """A bar, and a line for each generation above it, if standard error is a terminal."""
    from backroll.evolve.running import unwatched
    from backroll.solution import silent

    if not sys.stderr.isatty():
        yield silent, unwatched
        return
    from backroll.cli.bar import Bar

    with Bar() as bar:

        def watch(number: int, generation: Generation) -> None:
            bar.say(
                f"generation {number}: best {generation.best:.3f}, mean {generation.mean:.3f}, "
                f"{generation.rate:,.0f} games a second"
            )

        yield bar.show, watch
