"""Solitaire Can't Stop: the least expected number of turns, the optimal column of Table 3."""

from __future__ import annotations

from backroll import load, solve
from backroll.cli.output import duration, number
from backroll.published import published
from backroll.spec import spec_of
from papers.past import records
from papers.settled import apart, settled
from papers.sheet import NONE, Findings, Sheet, Solved, run

BOARDS = ((2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (4, 3), (5, 1))
LATER = ((5, 2), (5, 3), (6, 1), (6, 2), (6, 3))
"""What takes minutes, hours or weeks: taken from `past` where it was solved."""


def findings(*, everything: bool) -> Findings:
    solved = {board: _solve(*board) for board in BOARDS}
    if everything:
        solved[5, 2] = _solve(5, 2)
    kept = {record.report["spec"]: record.solved() for record in records()}
    for board in LATER:
        found = kept.get(spec_of(load(_rules(*board))))
        if found and board not in solved:
            solved[board] = found
    sheet = Sheet(
        "Solitaire Can't Stop, expected turns",
        (
            *("(n, k)", "value", "published", "proven to", "settled", "off the settled digits"),
            *("positions", "Newton steps a component", "time", "rolls a second"),
        ),
        [_row(board, solved.get(board)) for board in (*BOARDS, *LATER)],
        "Published is the optimal column of the table, empty from (5, 3) on. What takes longer "
        "than minutes stands in `past.md`, with when it was measured.",
    )
    return Findings("Glenn and Aloi 2009, Table 3", [sheet], [solved[board] for board in BOARDS])


def _rules(sides: int, shortest: int) -> str:
    return f"cantstop:players=1,sides={sides},shortest={shortest}"


def _solve(sides: int, shortest: int) -> Solved:
    report = solve(load(_rules(sides, shortest))).report
    found = published(report.spec)
    return Solved(report, f"{found.value} ({found.source})" if found else NONE)


def _row(board: tuple[int, int], solved: Solved | None) -> tuple[str, ...]:
    name = f"({board[0]}, {board[1]})"
    if solved is None:
        return (name, *[NONE] * 9)
    report = solved.report
    return (
        name,
        number(report.value),
        solved.published.partition(" ")[0],
        f"{report.bound:.1e}",
        settled(report.spec),
        apart(report.spec, report.value),
        f"{report.positions:,}",
        f"{report.iterations / report.components:.2f}",
        duration(sum(report.seconds.values())),
        f"{report.rolls / report.seconds['solve']:.2e}",
    )


if __name__ == "__main__":
    run("solitaire", findings)
