"""Shut the Box on nine tiles: the general path beside the recurrences E1 and E2 of the notes."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from backroll import Report, solve
from backroll.cli.output import duration, number
from backroll.games.shut_the_box import ShutTheBox, first_wins
from papers.settled import apart, settled
from papers.sheet import NONE, Findings, Sheet, Solved, run

TILES = 9
Dice: TypeAlias = Literal["never", "sum6"]
Aim: TypeAlias = Literal["score", "shut", "win"]


def findings(*, everything: bool) -> Findings:
    games = [ShutTheBox(TILES, dice, aim) for dice in get_args(Dice) for aim in get_args(Aim)]
    reports = [solve(game).report for game in games]
    rows = [_row(game, report) for game, report in zip(games, reports, strict=True)]
    sheet = Sheet(
        "Shut the Box, nine tiles",
        (
            *("game", "quantity", "value", "proven to", "settled", "off the settled digits"),
            *("by E1 and E2", "apart", "positions", "time"),
        ),
        rows,
        "E1 and E2 share no code with the rules. They are played as the settled value asks: a "
        "second player who shuts the box too ties. As printed in the notes, with E2(S, 0) = 0, "
        "the first player would win then.",
    )
    return Findings("Glenn's notes, Shut the Box", [sheet], [Solved(each) for each in reports])


def _row(game: ShutTheBox, report: Report) -> tuple[str, ...]:
    by_notes = first_wins(game.tiles, game.one_die) if game.aim == "win" else None
    return (
        f"`{report.spec}`",
        report.quantity,
        number(report.value),
        f"{report.bound:.1e}",
        settled(report.spec),
        apart(report.spec, report.value),
        NONE if by_notes is None else number(by_notes),
        NONE if by_notes is None else f"{abs(by_notes - report.value):.1e}",
        f"{report.positions:,}",
        duration(sum(report.seconds.values())),
    )


if __name__ == "__main__":
    run("shut_the_box", findings)
