"""Inside the turns engine: where the time goes, what a run works on, what the hardware allows."""

from __future__ import annotations

from time import process_time
from typing import NamedTuple

from papers.sheet import Sheet

from backroll import Report
from backroll.kernels import kernel
from backroll.kernels.vectors import LANES
from benchmarks.clocked import SECOND, Tally, look_at_clock, tally_of
from benchmarks.turns import ONE, TWO, kernel_time, on_lanes

QUICK = (TWO.format(3, 1), ONE.format(3, 2))
FULL = (TWO.format(3, 2), TWO.format(3, 3), ONE.format(4, 2), ONE.format(4, 3))
CHAIN, CYCLES, FACTOR = 100_000_000, 4, 6364136223846793005
"""Steps of a chain of a multiplication (3 cycles on every x86 of the last years) and a sum (1)."""
LOADS = 2
"""Vector loads a cycle, on AVX-512 processors."""


class Measured(NamedTuple):
    """One board, solved on one thread: as it is, with clocks, and watched."""

    spec: str
    report: Report
    seconds: float
    """Of the processor, in all."""
    inside: float
    """Of those, in the kernels."""
    build: float
    full: float
    short: float
    watched: Tally


def sheets(*, quick: bool) -> list[Sheet]:
    boards = [measure(spec) for spec in (QUICK if quick else FULL)]
    rate = frequency()
    return [
        Sheet(
            "Where the processor time goes, one thread",
            ("game", "seconds", "Python", "programs", "full runs", "short runs", "the rest"),
            [_times(each) for each in boards],
            "Programs: making them. Full runs: all states. Short runs: where losing is worth no "
            "more than before, without who is known to stop in all lanes. The rest of the "
            "kernels: estimates, offsets of lanes, steps, proofs.",
        ),
        Sheet(
            "What a run works on",
            (
                *("game", "rows a run", "tracks, kB", "picks and wins", "no lane's", "left out"),
                *("lanes filled", "ways a row", "outcomes a row"),
            ),
            [_work(each) for each in boards],
            "Rows: roll states evaluated in a full run. Picks and wins: of all states, those "
            "that are no rolls. No lane's: of the rows of a full run, those that no lane can get "
            "to. Left out: of those of a short run, the ones stopped at in all lanes.",
        ),
        Sheet(
            "What a row of lanes takes",
            ("game", "vector operations", "vector loads", "cycles", "cycles for the loads alone"),
            [_row(each, rate) for each in boards],
            f"At the {rate / 1e9:.2f} GHz that a chain of multiplications runs at, with {LOADS} "
            "loads a cycle. Cycles count everything in a full run, picks and table look-ups too.",
        ),
    ]


def measure(spec: str, rounds: int = 1) -> Measured:
    """Solve a board in three ways, the shortest times of some rounds."""
    tally_of(lambda: on_lanes(spec.replace("shortest=3", "shortest=1"), 1))
    seconds = inside = build = full = short = float("inf")
    look = look_at_clock()
    for _ in range(rounds):
        began = process_time()
        with kernel_time(process_time) as taken:
            report = on_lanes(spec, 1)
        seconds, inside = min(seconds, process_time() - began), min(inside, sum(taken))
        tally = tally_of(lambda: on_lanes(spec, 1))
        build = min(build, tally.build * SECOND)
        full = min(full, tally.full.ticks * SECOND - tally.full.runs * look)
        short = min(short, tally.short.ticks * SECOND - tally.short.runs * look)
    watched = tally_of(lambda: on_lanes(spec, 1), watching=True)
    return Measured(spec, report, seconds, inside, build, full, short, watched)


def _times(board: Measured) -> tuple[str, ...]:
    rest = board.inside - board.build - board.full - board.short
    parts = (board.seconds - board.inside, board.build, board.full, board.short, rest)
    shares = (f"{part / board.seconds:.0%}" for part in parts)
    return (f"`{board.spec}`", f"{board.seconds:.2f}", *shares)


def _work(board: Measured) -> tuple[str, ...]:
    full, short = board.watched.full, board.watched.short
    filled = board.report.rolls / (LANES * (full.rows + short.rows))
    return (
        f"`{board.spec}`",
        f"{full.rows / full.runs:,.0f}",
        f"{full.states / full.runs * 2 * 8 * LANES / 1000:,.0f}",
        f"{1 - full.places / full.states:.0%}",
        f"{1 - full.needed / full.places:.0%}",
        f"{1 - short.rows / short.places:.0%}",
        f"{filled:.0%}",
        f"{full.ways / full.rows:.1f}",
        f"{full.outcomes / full.rows:.1f}",
    )


def _row(board: Measured, rate: float) -> tuple[str, ...]:
    """A product and a sum for each track of an outcome; for another way a comparison and two picks.

    Loads: two tracks a way, a weight an outcome. At the end a stop is compared and picked.
    """
    full = board.watched.full
    ways, outcomes = full.ways / full.rows, full.outcomes / full.rows
    operations = 4 * outcomes + 3 * (ways - outcomes) + 4
    loads = 2 * ways + outcomes
    return (
        *(f"`{board.spec}`", f"{operations:.0f}", f"{loads:.0f}"),
        f"{board.full / full.rows * rate:.0f}",
        f"{loads / LOADS:.0f}",
    )


def frequency() -> float:
    """Cycles a second, from a chain of steps each of which waits for the one before."""
    chain(1, 3, FACTOR)
    best = float("inf")
    for _ in range(3):
        began = process_time()
        chain(CHAIN, 3, FACTOR)
        best = min(best, process_time() - began)
    return CHAIN * CYCLES / best


@kernel
def chain(steps: int, x: int, factor: int) -> int:
    """Multiply by what the compiler does not know, and add."""
    for _ in range(steps):
        x = x * factor + 12345
    return x
