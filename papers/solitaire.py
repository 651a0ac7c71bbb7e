"""Solitaire Can't Stop: the least expected number of turns on small boards."""

from __future__ import annotations

from backroll import load, solve
from backroll.cli.output import duration, number
from backroll.published import published
from papers.settled import apart, settled
from papers.sheet import NONE, Findings, Sheet, Solved, run

BOARDS = ((2, 1), (2, 2), (2, 3), (3, 1), (3, 2))
LARGE = ((3, 3),)


def findings(*, everything: bool) -> Findings:
    boards = BOARDS + LARGE if everything else BOARDS
    solved = [_solve(*board) for board in boards]
    sheet = Sheet(
        "Solitaire Can't Stop, expected turns",
        (
            *("(n, k)", "value", "published", "proven to", "settled", "off the settled digits"),
            *("positions", "Newton steps", "time"),
        ),
        [_row(board, each) for board, each in zip(boards, solved, strict=True)],
    )
    return Findings("Glenn and Aloi 2009, Table 3", [sheet], solved)


def _solve(sides: int, shortest: int) -> Solved:
    report = solve(load(f"cantstop:players=1,sides={sides},shortest={shortest}")).report
    found = published(report.spec)
    return Solved(report, f"{found.value} ({found.source})" if found else NONE)


def _row(board: tuple[int, int], solved: Solved) -> tuple[str, ...]:
    report = solved.report
    return (
        f"({board[0]}, {board[1]})",
        number(report.value),
        solved.published.partition(" ")[0],
        f"{report.bound:.1e}",
        settled(report.spec),
        apart(report.spec, report.value),
        f"{report.positions:,}",
        f"{report.iterations:,}",
        duration(sum(report.seconds.values())),
    )


if __name__ == "__main__":
    run("solitaire", findings)
