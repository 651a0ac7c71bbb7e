"""Commands about games: list them, check one, solve one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from backroll.cli.output import (
    as_json,
    duration,
    number,
    panel,
    progress_bar,
    proven,
    quiet_games,
    table,
)
from backroll.errors import BackrollError, Interrupted, TableError, WrongTable
from backroll.game import WIN
from backroll.spec import catalogue, load, spec_of

if TYPE_CHECKING:
    from backroll.engines.forecast import Forecast
    from backroll.engines.planning import Plan
    from backroll.game import Game
    from backroll.solution import Report, Solution

Spec = Annotated[str, typer.Argument(metavar="SPEC", help="A game, or a file of your own.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Limit = Annotated[int, typer.Option("--limit", min=1, help="Most positions to explore.")]
METHODS = "auto, acyclic, levels, iteration, topological, turns, newton or policy"
WITHOUT_CHANCE = "auto, layers, outcomes, wins, naive, forward, backward or hybrid"
UNPROVEN = 0.5
"""A bound that leaves open who wins."""


def games(json: Json = False) -> None:
    """List the games and their parameters."""
    if json:
        as_json({"games": [_listed(*entry) for entry in catalogue()]})
        return
    for i, (name, summary, parameters) in enumerate(catalogue()):
        print("\n" * (i > 0) + f"{name}: {summary}")
        if parameters:
            table(("parameter", "takes", "default"), parameters)


def _listed(name: str, summary: str, parameters: list[tuple[str, str, str]]) -> dict[str, Any]:
    columns = ("name", "takes", "default")
    rows = [dict(zip(columns, each, strict=True)) for each in parameters]
    return {"name": name, "summary": summary, "parameters": rows}


def check(
    spec: Spec,
    positions: Annotated[int, typer.Option(min=1, help="Positions to ask everything.")] = 2_000,
    seed: Annotated[int, typer.Option(help="Picks the random walks.")] = 0,
    limit: Limit = 1_000_000,
    json: Json = False,
) -> None:
    """Test a game against the contract.

    Leaves with 1 if anything was found.
    """
    from backroll.testing import check as findings_of
    from backroll.testing import sampled

    with quiet_games(json):
        game = load(spec)
        findings = findings_of(game, positions, seed, limit=limit)
        drawn = sampled(game, limit)
    if json:
        listed = [each._asdict() for each in findings]
        as_json({"spec": spec_of(game), "findings": listed, "whole": not drawn})
    else:
        said = (
            f"{len(findings)} finding{'s' * (len(findings) > 1)}" if findings else "nothing found"
        )
        if drawn:
            said += f", in samples of {game.anchor_count():,} anchors, more than the limit"
        print(*(each.line for each in findings), f"{spec_of(game)}: {said}", sep="\n")
    if findings:
        raise typer.Exit(1)


def solve(
    spec: Spec,
    out: Annotated[Path | None, typer.Option(help="Folder to keep the table in.")] = None,
    method: Annotated[
        str, typer.Option(help=f"{METHODS}; without chance {WITHOUT_CHANCE}.")
    ] = "auto",
    bounds: Annotated[
        bool, typer.Option("--bounds", help="Keep a proven lower and upper value per anchor.")
    ] = False,
    limit: Limit = 50_000_000,
    engine: Annotated[
        Literal["auto", "general", "turns", "retrograde"],
        typer.Option(
            help="Turns keeps anchors only; retrograde is for games without chance; general "
            "takes any game."
        ),
    ] = "auto",
    threads: Annotated[
        int | None,
        typer.Option(min=1, help="Not for the general engine; by itself one a processor."),
    ] = None,
    start: Annotated[
        Literal["neighbours", "half"], typer.Option(help="Where the turns engine starts.")
    ] = "neighbours",
    unmerged: Annotated[
        str, typer.Option(help="What not to take for the same: of closed,mirror,players.")
    ] = "",
    dtype: Annotated[
        Literal["float64", "float32"], typer.Option(help="How the table keeps numbers.")
    ] = "float64",
    layered: Annotated[
        bool, typer.Option("--layered/--unlayered", help="Forward, backward: find distances.")
    ] = True,
    direct: Annotated[
        bool, typer.Option("--direct/--indirect", help="Settle at once who can win so.")
    ] = False,
    win_only: Annotated[
        bool, typer.Option("--win-only", help="Look for the first player's wins alone.")
    ] = False,
    dup: Annotated[
        bool, typer.Option("--dup/--no-dup", help="Backward: again from every state.")
    ] = False,
    further: Annotated[
        bool, typer.Option("--further", help="Backward: also who can win by what is settled.")
    ] = False,
    back: Annotated[
        Literal["both", "wins", "losses"],
        typer.Option(help="Player 1's, by which others are settled at once: forward, hybrid."),
    ] = "both",
    order: Annotated[
        Literal["up", "down", "shuffled", "cells"],
        typer.Option(help="Of states: forward, backward; cells for Chinese Checkers."),
    ] = "up",
    json: Json = False,
) -> None:
    """Solve a game exactly.

    With --out, the turns engine, and without chance layers, outcomes and wins, keep what they
    have solved so far beside PATH. Interrupted, the same command goes on from there.
    """
    from backroll.arrays import Choices
    from backroll.kernels import start_without_scipy
    from backroll.programs.boards import Merging
    from backroll.solving import save
    from backroll.solving import solve as solution_of

    start_without_scipy()
    with quiet_games(json), progress_bar() as progress, told_where():
        game = load(spec)
        if out is not None:
            _ensure_keepable(game, out)
        solution = solution_of(
            game,
            method=method,
            engine=engine,
            bounds=bounds,
            limit=limit,
            threads=threads,
            start=start,
            merging=Merging.without(unmerged),
            choices=Choices(
                layered,
                direct,
                win_only,
                no_dup=not dup,
                further=further,
                from_wins=back != "losses",
                from_losses=back != "wins",
            ),
            order=order,
            progress=progress,
            out=out,
        )
        if out is not None:
            save(solution, out, dtype)
    if json:
        as_json(_solved(solution, out))
    else:
        panel(solution.report.spec, _rows(solution, out))


@contextmanager
def told_where() -> Iterator[None]:
    """Whoever interrupts is told where to find what was kept."""
    try:
        yield
    except KeyboardInterrupt as error:
        notes = getattr(error, "__notes__", [])
        if notes:
            raise Interrupted("; ".join(["interrupted", *notes])) from error
        raise


def plan(
    spec: Spec,
    threads: Annotated[int | None, typer.Option(min=1, help="By itself one a processor.")] = None,
    method: Annotated[
        Literal["layers", "outcomes", "wins"],
        typer.Option(help="Without chance: with distances, or in two bits a position, or one."),
    ] = "layers",
    json: Json = False,
) -> None:
    """Say what solving a game would take, before it is begun.

    The time comes from a smaller board, solved on the spot. Leaves with 2 if it does not fit.
    """
    from backroll.engines.fitting import too_large
    from backroll.engines.forecast import Forecast, forecast
    from backroll.engines.planning import plan as plan_of
    from backroll.engines.retrograde import suits
    from backroll.kernels import start_without_scipy
    from backroll.solving import processors

    start_without_scipy()
    with quiet_games(json):
        game = load(spec)
        workers = threads or processors()
        if suits(game):
            found: Forecast | Plan = forecast(game, workers, method)
        elif method != "layers":
            raise BackrollError(
                f"{spec_of(game)}: expected a game without chance for the method {method}, "
                "found one with it"
            )
        else:
            found = plan_of(game, workers)
    if json:
        counts = ("counted", "merged")
        nested = {name: getattr(found, name)._asdict() for name in counts if hasattr(found, name)}
        as_json({**found._asdict(), **nested, "fits": found.fits})
    else:
        panel(found.spec, _forecast(found) if isinstance(found, Forecast) else _planned(found))
    if found.available is not None and not found.fits:
        raise too_large(found.spec, found.memory, found.available)


def _forecast(found: Forecast) -> list[tuple[str, str]]:
    from backroll.engines.fitting import size

    return [
        ("positions", f"{found.positions:,}, with {found.moves:.1f} moves each"),
        ("table", f"{size(found.table)} at the most"),
        ("memory", _room(found)),
        ("time", f"about {duration(found.seconds)}"),
        ("rate", f"{found.rate:.2e} moves a second on one thread"),
    ]


def _room(found: Plan | Forecast) -> str:
    from backroll.engines.fitting import size

    there = "" if found.available is None else f" of {size(found.available)}"
    return f"{size(found.memory)}{there}: {'fits' if found.fits else 'does not fit'}"


def _planned(found: Plan) -> list[tuple[str, str]]:
    from backroll.engines.fitting import size

    return [
        ("components", f"{found.merged.components:,} ({found.counted.components:,} unmerged)"),
        ("positions", f"{found.merged.positions:,} ({found.counted.positions:,} unmerged)"),
        ("anchors", f"{found.merged.anchors:,}"),
        ("table", size(found.table)),
        ("memory", _room(found)),
        ("time", f"about {duration(found.seconds)}"),
        ("rate", f"{found.rate:.2e} rolls a second, measured on {found.sample}"),
    ]


def _ensure_keepable(game: Game[Any], out: Path) -> None:
    """Refuse a table that cannot be written, or not be asked, before the work, not after it."""
    from backroll.database import refuse_misread
    from backroll.replacing import ensure_replaceable

    refuse_misread(game, [game.start()])
    ensure_replaceable(out)
    _refuse_another(game, out)
    standing = next(parent for parent in out.absolute().parents if parent.exists())
    if not standing.is_dir() or not os.access(standing, os.W_OK):
        raise TableError(f"cannot write {out}: expected a folder to write in at {standing}")


def _refuse_another(game: Game[Any], out: Path) -> None:
    """Refuse to replace what may have taken hours by the table of another game."""
    from backroll.table import Table

    try:
        with Table(out) as standing:
            found = standing.manifest.spec
    except TableError:  # nothing, or nothing that could be read
        return
    if found != spec_of(game):
        raise WrongTable(
            f"{out}: expected a table of {spec_of(game)} to replace, or nothing, "
            f"found one of {found}; remove it or choose another place"
        )


def _solved(solution: Solution[Any], out: Path | None) -> dict[str, Any]:
    """What `solve --json` prints: the report, its seconds added up and by stage."""
    report = solution.report.as_dict()
    stages = report.pop("seconds")
    path = None if out is None else str(out)
    return {**report, "seconds": sum(stages.values()), "stages": stages, "path": path} | (
        {} if solution.lower is None else {"widest": _widest(solution)}
    )


def _widest(solution: Solution[Any]) -> float:
    """The largest distance between a lower and an upper value."""
    if solution.lower is None or solution.upper is None or not len(solution.lower):
        return 0.0
    return float((solution.upper - solution.lower).max())


def _rows(solution: Solution[Any], out: Path | None) -> list[tuple[str, str]]:
    from backroll.published import published

    report = solution.report
    rows = [("value", f"{number(report.value)}  {report.quantity}")]
    known = published(report.spec)
    if known is not None:
        said = f"{known.value}  {known.source}"
        rows.append(("published", f"{said} ({known.note})" if known.note else said))
    if not report.counts:
        rows.append(("bound", proven(report.bound)))
        if report.quantity == WIN and report.bound >= UNPROVEN:
            rows.append(
                ("", "without chance, endless play is a draw if the game says chance = False")
            )
        rows.append(("residual", f"{report.residual:.1e}"))
    if solution.lower is not None:
        rows.append(("bounds", f"at most {_widest(solution):.1e} apart"))
    rows += _counts(report)
    if out is not None:
        rows.append(("table", str(out)))
    return rows


def _effort(report: Report) -> list[tuple[str, str]]:
    """What a game without chance comes to, and what finding it took."""
    found = {name: f"{count:,}" for name, count in report.counts.items()}
    outcomes = [f"{found[name]} {name}" for name in ("won", "lost", "drawn") if name in found]
    steps = f"{found['distance']} moves" if report.counts.get("distance") else "no end"
    far = f"{steps} from the start, {found.get('height')} moves at most"
    took = ", ".join(f"{stage} {duration(each)}" for stage, each in report.seconds.items())
    return [
        ("positions", f"{report.anchors:,}: {', '.join(outcomes)} by who is to move"),
        *([("distance", far)] if "distance" in found else []),
        ("expansions", f"{found['forward']} forward, {found['backward']} backward"),
        ("moves", f"{found['done']} made, {found['undone']} taken back"),
        ("method", f"{report.method}, {found['passes']} passes"),
        ("time", f"{duration(sum(report.seconds.values()))} ({took})"),
    ]


def _counts(report: Report) -> list[tuple[str, str]]:
    if report.counts:
        return _effort(report)
    used = "; ".join(f"{name}: {count:,}" for name, count in report.methods.items())
    stages = ", ".join(f"{stage} {duration(took)}" for stage, took in report.seconds.items())
    return [
        ("positions", f"{report.positions:,} ({report.anchors:,} anchors)"),
        ("components", f"{report.components:,} ({report.cyclic:,} with a cycle)"),
        ("iterations", f"{report.iterations:,}"),
        ("method", f"{report.method} ({used})" if used else report.method),
        *([("rate", f"{report.rolls / _solving(report):.2e} rolls a second")] * (report.rolls > 0)),
        ("time", f"{duration(sum(report.seconds.values()))} ({stages})"),
    ]


def _solving(report: Report) -> float:
    return max(report.seconds["solve"], 1e-9)
