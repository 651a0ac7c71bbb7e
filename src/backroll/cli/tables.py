"""Commands about tables: probe, verify, export, import, look at one."""

from __future__ import annotations

import os
import sys
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
from backroll.cli.playing import Json
from backroll.errors import TooManyPositions
from backroll.spec import GAMES, load

if TYPE_CHECKING:
    from backroll.database import Database
    from backroll.manifest import Manifest
    from backroll.verifying import Verification

TOLERANCE = 1e-9
FOLLOWS = "the table follows from the rules"
Folder = Annotated[Path, typer.Argument(metavar="PATH", help="The folder of a table.")]
Format = Annotated[
    Literal["csv", "zarr"] | None,
    typer.Option("--format", help="Zarr if the name ends in .zarr, or else CSV."),
]


def probe(
    source: Annotated[str, typer.Argument(metavar="PATH|SPEC", help="A table, or a small game.")],
    position: Annotated[str | None, typer.Argument(help="As `show` writes it; the start.")] = None,
    limit: Annotated[
        int, typer.Option(min=1, help="Most positions to solve on the spot.")
    ] = 5_000_000,
    json: Json = False,
) -> None:
    """Say what a position and its moves are worth.

    The best move comes first. A small game needs no table: it is solved on the spot.
    """
    with quiet_games(json), _database(source, limit) as database:
        game = database.game
        found = database.probe(game.start() if position is None else game.parse(position))
        found = {"spec": database.spec, "quantity": game.quantity, **found}
    if json:
        as_json(found)
    else:
        _print_probe(found)


def _database(source: str, limit: int) -> Database[Any]:
    """A table if there is a folder of that name, or else a game solved on the spot."""
    from backroll.database import Database, open_table

    if _is_table(source):
        return open_table(source)
    from backroll.solving import solve

    game = load(source)
    try:
        with progress_bar() as progress:
            return Database.of(solve(game, limit=limit, progress=progress))
    except TooManyPositions as error:
        keep = f"keep a table with backroll solve {source} --out PATH and probe that"
        raise TooManyPositions(f"{error}; {keep}") from error


def _is_table(source: str) -> bool:
    """Whether a name is a folder rather than a game; a path that is neither was meant as one."""
    from backroll.replacing import standing_at, unfinished

    folder = standing_at(Path(source))
    if not source or (source in GAMES and not (folder / "manifest.json").exists()):
        return False
    if folder.is_dir() or unfinished(source).is_dir():
        return True
    return os.sep in source and ".py" not in source


def _print_probe(found: dict[str, Any]) -> None:
    view = "the mover" if found["view"] == "mover" else found["view"]
    rows = [
        ("position", found["position"]),
        ("value", f"{number(found['value'])}  {found['quantity']} of {view}"),
        ("next", {"choice": "a choice", "chance": "chance", "terminal": "the end"}[found["kind"]]),
    ]
    far = ["distance"] if "distance" in found else []
    if far:
        rows.append(("distance", _far(found)))
    panel(found["spec"], rows)
    if found["moves"]:
        headers = ("move", "position", "value", "loss", *far)
        table(headers, [_move(each) for each in found["moves"]])


def _move(move: dict[str, Any]) -> tuple[str, ...]:
    far = [_far(move)] if "distance" in move else []
    return move["move"], move["position"], number(move["value"]), number(move["loss"]), *far


def _far(found: dict[str, Any]) -> str:
    """How many moves it is to the end, if there is one."""
    return "no end" if found["distance"] is None else f"{found['distance']}"


def verify(
    path: Folder,
    sample: Annotated[int, typer.Option(min=1, help="Anchors to check.")] = 1000,
    everything: Annotated[bool, typer.Option("--all", help="Check every anchor.")] = False,
    seed: Annotated[int, typer.Option(help="Picks the sample.")] = 0,
    tolerance: Annotated[
        float | None,
        typer.Option(
            min=0, help="Largest residual allowed; by itself 1e-9, and what rounding adds."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Recompute the values of a table by the rules.

    Leaves with 1 if the largest residual is larger than the tolerance.
    """
    from backroll.database import open_table
    from backroll.verifying import verify as verification_of

    with quiet_games(json), open_table(path) as database, progress_bar() as progress:
        spec = database.spec
        drawn = None if everything else sample
        found = verification_of(database, drawn, seed, progress)
        alone = database.outcomes_alone
        rounding = 0.0 if database.table is None else database.table.manifest.greatest_loss
    allowed = TOLERANCE + 2 * rounding if tolerance is None else tolerance
    holds = found.residual <= allowed
    if json:
        as_json({"path": str(path), "spec": spec, **found._asdict(), "holds": holds})
    else:
        right = "the outcomes agree, which is no proof without distances" if alone else FOLLOWS
        _print_verification(spec, found, right if holds else "the table is wrong")
    if not holds:
        raise typer.Exit(1)


def _print_verification(spec: str, found: Verification, verdict: str) -> None:
    at = f"  at {found.where}" if found.where else ""
    rows = [
        ("checked", f"{found.checked:,} anchors in {duration(found.seconds)}"),
        ("residual", f"{found.residual:.1e}{at}"),
        ("verdict", verdict),
    ]
    panel(spec, rows)


def export(
    path: Folder,
    file: Annotated[Path, typer.Argument(help="Where to write; - for CSV on standard output.")],
    form: Format = None,
) -> None:
    """Write a table as CSV or Zarr.

    The manifest of a table goes beside its CSV file, so that it can be imported again.
    """
    from backroll.archive import export_csv, export_zarr
    from backroll.database import open_table
    from backroll.table import Table

    if _form(file, form) == "zarr":
        export_zarr(path, file)
        return
    with open_table(path) as database:
        export_csv(database, sys.stdout if str(file) == "-" else file)
    if str(file) != "-":
        with Table(path) as opened:
            _beside(file).write_bytes(opened.content)


def import_(
    file: Annotated[Path, typer.Argument(help="What was exported.")],
    path: Folder,
    form: Format = None,
    manifest: Annotated[
        Path | None, typer.Option(help="For CSV; by default FILE.manifest.json.")
    ] = None,
) -> None:
    """Make a table again from what was exported."""
    from backroll.archive import import_csv, import_zarr

    if _form(file, form) == "zarr":
        import_zarr(file, path)
    else:
        import_csv(file, manifest or _beside(file), path)


def _form(file: Path, form: str | None) -> str:
    return form or ("zarr" if file.suffix == ".zarr" else "csv")


def _beside(file: Path) -> Path:
    return file.with_name(f"{file.name}.manifest.json")


def info(path: Folder, json: Json = False) -> None:
    """Say what a table holds and how it was made."""
    from dataclasses import asdict

    from backroll.table import Table

    with Table(path) as opened:
        manifest = opened.manifest
    if json:
        as_json({"path": str(path), **asdict(manifest)})
    else:
        panel(manifest.spec, _about(path, manifest))


def _about(path: Path, manifest: Manifest) -> list[tuple[str, str]]:
    report = manifest.report
    size = sum(file.bytes for file in manifest.files.values())
    loss = manifest.greatest_loss
    rounded = f", rounded by at most {loss:.1e}" if loss else ""
    return [
        ("table", str(path)),
        ("value", f"{number(report['value'])}  {manifest.quantity}"),
        ("bound", proven(report["bound"])),
        ("residual", f"{report['residual']:.1e}"),
        ("anchors", f"{manifest.length:,} of {report['positions']:,} positions"),
        ("components", f"{report['components']:,} ({report['cyclic']:,} with a cycle)"),
        ("method", f"{report['method']}, {report['iterations']:,} iterations"),
        ("files", f"{', '.join(manifest.files)}: {size:,} bytes, {manifest.dtype}{rounded}"),
        ("versions", ", ".join(f"{name} {each}" for name, each in manifest.versions.items())),
    ]
