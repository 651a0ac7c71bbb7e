"""Commands about single games: play one and write it down, check one that was written down."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backroll.board import YOU
from backroll.cli.analysing import Folders, analyst_of
from backroll.cli.arena import HELP
from backroll.cli.output import as_json, panel, quiet_games
from backroll.cli.playing import Json, Spec
from backroll.errors import StrategyError
from backroll.spec import load, spec_of

if TYPE_CHECKING:
    from backroll.arena import Transcript
    from backroll.board.sitting import Sitting
    from backroll.game import Game


def play(
    spec: Spec,
    first: Annotated[
        str | None, typer.Option(metavar="STRATEGY", help=f"{HELP} Or you, at the keyboard.")
    ] = None,
    second: Annotated[
        str | None, typer.Option(metavar="STRATEGY", help="Where the game is for two.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**62, help="Of the dice; by itself 0, or any where you play."),
    ] = None,
    number: Annotated[
        int, typer.Option("--game", min=0, help="Which of the games of the seed.")
    ] = 0,
    out: Annotated[
        Path | None, typer.Option(help="Keep it there; as JSON if the name ends in .json.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with a game that you have saved.")
    ] = None,
    tables: Folders = None,
    save: Annotated[Path, typer.Option(help="Where you play: what s writes to.")] = Path(
        "backroll-game.json"
    ),
    json: Json = False,
) -> None:
    """Play one game and write down every step.

    It is the game that simulate plays under that seed and number. Where you play yourself, the
    board is drawn and choices are numbered.
    """
    texts = [each for each in (first, second) if each is not None]
    with quiet_games(json):
        game = load(spec)
        if YOU in texts or resume is not None:
            _refuse_json(json)
            from backroll.cli.sitting import seated

            _sit(seated(game, texts, seed, number, resume), tables, save, out)
            return
        _refuse_few(game, first, second)
        found = _played(game, texts, seed or 0, number)
    if out is not None:
        _keep(found, out)
    if json:
        as_json(found.as_dict())
    elif out is None:
        print(found.as_text(), end="")
    else:
        _print_kept(found, out)


def _keep(found: Transcript, out: Path) -> None:
    """Write a game down."""
    form = out.suffix == ".json"
    text = dumps(found.as_dict(), ensure_ascii=False, indent=1) if form else found.as_text()
    out.write_text(text, encoding="utf-8")


def _print_kept(found: Transcript, out: Path) -> None:
    said = [("steps", f"{len(found.lines):,}"), ("value", f"{found.value:g} to the first")]
    panel(found.spec, [*said, ("game", str(out))])


def _refuse_json(json: bool) -> None:
    if json:
        raise StrategyError("where you play: expected --out FILE.json rather than --json")


def _refuse_few(game: Game[Any], first: str | None, second: str | None) -> None:
    """Say which player is missing."""
    if first is None or (game.players == 2 and second is None):
        missing = "--first" if first is None else "--second"
        raise StrategyError(f"{spec_of(game)}: expected {missing} STRATEGY, found none")


def _played(game: Game[Any], texts: list[str], seed: int, number: int) -> Transcript:
    """A game between strategies."""
    from backroll.arena import transcript
    from backroll.strategies import strategy as strategy_of

    return transcript(game, [*map(strategy_of, texts)], seed=seed, number=number)


def _sit(sitting: Sitting, tables: list[Path] | None, save: Path, out: Path | None) -> None:
    """Play at the keyboard, keep the game, and then judge it, which may take longer."""
    from backroll.arena.transcripts import written_down
    from backroll.cli.sitting import print_judged, sit

    game, texts = sitting.game, sitting.texts
    analyst = analyst_of(game, tables)
    steps = sit(sitting, analyst, save)
    if out is not None:
        found = written_down(game, texts, steps, seed=sitting.seed, number=sitting.number)
        _keep(found, out)
        _print_kept(found, out)
    print_judged(analyst, texts, steps)


def replay(
    file: Annotated[Path, typer.Argument(help="What backroll play has written.")],
    json: Json = False,
) -> None:
    """Check a game that was written down.

    Every step must follow from the rules; the first that does not is named.
    """
    from backroll.arena import read_file
    from backroll.arena import replay as value_of

    with quiet_games(json):
        found = read_file(file)
        value = value_of(found, str(file))
    if json:
        about = {"spec": found.spec, "strategies": list(found.strategies)}
        as_json({"path": str(file), **about, "steps": len(found.lines), "value": value})
        return
    names = zip(("first", "second"), found.strategies, strict=False)
    said = [("steps", f"{len(found.lines):,}, each by the rules"), ("value", f"{value:g}")]
    panel(found.spec, [*names, *said])
