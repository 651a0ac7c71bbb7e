"""The Can't Stop Game (Canakci, Serrano, Roy and Kruskal): limits, matches, decisions, errors."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import perf_counter
from typing import Literal, NamedTuple

import numpy as np

from backroll.arena import play, simulate
from backroll.arena.limits import Climbed, Climbing, climbing, exactly, played
from backroll.arena.playing import luck_of
from backroll.cli.output import duration
from backroll.games.cantstop import CantStop
from backroll.strategies.models import Model, limits, outlook, weights_of
from backroll.strategies.playouts import Option, rollout
from backroll.strategies.rollouts import Rollout, Suspicion, justifying
from papers.sheet import NONE, Findings, Sheet, run

BOARD = CantStop()
COLUMNS = (4, 5, 6)
TURNS = 1_000_000
MATCH, LONG, LONGER = 1_000, 100_000, 1_000_000
GAMES = 60_000
SURE = 1.96
"""Standard errors to either side of 95 %."""


class Limit(NamedTuple):
    """A row of the table of limits, as published."""

    seven: int
    best: int
    sevens: int
    others: int
    weight: float


LIMITS = (
    Limit(1, 15, 1524905, 4732089, 3238416.5),
    Limit(2, 14, 1520130, 4736400, 3238495.9),
    Limit(3, 13, 1512206, 4739533, 3236479.4),
    Limit(4, 12, 1516493, 4740706, 3239102.6),
    Limit(5, 12, 1519482, 4738609, 3239374.3),
    Limit(6, 10, 1526175, 4733003, 3239496.3),
    Limit(7, 10, 1525346, 4727844, 3236353.9),
    Limit(8, 8, 1529201, 4733986, 3241430.8),
    Limit(9, 8, 1525945, 4734284, 3240073.6),
    Limit(10, 7, 1522858, 4747752, 3245831.5),
    Limit(11, 7, 1517469, 4743007, 3240786.5),
    Limit(12, 6, 1513820, 4738304, 3236574.4),
    Limit(13, 4, 1515006, 4737573, 3236736.2),
)
MODEL = Limit(0, 0, 1526867, 4724978, 3235531.0)
HIGHEST = 22


class Match(NamedTuple):
    """A match as published: who goes first and second, and the games that the first won."""

    first: str
    second: str
    won: int


MATCHES = (
    Match("m1", "m2", 559),
    Match("m2", "m1", 602),
    Match("m1", "m3", 543),
    Match("m3", "m1", 579),
    Match("m2", "m3", 593),
    Match("m3", "m2", 537),
)

NOTHING = ",".join("0" * 11)
POSITIONS = {
    "first roll": f"{NOTHING}/{NOTHING}@1,3,4,6",
    "first roll, two and twelve or sevens": f"{NOTHING}/{NOTHING}@1,1,6,6",
    "early, four squares in 6, 7, 8": f"{NOTHING}/{NOTHING}/6=1,7=2,8=1",
    "early, ten squares in 6, 7, 8": f"{NOTHING}/{NOTHING}/6=3,7=4,8=3",
    "early, four squares in 3, 4, 11": f"{NOTHING}/{NOTHING}/3=2,4=1,11=1",
    "a marker still free, eleven squares": f"{NOTHING}/{NOTHING}/6=5,7=6",
    "three ways, one to the opponent's square": (
        "0,0,0,2,4,5,3,0,0,0,0/0,0,2,0,6,3,5,2,0,0,0@1,2,4,5"
    ),
    "the opponent one square from winning": (
        "0,0,0,9,4,5,3,0,0,0,0/3,0,0,0,7,12,6,0,7,0,0/6=6,7=7,8=5"
    ),
    "winning is one seven away": "3,0,0,9,4,10,3,0,0,0,0/0,0,0,0,7,8,6,0,7,0,0/6=5,7=12,8=5",
    "late, which column to finish": "3,0,0,9,4,10,8,0,0,0,0/0,0,0,0,7,8,6,0,7,0,3@2,4,5,5",
}
STOPS = {
    "one square each in 6, 7, 8": f"{NOTHING}/{NOTHING}/6=1,7=1,8=1",
    "six squares in 6, 7, 8": f"{NOTHING}/{NOTHING}/6=2,7=2,8=2",
    "thirteen squares in 6, 7, 8": f"{NOTHING}/{NOTHING}/6=4,7=5,8=4",
    "three squares in 4, 5, 9": f"{NOTHING}/{NOTHING}/4=1,5=1,9=1",
    "three squares in 3, 4, 11": f"{NOTHING}/{NOTHING}/3=1,4=1,11=1",
    "four squares in 2, 3, 12": f"{NOTHING}/{NOTHING}/2=1,3=2,12=1",
}
TRUE_ERRORS = (0.0, 0.1, 0.25, 0.5)
WATCHED, ROLLED_OUT, AGAINST_BASE = 6, 500, 100


def findings(*, everything: bool) -> Findings:
    rollout(BOARD, BOARD.parse(POSITIONS["first roll"]), Model(), Model(), 1)  # compiled untimed
    simulate(BOARD, (Model(), Model()), 1)
    sheets = [_limits(), _own(), _matches(LONGER if everything else LONG), _decisions(), _stops()]
    if everything:
        sheets += [_opponents(), _against_base()]
    return Findings("Canakci, Serrano, Roy and Kruskal, The Can't Stop Game", sheets)


def _turns(doubles: Literal["twice", "once"] = "once") -> Climbing:
    """Turns in columns 6, 7 and 8; the weights of 6 and of 7 add up to 1, as in the paper."""
    weights = weights_of(BOARD)[list(COLUMNS)]
    return climbing(BOARD, COLUMNS, list(weights / weights[:2].sum()), doubles)


def _limits() -> Sheet:
    turns = _turns()
    headers = (
        *("l7", "best l68, exact", "played", "published", "total c7, exact", "played", "published"),
        *("total c68, exact", "played", "published", "weighted, exact", "played", "published"),
    )
    rows = [_limit(turns, row) for row in LIMITS]
    note = (
        f"Each l68 from 1 to {HIGHEST}, {TURNS:,} turns a row, the same turns for all its limits. "
        f"Exact is the mean of a turn times {TURNS:,}; the weighted total of a run strays by about "
        "4,300. Of two pairings that is taken which climbs more columns by weight, a double "
        "counting once: only so do the published totals come out."
    )
    return Sheet("The best limits in columns 6, 7 and 8", headers, rows, note)


def _limit(turns: Climbing, row: Limit) -> tuple[str, ...]:
    side, seven, _ = turns.weights
    weights = [seven * row.seven + side * n for n in range(1, HIGHEST + 1)]
    exact, found = exactly(turns, weights), played(turns, weights, TURNS, seed=row.seven)
    best, highest = (int(np.argmax([each.weight for each in some])) for some in (exact, found))
    cells = zip(_totals(exact[best]), _totals(found[highest]), _published(row), strict=True)
    return (
        *(str(row.seven), str(best + 1), str(highest + 1), str(row.best)),
        *(text for three in cells for text in three),
    )


def _totals(climbed: Climbed) -> tuple[str, str, str]:
    six, seven, eight = climbed.squares * TURNS
    return f"{seven:,.0f}", f"{six + eight:,.0f}", f"{climbed.weight * TURNS:,.1f}"


def _published(row: Limit) -> tuple[str, str, str]:
    return f"{row.sevens:,}", f"{row.others:,}", f"{row.weight:,.1f}"


def _own() -> Sheet:
    turns = _turns()
    weights = weights_of(BOARD)
    bits = sum(1 << c for c in COLUMNS)
    limit = limits(outlook(BOARD, tuple(weights)), 0.0)[bits] / weights[4:6].sum()
    (once,), (found,) = exactly(turns, [limit]), played(turns, [limit], TURNS)
    (twice,) = exactly(_turns("twice"), [limit])
    return Sheet(
        "The model's own progress",
        ("", "total c7", "total c68", "weighted"),
        [
            ("exact, doubles chosen as one", *_totals(once)),
            ("played", *_totals(found)),
            ("published", *_published(MODEL)),
            ("exact, doubles chosen as two", *_totals(twice)),
        ],
        f"It stops at a weight of {limit:.4f}, reckoned with doubles as two. If they are chosen so "
        "too, that is the best limit there is: one more roll gains less and less as the weight "
        "grows, so looking one roll ahead is enough.",
    )


def _matches(games: int) -> Sheet:
    headers = ("first", "second", "published", "ours", f"{games:,} games", "published − ours")
    return Sheet(
        "Matches between the ways to pair",
        (*headers, "games a second"),
        [_match(row, games) for row in MATCHES],
        f"Games won by the first of {MATCH:,}, and the share of {games:,} with 95 % to either "
        "side; the difference in standard errors of the published number.",
    )


def _match(row: Match, games: int) -> tuple[str, ...]:
    sides = [Model(pair=pair) for pair in (row.first, row.second)]  # type: ignore[arg-type]
    short, long = (simulate(BOARD, sides, n, seed=n) for n in (MATCH, games))
    apart = (row.won / MATCH - long.mean) / (long.deviation / MATCH**0.5)
    return (
        *(row.first, row.second, str(row.won), str(int(short.values[1.0]))),
        f"{long.mean:.4f} ± {SURE * long.error:.4f}",
        f"{apart:+.1f}",
        f"{long.rate:,.0f}",
    )


def _decisions() -> Sheet:
    return Sheet(
        "Ten decisions by rollouts",
        ("decision", "position", "option", "won", "behind", "the model's choice", "time"),
        [row for name, text in POSITIONS.items() for row in _decision(name, text)],
        f"{GAMES:,} games an option with the same dice, 95 % to either side; what is behind "
        "is taken game by game. The time is that of the whole decision.",
    )


def _decision(name: str, text: str) -> Iterator[tuple[str, ...]]:
    position, model = BOARD.parse(text), Model()
    began = perf_counter()
    found = rollout(BOARD, position, model, model, GAMES)
    took = duration(perf_counter() - began)
    own = model.player(BOARD, Random(0))(position)
    for i, option in enumerate(found):
        head = (name, f"`{text}`") if i == 0 else ("", "")
        yield *head, *_option(option), "yes" if option.move == own else "", took if i == 0 else ""


def _option(option: Option) -> tuple[str, str, str]:
    behind = f"{option.behind:.4f} ± {SURE * option.behind_error:.4f}" if option.behind else NONE
    won = f"{option.value:.4f} ± {SURE * option.error:.4f}"
    return BOARD.show_move(option.move), won, behind


def _stops() -> Sheet:
    return Sheet(
        "What a stop says about who makes it",
        ("stop", "position", "error", "with other dice"),
        [
            (name, f"`{text}`", *(f"{_error(text, seed):.2f}" for seed in (0, 1)))
            for name, text in STOPS.items()
        ],
        "The smallest error from 0 to 1.5, by 0.05, with which stopping wins as often as rolling, "
        "1,500 games each; 1.5 also where none does, as where an opponent who errs that much still "
        "wins more by rolling once.",
    )


def _error(text: str, seed: int) -> float:
    return justifying(BOARD, BOARD.parse(text), Model(), seed=seed)


def _opponents() -> Sheet:
    return Sheet(
        "Errors estimated from games",
        ("true error", "stops", "mean estimate", "95 %"),
        [_opponent(error) for error in TRUE_ERRORS],
        f"All stops of {WATCHED} games against a model without error. From 0.5 on the model stops "
        "at almost every first occasion, so that larger errors play alike.",
    )


def _opponent(error: float) -> tuple[str, ...]:
    suspicion = Suspicion(BOARD, Model())
    players = [each.player(BOARD, Random(0)) for each in (Model(error=error), Model())]
    for number in range(WATCHED):
        for step in play(BOARD, players, luck_of(BOARD, 1, number)):
            if step.mover == 1 and step.move == "stop":
                suspicion.add(step.position, seed=len(suspicion.errors))
    spread = SURE * np.std(suspicion.errors) / len(suspicion.errors) ** 0.5
    return (
        f"{error:g}",
        str(len(suspicion.errors)),
        f"{suspicion.error:.2f}",
        f"± {spread:.2f}",
    )


def _against_base() -> Sheet:
    player, base = Rollout(games=ROLLED_OUT), Model()
    rows = []
    for sides in ((player, base), (base, player)):
        found = simulate(BOARD, sides, AGAINST_BASE)
        won = found.mean if sides[0] is player else 1 - found.mean
        seat = "first" if sides[0] is player else "second"
        rows.append((seat, f"{won:.3f} ± {SURE * found.error:.3f}", duration(found.seconds)))
    return Sheet(
        "A player by rollouts against the player they are made with",
        ("moves", "won", "time"),
        rows,
        f"{AGAINST_BASE} games in each seat, {ROLLED_OUT} games an option.",
    )


if __name__ == "__main__":
    run("model", findings)
