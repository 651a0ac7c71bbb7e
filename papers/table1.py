"""Table 1: two-player Can't Stop on small boards, as the paper solves them, and faster."""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backroll import Report, load, solve
from backroll.cli.output import duration, number
from backroll.games.cantstop import CantStop
from backroll.programs.boards import Merging
from backroll.published import published
from papers.settled import apart
from papers.sheet import NONE, Findings, Sheet, Solved, run

Numbers = NDArray[np.int64]
COLUMNS_TO_WIN = 3
NEUTRALS = 3


class Board(NamedTuple):
    """A row of the table, as published."""

    sides: int
    shortest: int
    components: int
    positions: int
    time: str
    seconds: int


TABLE = (
    Board(3, 1, 6_324, 634_756, "4 m 33 s", 273),
    Board(3, 2, 83_964, 20_834_282, "3 h 45 m", 13_500),
    Board(3, 3, 930_756, 453_310_692, "3 d 13 h", 306_000),
)
RULES = ("", ",occupied=share", ",occupied=jump")
HEADERS = (
    *("game", "value", "proven to", "off the settled digits", "components", "positions"),
    *("Newton steps a component", "time", "positions a second"),
)


class Counted(NamedTuple):
    """What the paper counts: components, the rolls of their turns, indices at which one has won."""

    components: int
    rolls: int
    won: int

    @property
    def positions(self) -> int:
        """The paper's positions."""
        return self.rolls + 2 * self.won


def paper_counts(sides: int, shortest: int) -> Counted:
    """Components and positions as the paper counts them, by going through its anchor indices.

    An index is a legal pair of heights a column: both 0 or different, and a column that one side
    has won says no more. Components are the indices at which nobody has won, mirror images being
    one, and closed columns counting only by where they are and how many each side won; the swap of
    the players is not merged. Positions are the rolls of both players' turns in each: a turn
    has the product of the squares left over each set of at most three open columns. To these the
    paper adds both anchors of every index at which somebody has won already.
    """
    lengths = CantStop(sides=sides, shortest=shortest).lengths
    mine, theirs, pair = _indices(lengths)
    goal = np.array(lengths)
    won = np.count_nonzero(mine == goal, axis=1)
    lost = np.count_nonzero(theirs == goal, axis=1)
    over = (won >= COLUMNS_TO_WIN) | (lost >= COLUMNS_TO_WIN)
    closed = (mine == goal) | (theirs == goal)
    code = np.where(closed, 0, pair + 1)
    keys = np.minimum(_key(code, won), _key(code[:, ::-1], won))
    _, component = np.unique(keys[~over], return_index=True)
    rolls = _rolls(np.where(closed, 0, goal - mine)) + _rolls(np.where(closed, 0, goal - theirs))
    return Counted(component.size, int(rolls[~over][component].sum()), int(over.sum()))


def _indices(lengths: tuple[int, ...]) -> tuple[Numbers, Numbers, Numbers]:
    """The heights of both sides and the number of each column's pair, an index a row."""
    pairs = [_legal_pairs(length) for length in lengths]
    grid = np.meshgrid(*(np.arange(len(each)) for each in pairs), indexing="ij")
    digits = np.stack([each.ravel() for each in grid], axis=1)
    heights = np.stack([each[digits[:, c]] for c, each in enumerate(pairs)], axis=1)
    return heights[:, :, 0], heights[:, :, 1], digits


def _legal_pairs(length: int) -> Numbers:
    """The pairs of heights of a column; the last two are those of a column that is won."""
    pairs = [(x, y) for x in range(length) for y in range(length) if x != y or x == 0]
    return np.array([*pairs, (length, 0), (0, length)])


def _key(code: Numbers, won: Numbers) -> Numbers:
    """One number for each row: which columns are closed, the rest in full, and how many won."""
    radix = int(code.max()) + 1
    key = won.astype(np.int64)
    for column in code.T:
        key = key * radix + column
    return key


def _rolls(left: Numbers) -> Numbers:
    """The sum over sets of at most three columns of the product of the squares left in them."""
    sums = np.zeros((NEUTRALS + 1, len(left)), np.int64)
    sums[0] = 1
    for column in left.T:
        for size in range(NEUTRALS, 0, -1):
            sums[size] += column * sums[size - 1]
    rolls: Numbers = sums.sum(axis=0)
    return rolls


def findings(*, everything: bool) -> Findings:
    as_printed, merged, others = [], [], []
    for board in TABLE:
        game = load(f"cantstop:sides={board.sides},shortest={board.shortest}")
        unmerged = Merging(players=False)
        as_printed.append((board, solve(game, start="half", merging=unmerged).report))
        merged.append(solve(game).report)
    for shortest in (1, 2, 3) if everything else (1, 2):
        for rule in ("share", "jump"):
            spec = f"cantstop:sides=3,shortest={shortest},occupied={rule}"
            others.append(solve(load(spec)).report)
    sheets = [_printed(as_printed), _merged(merged), _others(others), _counted()]
    if everything:
        sheets.append(_general([f"cantstop:sides=3,shortest=1{rule}" for rule in RULES]))
    solved = [Solved(report, _value(report.spec)) for report in (*merged, *others)]
    return Findings("Glenn, Fang and Kruskal 2007, Table 1", sheets, solved)


def _value(spec: str) -> str:
    found = published(spec)
    return f"{found.value} ({found.source})" if found else NONE


def _printed(solved: list[tuple[Board, Report]]) -> Sheet:
    headers = (
        *("(n, k)", "components", "published", "positions", "published"),
        *("value", "published", "proven to", "Newton steps", "time", "published", "ratio"),
    )
    rows = [_as_printed(board, report) for board, report in solved]
    note = (
        "The players told apart and every component from (½, ½), as in the paper; to the rolls "
        "of the turns its positions add 2 for every index at which somebody has won."
    )
    return Sheet("As the paper solves them", headers, rows, note)


def _as_printed(board: Board, report: Report) -> tuple[str, ...]:
    counted = paper_counts(board.sides, board.shortest)
    known = published(report.spec)
    took = sum(report.seconds.values())
    return (
        f"({board.sides}, {board.shortest})",
        *(f"{report.components:,}", f"{board.components:,}"),
        *(f"{report.positions + 2 * counted.won:,}", f"{board.positions:,}"),
        *(number(report.value), known.value if known else NONE, f"{report.bound:.1e}"),
        f"{report.iterations / report.components:.2f}",
        *(duration(took), board.time, f"{board.seconds / took:,.0f} ×"),
    )


def _merged(reports: list[Report]) -> Sheet:
    return Sheet(
        "With the two players merged, from solved neighbours",
        HEADERS,
        [_measured(report) for report in reports],
        "Of a component and the same with the players exchanged, one is solved.",
    )


def _others(reports: list[Report]) -> Sheet:
    return Sheet("Other rules where a square is taken", HEADERS, list(map(_measured, reports)))


def _general(specs: list[str]) -> Sheet:
    return Sheet(
        "Solved by the general path",
        HEADERS,
        [_measured(solve(load(spec), engine="general").report) for spec in specs],
        "Components and positions are those that can be reached; a position here is also the "
        "choice of a split and the choice to stop. Time is for exploring, solving and proving.",
    )


def _measured(report: Report) -> tuple[str, ...]:
    took = sum(report.seconds.values())
    return (
        f"`{report.spec}`",
        number(report.value),
        f"{report.bound:.1e}",
        apart(report.spec, report.value),
        f"{report.components:,}",
        f"{report.positions:,}",
        f"{report.iterations / report.cyclic:.2f}",
        duration(took),
        f"{report.positions / took:.2e}",
    )


def _counted() -> Sheet:
    rows = [_count(board) for board in TABLE]
    headers = ("(n, k)", "components", "published", "positions", "published", "same", "time")
    note = "By going through the paper's anchor indices; nothing is solved here."
    return Sheet("Counted as the paper counts", headers, rows, note)


def _count(board: Board) -> tuple[Any, ...]:
    began = perf_counter()
    found = paper_counts(board.sides, board.shortest)
    same = (found.components, found.positions) == (board.components, board.positions)
    return (
        f"({board.sides}, {board.shortest})",
        *(f"{found.components:,}", f"{board.components:,}"),
        *(f"{found.positions:,}", f"{board.positions:,}"),
        "yes" if same else "no",
        duration(perf_counter() - began),
    )


if __name__ == "__main__":
    run("table1", findings)
