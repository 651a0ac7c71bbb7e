"""Rules of thumb and genomes (Glenn and Aloi): the champions by reading, all boards, head to head.

What was evolved here is taken as it was measured, from `backroll.strategies.evolved`.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from backroll import load
from backroll.arena import Simulation, simulate
from backroll.published import published
from backroll.spec import spec_of
from backroll.strategies import Strategy, strategy
from backroll.strategies.evolved import KINDS, kept
from backroll.strategies.rules import PUBLISHED, RuleOf
from papers.past import records
from papers.settled import settled
from papers.sheet import NONE, Findings, Sheet, run

FEW, MANY = 50_000, 1_000_000
"""Games a reading, without and with `--all`; boards and pairs have a quarter of that."""
SEED = 2009
NS = range(8, 61)
"""The N that are tried on each board, by `SEARCH` games each."""
SEARCH = 10_000


class Champion(NamedTuple):
    """A strategy of the paper: its name here, and what is printed of it."""

    text: str
    turns: str
    deviation: str


RULE = Champion("ruleof:n=28", "10.74", "3.25")
CONSTANT = Champion("constant:champion", "9.12", NONE)
LINEAR = Champion("linear:champion", "9.05", "2.30")
LINEAR_WEIGHTS = {
    (2, 1): "1.30", (2, 2): "1.37", (2, 3): "1.46", (3, 1): "1.60", (3, 2): "1.85",
    (3, 3): "2.12", (4, 1): "2.75", (4, 2): "3.06", (4, 3): "3.47", (5, 1): "4.37",
    (5, 2): "4.74", (5, 3): "6.15", (6, 1): "6.40", (6, 2): "7.15", (6, 3): "9.05",
}  # fmt: skip
RULES_OF_N = {
    (2, 1): "1.39", (2, 2): "1.56", (2, 3): "1.74", (3, 1): "1.87", (3, 2): "2.43",
    (3, 3): "2.83", (4, 1): "2.85", (4, 2): "3.45", (4, 3): "4.32", (5, 1): "5.03",
    (5, 2): "6.26", (5, 3): "7.45", (6, 1): "7.67", (6, 2): "9.38", (6, 3): "10.7",
}  # fmt: skip
HEAD_TO_HEAD = (
    (NONE, "0.74", "0.71"),
    ("0.36", NONE, "0.54"),
    ("0.38", "0.56", NONE),
)
"""The first player's chances: a row for each second player, a column for each first."""


def findings(*, everything: bool) -> Findings:
    games = MANY if everything else FEW
    sheets = [_readings(games), _boards(games // 4), _duels(games // 4)]
    return Findings("Glenn and Aloi 2009, Tables 1 to 4", sheets)


def _readings(games: int) -> Sheet:
    """Tables 1 and 2: what is open in print, and what follows from each reading."""
    variants = [
        (champion, start, wary, ties)
        for champion in (RULE, CONSTANT, LINEAR)
        for start, wary, ties in product(
            ("", ",start=1") if champion is LINEAR else ("",),
            ("", ",wary=false"),
            ("", ",ties=first", ",ties=last"),
        )
    ]
    rows = []
    for champion, *changes in variants:
        text = champion.text + "".join(changes)
        found = _alone("cantstop:players=1", strategy(text), games)
        printed = (champion.turns, f"{found.deviation:.2f}", champion.deviation)
        rows.append((f"`{text}`", _turns(found), *printed))
    return Sheet(
        f"Tables 1 and 2: readings, {games:,} games each",
        ("strategy", "turns", "published", "standard deviation of a game", "published"),
        rows,
        "`ties`: which of moves worth the same is taken; by default one as dice are paired in the "
        "order in which they fell. `wary=false`: the difficulty does not count in moves, as "
        "the formula for moves is printed. `start=1`: a linear weight starts one square up, as its "
        "formula is printed. The mean is followed by its standard error.",
    )


def _boards(games: int) -> Sheet:
    """Table 3: all boards."""
    rows = [_board(board, games) for board in PUBLISHED]
    return Sheet(
        f"Table 3: turns on every board, {games:,} games each",
        (
            *("(n, k)", "optimal", "published", "linear weights, evolved here", "published"),
            "general forms, evolved here",
            *("Rule of N", "published", "N", "best N", "turns with it"),
        ),
        rows,
        f"The best N is the one of {NS[0]} to {NS[-1]} that takes fewest turns in {SEARCH:,} games "
        "on the same dice; what it takes is measured by other games. The paper does not say what "
        "its Rule of N adds up on boards that are not the official one; here the weights are "
        "counted from the middle column, and high and low told by column 7, which is what "
        "meets its turns on the smallest boards.",
    )


def _board(board: tuple[int, int], games: int) -> tuple[str, ...]:
    spec = spec_of(load(f"cantstop:players=1,sides={board[0]},shortest={board[1]}"))
    printed = published(spec)
    best = min(NS, key=lambda n: _alone(spec, RuleOf(n), SEARCH, SEED + 1).mean)
    linear, general = _evolved(board)
    return (
        f"({board[0]}, {board[1]})",
        _optimal(spec),
        printed.value if printed else NONE,
        linear,
        LINEAR_WEIGHTS[board],
        general,
        _turns(_alone(spec, RuleOf(PUBLISHED[board]), games)),
        RULES_OF_N[board],
        str(PUBLISHED[board]),
        str(best),
        _turns(_alone(spec, RuleOf(best), games)),
    )


def _optimal(spec: str) -> str:
    """The value of a board: settled, or solved once."""
    if settled(spec) != NONE:
        return f"{float(settled(spec)):.4f}"
    values = (each.report["value"] for each in records() if each.report["spec"] == spec)
    return next((f"{value:.4f}" for value in values), NONE)


def _evolved(board: tuple[int, int]) -> list[str]:
    """What was evolved for a board takes: linear weights, and weights of the general forms."""
    found = {each.kind: each for each in kept() if each.board == board}
    return [
        f"{found[kind].mean:.3f} ± {found[kind].error:.3f}" if kind in found else NONE
        for kind in KINDS
    ]


def _duels(games: int) -> Sheet:
    """Table 4: head to head."""
    champions = (RULE, CONSTANT, LINEAR)
    rows = []
    for second, printed in zip(champions, HEAD_TO_HEAD, strict=True):
        cells = [f"`{second.text}`"]
        for first, said in zip(champions, printed, strict=True):
            pair = [strategy(first.text), strategy(second.text)]
            found = simulate(load("cantstop"), pair, games, seed=SEED)
            cells += [f"{found.mean:.4f}", said]
        rows.append(tuple(cells))
    headers = [cell for each in champions for cell in (f"`{each.text}` first", "published")]
    return Sheet(
        f"Table 4: the first player's chances, {games:,} games each",
        ("second", *headers),
        rows,
        f"The standard error is at most {0.5 / games**0.5:.4f}, in print 0.005.",
    )


def _alone(spec: str, each: Strategy, games: int, seed: int = SEED) -> Simulation:
    return simulate(load(spec), [each], games, seed=seed)


def _turns(found: Simulation) -> str:
    return f"{found.mean:.3f} ± {found.error:.3f}"


if __name__ == "__main__":
    run("thumb", findings)
