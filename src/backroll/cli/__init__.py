"""The command line: solve games, keep and probe what was found, and let strategies play.

Everything that needs NumPy, Numba or Rich is imported by the command that needs it.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from backroll._version import __version__
from backroll.cli import (
    analysing,
    arena,
    evolving,
    judging,
    playing,
    responding,
    tables,
    transcripts,
)
from backroll.errors import BackrollError, Interrupted
from backroll.userfile import blamed

INTERRUPTED = 130
REFUSED = 2


class _OneLine(TyperGroup):
    """Commands whose errors are one line on standard error, without a traceback."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command and leave with its exit code."""
        extra["standalone_mode"] = False
        said: str | None = None
        try:
            code = super().main(*args, **extra)
            sys.stdout.flush()
        except BrokenPipeError:
            _close_quietly()
            code = 1
        except (KeyboardInterrupt, typer.Abort):
            code = INTERRUPTED
        except (Exception, SystemExit) as error:  # a user's file may even leave
            said = _message(error)
            if said is None:
                raise
            code = INTERRUPTED if isinstance(error, Interrupted) else REFUSED
        if code == INTERRUPTED and said is None:
            said = "interrupted"
        if said is not None:
            typer.echo(f"backroll: {said}", err=True)
        sys.exit(code if isinstance(code, int) else 0)


def _message(error: BaseException) -> str | None:
    """One line about what the user can put right; nothing for a fault of Backroll's own."""
    if hasattr(error, "format_message"):  # a usage error of Typer, or of Click before it
        said = " ".join(error.format_message().split()).rstrip(".")
        return f"{said} (see backroll --help)"
    if isinstance(error, BackrollError):
        return " ".join("; ".join([str(error), *getattr(error, "__notes__", [])]).split())
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    if isinstance(error, MemoryError):
        return "out of memory: expected a game that fits, found one that does not"
    return blamed(error)


def _close_quietly() -> None:
    """Nobody reads any more: let the last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app = typer.Typer(
    cls=_OneLine,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Solve games of chance and skill exactly, keep what was found, and probe it.",
    epilog="A SPEC is a game and its parameters, such as pig:target=20, or a file of your own "
    "such as my_game.py:MyGame,size=5.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"backroll {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.command("games")(playing.games)
app.command("check")(playing.check)
app.command("solve")(playing.solve)
app.command("plan")(playing.plan)
app.command("probe")(tables.probe)
app.command("verify")(tables.verify)
app.command("export")(tables.export)
app.command("import")(tables.import_)
app.command("info")(tables.info)
app.command("analyse")(analysing.analyse)
app.command("review")(analysing.review)
app.command("strategies")(arena.strategies)
app.command("simulate")(arena.simulate)
app.command("tournament")(arena.tournament)
app.command("evaluate")(judging.evaluate)
app.command("respond")(responding.respond)
app.command("play")(transcripts.play)
app.command("replay")(transcripts.replay)
app.command("evolve")(evolving.evolve)


def main() -> None:
    """Run `backroll`."""
    try:
        app(prog_name="backroll")
    finally:
        gc.freeze()  # the process is over: collecting what Numba made at exit took 0.3 s
