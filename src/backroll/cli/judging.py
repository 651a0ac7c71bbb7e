"""The command that judges strategies exactly, without playing a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from backroll.cli.arena import SHARES, Csv, Several, Threads, one_form, processors, write_csv
from backroll.cli.output import (
    as_json,
    duration,
    number,
    panel,
    progress_bar,
    proven,
    quiet_games,
)
from backroll.cli.playing import Json, Limit, Spec
from backroll.spec import load

if TYPE_CHECKING:
    from backroll.game import Game
    from backroll.judging import Judgement
    from backroll.solution import Progress


def evaluate(
    spec: Spec,
    strategy: Several,
    cost: Annotated[
        bool, typer.Option("--cost", help="Solve the game too, and compare with best play by all.")
    ] = False,
    table: Annotated[
        Path | None, typer.Option(help="The same, by a table of the game instead of solving it.")
    ] = None,
    engine: Annotated[
        Literal["auto", "general", "habits"],
        typer.Option(help="Habits is for strategies of Can't Stop that are; general takes any."),
    ] = "auto",
    limit: Limit = 50_000_000,
    threads: Threads = None,
    csv: Csv = False,
    json: Json = False,
) -> None:
    """Say exactly what strategies come to.

    One strategy a player, none of which may draw lots. Alone, it also says how likely each
    number of turns is, which is what --csv prints.
    """
    from backroll.judging import evaluate as judgement_of
    from backroll.strategies import strategy as strategy_of

    one_form(csv, json)
    threads = threads or processors()
    with quiet_games(json or csv), progress_bar() as progress:
        game = load(spec)
        entered = [*map(strategy_of, strategy)]
        found = judgement_of(
            game,
            entered,
            engine=engine,
            optimal=_optimal(game, table, limit, threads, progress) if cost or table else None,
            limit=limit,
            threads=threads,
            progress=progress,
        )
    if json:
        as_json(_plain(found))
    elif csv:
        write_csv(("value", "chance"), sorted(found.distribution.items()))
    else:
        panel(found.spec, _rows(found))


def _optimal(
    game: Game[Any], table: Path | None, limit: int, threads: int, progress: Progress
) -> float:
    """What the game is worth with best play."""
    if table is not None:
        from backroll.database import open_table

        with open_table(table, game) as database:
            return database.value(game.start())
    from backroll.solving import solve

    return solve(game, limit=limit, threads=threads, progress=progress).value


def _plain(found: Judgement) -> dict[str, Any]:
    from dataclasses import asdict

    return {**asdict(found), "strategies": list(found.strategies), "cost": found.cost}


def _rows(found: Judgement) -> list[tuple[str, str]]:
    from backroll.arena.intervals import percentile

    seats = ["strategy"] if len(found.strategies) == 1 else ["first", "second"]
    rows = list(zip(seats, found.strategies, strict=True))
    rows.append(("value", f"{number(found.value)}  {found.quantity}"))
    if found.bound is not None:
        rows.append(("bound", proven(found.bound)))
    if found.deviation is not None:
        rows.append(("deviation", f"{number(found.deviation)} a game"))
    if found.distribution:
        said = (f"{percentile(found.distribution, share):g} ({share:.0%})" for share in SHARES)
        rows.append(("spread", ", ".join(said)))
    if found.optimal is not None and found.cost is not None:
        rows.append(("best play", number(found.optimal)))
        rows.append(("lost" if found.cost >= 0 else "gained", number(abs(found.cost))))
    rows.append(("anchors", f"{found.anchors:,} met"))
    rows.append(("time", f"{duration(found.seconds)} ({found.engine})"))
    return rows
