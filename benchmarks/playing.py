"""Games a second between habits in the arena's kernels, beside the same games in plain Python."""

from __future__ import annotations

import sys
from collections import Counter
from random import Random
from time import process_time

from papers.sheet import Sheet

from backroll import load
from backroll.arena import play, simulate
from backroll.arena.playing import Dice, worth
from backroll.games.cantstop import CantStop
from backroll.strategies import Strategy, strategy
from backroll.strategies.models import Model
from backroll.strategies.playouts import rollout
from benchmarks.exploring import fastest

PLAYERS = {"cantstop": ("model", "model:pair=m2"), "cantstop:players=1": ("model", "ruleof")}
PLAIN = 20
"""Games in plain Python."""
OPTIONS = f"{'0,' * 10}0/{'0,' * 10}0/6=3,8=3@1,1,2,3"
"""A decision with four options, early in a game."""
ROLLOUT, ROUNDS = 60_000, 3


def sheets(*, quick: bool) -> list[Sheet]:
    games = 5_000 if quick else 200_000
    rows = [_rows(spec, text, games) for spec, texts in PLAYERS.items() for text in texts]
    headers = ("game", "each side", "plain Python", "one thread", "a core", "two threads", "ratio")
    played = Sheet(
        "Games a second",
        headers,
        rows,
        f"{games:,} games, and the first {PLAIN} of them in plain Python, which must end the same. "
        "A core: games a second of processor time, which a busy machine does not change. The ratio "
        "is that of a core to plain Python.",
    )
    return [played, _rollout(1_000 if quick else ROLLOUT)]


def _rows(spec: str, text: str, games: int) -> tuple[str, ...]:
    game, side = load(spec), strategy(text)
    assert isinstance(game, CantStop)
    sides = [side] * game.players
    simulate(game, sides, 1)
    plain = _plain(game, sides)
    began = process_time()
    one = simulate(game, sides, games, threads=1)
    core = games / (process_time() - began)
    two = simulate(game, sides, games, threads=2)
    rates = (plain, one.rate, core, two.rate)
    return f"`{spec}`", f"`{text}`", *(f"{rate:,.0f}" for rate in rates), f"{core / plain:,.0f} ×"


def _plain(game: CantStop, sides: list[Strategy]) -> float:
    """Games a second of processor time in plain Python."""
    players = [side.player(game, Random(0)) for side in sides]

    def values() -> list[float]:
        dice = (Dice(game.sides, 0, number) for number in range(PLAIN))
        return [worth(game, list(play(game, players, luck))) for luck in dice]

    found = values()
    began = process_time()
    values()
    seconds = process_time() - began
    kernel = simulate(game, sides, PLAIN).values
    if Counter(found) != Counter({value: n for value, n in kernel.items() if n}):
        sys.exit("games in plain Python and in the kernel differ")
    return PLAIN / seconds


def _rollout(games: int) -> Sheet:
    game, model = load("cantstop"), Model()
    assert isinstance(game, CantStop)
    position = game.parse(OPTIONS)
    found = rollout(game, position, model, model, 1)
    began = process_time()
    seconds = fastest(lambda: rollout(game, position, model, model, games), ROUNDS)
    processor = (process_time() - began) / ROUNDS
    rate = f"{len(found) * games / processor:,.0f}"
    return Sheet(
        "A decision by rollouts",
        ("options", "games an option", "seconds", "of processor time", "games a second of it"),
        [(str(len(found)), f"{games:,}", f"{seconds:.2f}", f"{processor:.2f}", rate)],
        f"On two threads; the fastest of {ROUNDS}, and the mean processor time.",
    )
