"""Strategies judged exactly, beside games that were played, and what each costs against best play.

The exact value comes from chance sent through every anchor that the strategies meet, the other
from games: two answers that share the decisions and nothing else.
"""

from __future__ import annotations

import math
from itertools import product

from backroll import load, solve
from backroll.arena import simulate
from backroll.judging import Judgement, evaluate
from backroll.strategies import strategy
from papers.sheet import NONE, Findings, Sheet, run

STRATEGIES = (
    "ruleof", "ruleof:n=12", "constant:champion", "linear:champion", "model", "model:stop=total",
    "model:pair=m2", "model:pair=m3,error=0.25",
)  # fmt: skip
ALONE = ((2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2))
FOR_TWO = ((3, 1), (3, 2), (3, 3))
WHOLE = 2
"""Boards for two on which every pair is judged; on the other each strategy once in either seat.

On (4, 1) a pair takes minutes.
"""
QUICK = 4
"""Boards alone, and half as many for two, without `--all`."""
GAMES = 200_000
SEED = 7
FAR = 4.0
"""Standard errors between what is exact and what was played that would be a fault."""


def findings(*, everything: bool) -> Findings:
    alone = ALONE if everything else ALONE[:QUICK]
    duels = FOR_TWO if everything else FOR_TWO[: QUICK // 2]
    sheets = [_alone(alone), _duels(duels)]
    return Findings("Strategies judged exactly and by games", sheets)


def _alone(boards: tuple[tuple[int, int], ...]) -> Sheet:
    rows = []
    for sides, shortest in boards:
        spec = f"cantstop:sides={sides},shortest={shortest},players=1"
        best = solve(load(spec)).value
        board = f"({sides}, {shortest})"
        rows += [(board, f"`{text}`", *_judged(spec, (text,), best)) for text in STRATEGIES]
    return Sheet(
        f"One player: expected turns, {GAMES:,} games each",
        (
            *("(n, k)", "strategy", "exact", "standard deviation", "played", "apart"),
            *("costs, turns", "anchors met"),
        ),
        rows,
        f"Apart: in standard errors of what was played; {FAR:g} would be a fault. What a strategy "
        "costs is against the fewest expected turns, as solved.",
    )


def _duels(boards: tuple[tuple[int, int], ...]) -> Sheet:
    rows = []
    some = STRATEGIES[1::2]
    for i, (sides, shortest) in enumerate(boards):
        spec = f"cantstop:sides={sides},shortest={shortest}"
        best = solve(load(spec)).value
        once = zip(some, (*some[1:], some[0]), strict=True)
        for pair in product(some, repeat=2) if i < WHOLE else once:
            name = f"`{pair[0]}`, `{pair[1]}`"
            rows.append((f"({sides}, {shortest})", name, *_judged(spec, pair, best)))
    return Sheet(
        f"Two players: how often the first wins, {GAMES:,} games each",
        (
            *("(n, k)", "first, second", "exact", "standard deviation", "played", "apart"),
            *("against best play of both", "anchors met"),
        ),
        rows,
        "The last but one: the win probability of the first player less his exact value, with the "
        "sign turned round; below 0 the second has made the larger mistakes.",
    )


def _judged(spec: str, texts: tuple[str, ...], best: float) -> tuple[str, ...]:
    """The cells of a row; an error if what is exact and what was played are too far apart."""
    game, strategies = load(spec), [strategy(text) for text in texts]
    exact: Judgement = evaluate(game, strategies, optimal=best)
    played = simulate(game, strategies, GAMES, seed=SEED)
    deviation = exact.deviation
    if deviation is None:
        deviation = math.sqrt(exact.value * (1 - exact.value))
    apart = (played.mean - exact.value) / (deviation / math.sqrt(GAMES)) if deviation else 0.0
    if abs(apart) > FAR or played.unfinished:
        raise SystemExit(
            f"{spec}, {texts}: expected {exact.value}, found {played.mean} ({apart:.1f} standard "
            f"errors), {played.unfinished} games unfinished"
        )
    return (
        f"{exact.value:.9f}",
        f"{exact.deviation:.6f}" if exact.deviation is not None else NONE,
        f"{played.mean:.4f}",
        f"{apart:+.1f}",
        f"{exact.cost:.4f}",
        f"{exact.anchors:,}",
    )


if __name__ == "__main__":
    run("judgement", findings)
