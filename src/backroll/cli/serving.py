"""The command that serves the web page and the API."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path
from threading import Thread
from typing import Annotated

import typer

from backroll.errors import BackrollError


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8600,
    tables: Annotated[
        list[Path] | None, typer.Option(metavar="DIR", help="A folder of tables; more than one.")
    ] = None,
    games: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep games there, and go on with them.")
    ] = None,
    game: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="A game of your own; more than one.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=64, help="By itself a processor less than there are.")
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(help="Another name by which browsers may call it.")
    ] = None,
    browse: Annotated[
        bool, typer.Option("--open/--no-open", help="Show the page in a browser.")
    ] = False,
) -> None:
    """Serve the page and the API, on this machine alone unless --host says more."""
    _require_web()
    from backroll.web.app import listening, run, with_pages
    from backroll.web.house import Settings
    from backroll.web.limits import LOCAL

    hosts = tuple(each.lower() for each in (*LOCAL, host, *(name or ())))
    given = Settings(
        tables=tuple(tables or ()), files=tuple(game or ()), saved=games, workers=workers,
        hosts=hosts,
    )  # fmt: skip
    listener = listening(host, port)
    app = with_pages(given)
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    typer.echo(f"Backroll serves {url}; Ctrl-C ends it.")
    if browse:
        Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    run(app, listener)


def _require_web() -> None:
    os.environ.setdefault("MPLBACKEND", "Agg")
    try:
        import nicegui  # noqa: F401
    except ImportError as error:
        raise BackrollError(
            f"serve: expected the extra web, found no {error.name}: pip install 'backroll[web]'"
        ) from error
