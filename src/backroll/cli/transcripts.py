"""Commands about single games: play one and write it down, check one that was written down."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from backroll.cli.arena import HELP, Seed
from backroll.cli.output import as_json, panel, quiet_games
from backroll.cli.playing import Json, Spec
from backroll.errors import StrategyError, TranscriptError
from backroll.spec import load, spec_of


def play(
    spec: Spec,
    first: Annotated[str, typer.Option(metavar="STRATEGY", help=HELP)],
    second: Annotated[
        str | None, typer.Option(metavar="STRATEGY", help="Where the game is for two.")
    ] = None,
    seed: Seed = 0,
    number: Annotated[
        int, typer.Option("--game", min=0, help="Which of the games of the seed.")
    ] = 0,
    out: Annotated[
        Path | None, typer.Option(help="Keep it there; as JSON if the name ends in .json.")
    ] = None,
    json: Json = False,
) -> None:
    """Play one game and write down every step.

    It is the game that simulate plays under that seed and number.
    """
    from backroll.arena import transcript
    from backroll.strategies import strategy as strategy_of

    with quiet_games(json):
        game = load(spec)
        if game.players == 2 and second is None:
            raise StrategyError(f"{spec_of(game)}: expected --second STRATEGY, found none")
        texts = [first] if second is None else [first, second]
        found = transcript(game, [*map(strategy_of, texts)], seed=seed, number=number)
    if out is not None:
        form = out.suffix == ".json"
        text = dumps(found.as_dict(), ensure_ascii=False, indent=1) if form else found.as_text()
        out.write_text(text, encoding="utf-8")
    if json:
        as_json(found.as_dict())
    elif out is None:
        print(found.as_text(), end="")
    else:
        said = [("steps", f"{len(found.lines):,}"), ("value", f"{found.value:g} to the first")]
        panel(found.spec, [*said, ("game", str(out))])


def replay(
    file: Annotated[Path, typer.Argument(help="What backroll play has written.")],
    json: Json = False,
) -> None:
    """Check a game that was written down.

    Every step must follow from the rules; the first that does not is named.
    """
    from backroll.arena import read
    from backroll.arena import replay as value_of

    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise TranscriptError(f"{file}: expected a transcript of a game, found no text") from error
    with quiet_games(json):
        found = read(text, str(file))
        value = value_of(found, str(file))
    if json:
        about = {"spec": found.spec, "strategies": list(found.strategies)}
        as_json({"path": str(file), **about, "steps": len(found.lines), "value": value})
        return
    names = zip(("first", "second"), found.strategies, strict=False)
    said = [("steps", f"{len(found.lines):,}, each by the rules"), ("value", f"{value:g}")]
    panel(found.spec, [*names, *said])
