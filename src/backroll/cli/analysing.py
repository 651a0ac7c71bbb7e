"""Commands that judge: what a position's moves are worth, and what a game that was played cost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backroll.cli.output import (
    Printed,
    as_json,
    live_table,
    number,
    panel,
    progress_bar,
    quiet_games,
    table,
)
from backroll.cli.playing import Json, Spec
from backroll.game import WIN
from backroll.spec import load

if TYPE_CHECKING:
    from backroll.analysis import Analysis, Analyst, Candidate, Decision, Record, Review
    from backroll.arena.intervals import Interval
    from backroll.game import Game

Folders = Annotated[
    list[Path] | None,
    typer.Option("--tables", help="A folder with tables; may be given more than once."),
]
Games = Annotated[
    int | None,
    typer.Option(min=1, help="Rollouts instead, so many games an option at most."),
]


A_STEP = 0.1
"""Seconds for a step of a review, where games are played on in plain Python."""


def analyse(
    spec: Spec,
    position: Annotated[str | None, typer.Argument(help="As `show` writes it; the start.")] = None,
    tables: Folders = None,
    games: Games = None,
    base: Annotated[str, typer.Option(metavar="STRATEGY", help="Who plays on in rollouts.")] = "",
    seed: Annotated[int, typer.Option(help="The seed of rollouts.")] = 0,
    json: Json = False,
) -> None:
    """Say what every move of a position is worth, best first, and what that rests on.

    From a table; solved on the spot if the board is small; by turn-exact play; or by rollouts,
    which get better until they are interrupted.
    """
    with quiet_games(json):
        game = load(spec)
        place = game.start() if position is None else game.parse(position)
        analyst = analyst_of(game, tables, games, base, seed)
        if not json:
            with live_table() as show:
                _best(analyst, place, lambda found: show(_printed(found)))
            return
        best = _best(analyst, place, lambda found: None)
    as_json(best.as_dict())


def analyst_of(
    game: Game[Any],
    tables: list[Path] | None,
    games: int | None = None,
    base: str = "",
    seed: int = 0,
    seconds: float = 2.0,
) -> Analyst:
    """Whoever answers, from the tables of some folders or from the game itself."""
    from backroll.analysis import KINDS, Analyst, Rollouts, Tables

    rollouts = Rollouts(games or Rollouts.games, base, seconds, seed)
    if games is not None or base:
        return Analyst(game, [rollouts])
    return Analyst(game, [Tables(tuple(tables or ())), *KINDS[:-1], rollouts])


def _best(analyst: Analyst, position: Any, show: Callable[[Analysis], None]) -> Analysis:
    """The best figures, or the last before somebody interrupts; each shown as it comes."""
    best = None
    try:
        for best in analyst.refine(position):
            show(best)
    except KeyboardInterrupt:
        if best is None:
            raise
    assert best is not None
    return best


def _printed(found: Analysis) -> Printed:
    return found.spec, _about(found), _headers(found), [_row(found, each) for each in found.moves]


def _about(found: Analysis) -> list[tuple[str, str]]:
    view = "the mover" if found.view == "mover" else found.view
    rows = [
        ("position", found.position),
        ("value", f"{_figure(found.value, found.interval)}  {found.quantity} of {view}"),
        ("next", {"choice": "a choice", "chance": "chance", "terminal": "the end"}[found.kind]),
        ("rests on", found.basis.text),
    ]
    if found.danger is not None and found.kind != "terminal":
        rows.append(("turn lost", _dangers(found.danger.roll, found.danger.turn)))
    if found.distances:
        rows.append(("distance", _far(found.distance)))
    return rows


def _dangers(roll: float, turn: float | None) -> str:
    said = f"{100 * roll:.1f} % at the next roll"
    return said if turn is None else f"{said}, {100 * turn:.1f} % in this turn with best play"


def _headers(found: Analysis) -> list[str]:
    lost = any(each.danger is not None for each in found.moves)
    dangers = ["lost at a roll", "in the turn"] if lost else []
    return ["move", "position", "value", "loss", *dangers, *["distance"] * found.distances]


def _row(found: Analysis, move: Candidate) -> tuple[str, ...]:
    dangers: tuple[str, ...] = ()
    if move.danger is not None:
        turn = move.danger.turn
        dangers = f"{100 * move.danger.roll:.1f} %", "" if turn is None else f"{100 * turn:.1f} %"
    far = (_far(move.distance),) if found.distances else ()
    value, loss = _figure(move.value, move.interval), _figure(move.loss, move.loss_interval)
    return move.move, move.position, value, loss, *dangers, *far


def _figure(value: float, interval: Interval | None) -> str:
    if interval is None:
        return number(value)
    return f"{value:.4f} ({interval.low:.4f} to {interval.high:.4f})"


def _far(distance: int | None) -> str:
    return "no end" if distance is None else f"{distance}"


def review(
    file: Annotated[Path, typer.Argument(metavar="TRANSCRIPT", help="A game as play writes it.")],
    tables: Folders = None,
    games: Games = None,
    json: Json = False,
) -> None:
    """Say what each decision of a game cost, and what was luck.

    The costs of all mistakes and the luck of both sides make up the way from what the game was
    worth at its start to what it came to.
    """
    from backroll.analysis import review as review_of
    from backroll.arena import read_file, steps_of

    with quiet_games(json):
        written = read_file(file)
        game = load(written.spec)
        steps = steps_of(written, str(file), game)
        analyst = analyst_of(game, tables, games, seconds=A_STEP)
        with progress_bar() as progress:
            found = review_of(game, steps, analyst, written.strategies, progress)
    if json:
        as_json(found.as_dict())
    else:
        print_review(found)


def print_review(found: Review) -> None:
    """Print what a review says."""
    drift = abs(found.revisions) > 1e-9
    panel(
        found.spec,
        [
            ("value", f"{found.start:.4f} at the start, {found.end:.4f} at the end: "
             f"{found.quantity} of player 1"),
            ("rests on", found.basis.text),
            *([("revisions", f"{found.revisions:+.4f}, where its figures do not agree")] * drift),
        ],
    )  # fmt: skip
    headers = ("player", "plays", "decisions", "mistakes", "a decision", "luck", "grade")
    table(headers, [_record(each) for each in found.players])
    wrong = [each for each in found.decisions if each.cost > 0]
    headers = ("step", "player", "position", "played", "best", "cost", "")
    free = sum(each.decisions for each in found.players)
    print(f"{len(wrong)} mistake{'s' * (len(wrong) != 1)} in {free} decisions")
    if wrong:
        table(headers, [_decision(each) for each in wrong])
        print("the worst, to play again:")
        table(headers, [_decision(each) for each in found.worst])
    scale = "win probability" if found.quantity == WIN else found.quantity
    print(f"{scale} of player 1 through the game: {spark(found.curve)}")


def _record(each: Record) -> tuple[str, ...]:
    return (
        f"{each.player}", each.name, f"{each.decisions}", f"{each.mistakes:.4f}",
        f"{each.mean:.4f}", f"{each.luck:+.4f}", each.grade,
    )  # fmt: skip


def _decision(each: Decision) -> tuple[str, ...]:
    return (
        f"{each.step}", f"{each.player}", each.position, each.played, each.best,
        f"{each.cost:.4f}", each.mark,
    )  # fmt: skip


BARS = "▁▂▃▄▅▆▇█"
WIDTH = 60


def spark(curve: tuple[float, ...]) -> str:
    """A curve as a line of bars, from the least to the greatest."""
    low, high = min(curve), max(curve)
    shown = [
        curve[at * len(curve) // min(WIDTH, len(curve))] for at in range(min(WIDTH, len(curve)))
    ]
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    bars = "".join(BARS[round((each - low) * scale)] for each in shown)
    return f"{low:.3f} {bars} {high:.3f}"
