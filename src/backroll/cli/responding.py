"""The command that finds the best answer to a strategy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from backroll.cli.output import as_json, duration, panel, progress_bar, quiet_games
from backroll.cli.playing import Json, Spec
from backroll.spec import load


def respond(
    spec: Spec,
    strategy: Annotated[str, typer.Argument(help="What is to be answered, such as ruleof.")],
    out: Annotated[Path | None, typer.Option(help="Folder to keep the answer in.")] = None,
    json: Json = False,
) -> None:
    """Find the best answer to a strategy, and how often it wins.

    What is kept with --out is played by optimal:PATH.
    """
    from backroll.arena.responding import respond as answer_to
    from backroll.database import Database
    from backroll.solving import save
    from backroll.strategies import strategy as strategy_of
    from backroll.wrappers import Sided

    with quiet_games(json), progress_bar() as progress:
        game = load(spec)
        found = answer_to(game, strategy_of(strategy), progress=progress)
        database, start = Database.of(found), game.start()
        first, second = found.report.value, database.get(Sided(start, 2))
        if out is not None:
            save(found, out)
    seconds = sum(found.report.seconds.values())
    if json:
        said = {"spec": found.report.spec, "first": first, "second": second, "seconds": seconds}
        as_json({**said, "anchors": len(found.anchors)})
        return
    rows = [("moving first", f"{first:.12f}")]
    if second is not None:
        rows.append(("moving second", f"{second:.12f}"))
    rows += [("anchors", f"{len(found.anchors):,}"), ("time", duration(seconds))]
    panel(found.report.spec, rows)
