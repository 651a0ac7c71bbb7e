"""Exploring in plain Python: positions a second, where the time goes, and a naive recursion."""

from __future__ import annotations

import sys
from collections.abc import Callable
from timeit import repeat
from typing import Any

from papers.sheet import Sheet

from backroll import Chance, Choice, Game, Swap, Terminal, load, solve
from backroll.game import minimises
from backroll.graph import explore

QUICK = ("nim:stones=12,piles=3,most=0", "shutthebox", "pig:target=30")
FULL = (
    *("nim:stones=50000", "nim:stones=30,piles=4,most=0", "shutthebox", "shutthebox:aim=win"),
    *("pig", "cantstop:players=1,sides=3,shortest=1", "cantstop:players=1,sides=3,shortest=2"),
)
ACYCLIC = ("nim:stones=12,piles=3", "nim:stones=30,piles=4", "shutthebox")
"""Games that a recursion can solve, without cycles and not too deep for Python's stack."""


def sheets(*, quick: bool) -> list[Sheet]:
    rounds = 1 if quick else 3
    specs = QUICK if quick else FULL
    shallow = [spec for spec in specs if spec.startswith(ACYCLIC)]
    return [
        Sheet(
            "Exploring",
            ("game", "positions", "edges", "positions/s", "edges/s", "rules alone"),
            [_explored(spec, rounds) for spec in specs],
            "Rules alone: the same calls of `node` and `play` with nothing kept, as a share.",
        ),
        Sheet(
            "Where the time goes, in seconds",
            ("game", "explore", "order", "solve", "prove", "all", "exploring's share"),
            [_stages(spec, rounds) for spec in specs],
        ),
        Sheet(
            "Against a recursion with a dictionary",
            ("game", "recursion", "general path", "recursion / general path"),
            [_against(spec, rounds) for spec in shallow],
            "The recursion finds values only: no graph, no order, no proof, no cycles.",
        ),
    ]


def fastest(work: Callable[[], Any], rounds: int) -> float:
    """The shortest time of some rounds, the garbage collector off, as `explore` runs."""
    return min(repeat(work, number=1, repeat=rounds))


def _explored(spec: str, rounds: int) -> tuple[str, ...]:
    game = load(spec)
    explored = explore(game)
    positions, edges = len(explored.positions), explored.graph.child.size
    seconds = fastest(lambda: explore(game), rounds)
    rules = fastest(lambda: _rules_alone(game, explored.positions), rounds)
    return (
        f"`{spec}`",
        *(f"{positions:,}", f"{edges:,}"),
        *(f"{positions / seconds:,.0f}", f"{edges / seconds:,.0f}"),
        f"{rules / seconds:.0%}",
    )


def _rules_alone(game: Game[Any], positions: list[Any]) -> None:
    for position in positions:
        node = game.node(position)
        if isinstance(node, Terminal):
            continue
        for move in node.outcomes if isinstance(node, Chance) else node.moves:
            game.play(position, move)


def _stages(spec: str, rounds: int) -> tuple[str, ...]:
    game = load(spec)
    reports = [solve(game, engine="general").report for _ in range(rounds)]
    seconds = min((report.seconds for report in reports), key=lambda each: sum(each.values()))
    whole = sum(seconds.values())
    stages = (f"{seconds[stage]:.3f}" for stage in ("explore", "order", "solve", "prove"))
    return (f"`{spec}`", *stages, f"{whole:.3f}", f"{seconds['explore'] / whole:.0%}")


def _against(spec: str, rounds: int) -> tuple[str, ...]:
    game = load(spec)
    value, general = recursion(game), solve(game, engine="general").value
    if abs(value - general) > 1e-12:
        sys.exit(f"{spec}: the recursion finds {value!r}, the general path {general!r}")
    naive = fastest(lambda: recursion(game), rounds)
    whole = fastest(lambda: solve(game, engine="general"), rounds)
    return f"`{spec}`", f"{naive:.3f} s", f"{whole:.3f} s", f"{naive / whole:.2f}"


def recursion(game: Game[Any]) -> float:
    """The value of a game without cycles, as one would write it in a minute."""
    known: dict[Any, float] = {}

    def value(position: Any) -> float:
        if position not in known:
            known[position] = worth(position)
        return known[position]

    def after(position: Any, move: Any) -> float:
        child = game.play(position, move)
        return game.total - value(child.position) if isinstance(child, Swap) else value(child)

    def worth(position: Any) -> float:
        node = game.node(position)
        if isinstance(node, Terminal):
            return node.value
        if isinstance(node, Choice):
            best = min if minimises(game.quantity, node.player) else max
            return node.adds + best(after(position, move) for move in node.moves)
        whole = sum(weight * after(position, move) for move, weight in node.outcomes.items())
        return node.adds + whole / sum(node.outcomes.values())

    return value(game.start())
