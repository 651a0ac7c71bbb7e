"""Commands about strategies: list them, let them play many games, and each other."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backroll.cli.output import as_json, duration, panel, progress_bar, quiet_games, table
from backroll.cli.playing import Json, Spec
from backroll.errors import BackrollError, Interrupted
from backroll.spec import load

if TYPE_CHECKING:
    from backroll.arena import Interval, Simulation, Tournament
    from backroll.arena.tournaments import Standing

HELP = "Such as ruleof:n=28; see backroll strategies."
Several = Annotated[list[str], typer.Argument(metavar="STRATEGY...", help=HELP)]
Games = Annotated[
    int | None,
    typer.Option(min=1, help="By itself 100,000, or 1,000 where one plays in plain Python."),
]
Seed = Annotated[
    int, typer.Option(min=0, max=2**62, help="Of the dice; the same seed, the same games.")
]
Threads = Annotated[
    int | None, typer.Option(min=1, help="By itself one a processor; they change no result.")
]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV and nothing else.")]
Plot = Annotated[
    Path | None, typer.Option(help="Draw a picture there: .png, .svg or .pdf (needs matplotlib).")
]
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


def strategies(json: Json = False) -> None:
    """List the strategies and their parameters."""
    from backroll.strategies.names import catalogue, named, plays

    entries = [(*entry, plays(entry.name), named(entry.name)) for entry in catalogue()]
    if json:
        as_json({"strategies": [_listed(*entry) for entry in entries]})
        return
    for i, (name, summary, parameters, where, known) in enumerate(entries):
        print("\n" * (i > 0) + f"{name}: {summary} {where}")
        if known:
            print(f"Known by name: {', '.join(known)}.")
        if parameters:
            table(("parameter", "takes", "default"), parameters)


def _listed(
    name: str,
    summary: str,
    parameters: list[tuple[str, str, str]],
    where: str,
    known: list[str],
) -> dict[str, Any]:
    columns = ("name", "takes", "default")
    rows = [dict(zip(columns, each, strict=True)) for each in parameters]
    about = {"name": name, "summary": summary, "plays": where}
    return {**about, "parameters": rows, "named": known}


def simulate(
    spec: Spec,
    strategy: Several,
    games: Games = None,
    seed: Seed = 0,
    threads: Threads = None,
    both: Annotated[
        bool, typer.Option("--both", help="Then as many games with the seats exchanged.")
    ] = False,
    csv: Csv = False,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Play many games and say what they come to.

    One strategy a player. Interrupted, it says what the games until then came to.
    """
    from backroll.arena import Stopped
    from backroll.arena import simulate as simulation_of
    from backroll.strategies import strategy as strategy_of

    one_form(csv, json)
    _drawable(plot)
    if both and len(strategy) != 2:
        raise BackrollError(f"--both expected two strategies, found {len(strategy)}")
    seats = [strategy, strategy[::-1]] if both else [strategy]
    found: list[Simulation] = []
    stopped = False
    with quiet_games(json or csv), progress_bar() as progress:
        game = load(spec)
        threads = threads or processors()
        entered = [[*map(strategy_of, each)] for each in seats]
        try:
            for each in entered:
                found += [
                    simulation_of(game, each, games, seed=seed, threads=threads, progress=progress)
                ]
        except Stopped as stop:
            stopped = True
            found += [stop.simulation] * (stop.simulation.games > 0)
    if found and plot is not None:
        from backroll.arena.plots import plot_turns

        plot_turns(found, plot)
    if json:
        as_json(found[0].as_dict() if len(seats) == 1 and found else _seats(found))
    elif csv:
        _print_turns(found)
    else:
        for simulation in found:
            panel(simulation.spec, _simulated(simulation))
        if len(found) == 2 and not stopped:
            said = f"{_within(_together(found))} for {found[0].strategies[0]}"
            panel("both seats", [("95 %", said)])
    if stopped:
        raise Interrupted(f"interrupted after {sum(each.games for each in found):,} games")


def _seats(found: Sequence[Simulation]) -> dict[str, Any]:
    matched = len(found) == 2 and len(found[0].batches) == len(found[1].batches)
    both = list(_together(found)) if matched else None
    return {"seats": [each.as_dict() for each in found], "both": both}


def _together(found: Sequence[Simulation]) -> Interval:
    """What the strategy that was named first makes a game, from both seats."""
    from backroll.arena import both_seats

    return both_seats(found[0], found[1], load(found[0].spec).total)


def one_form(csv: bool, json: bool) -> None:
    """Refuse to print two forms at once."""
    if csv and json:
        raise BackrollError("expected --csv or --json, found both")


def _drawable(plot: Path | None) -> None:
    if plot is not None:
        from backroll.arena.plots import require_plots

        require_plots(plot)


def processors() -> int:
    """How many threads a command takes by itself; from here on Numba may start."""
    from backroll.kernels import start_without_scipy
    from backroll.solving import processors as there_are

    start_without_scipy()
    return there_are()


def write_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as CSV under their header."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)


def _print_turns(found: Sequence[Simulation]) -> None:
    """How many games took so many turns, a row each."""
    rows = [
        (*_padded(each.strategies), turns, games)
        for each in found
        for turns, games in sorted(each.turns.items())
    ]
    write_csv(("first", "second", "turns", "games"), rows)


def _padded(strategies: Sequence[str]) -> tuple[str, str]:
    return strategies[0], strategies[1] if len(strategies) > 1 else ""


def _within(interval: Interval) -> str:
    return f"{interval.low:.4f} to {interval.high:.4f}"


def _simulated(found: Simulation) -> list[tuple[str, str]]:
    from backroll.arena.intervals import percentile

    seats = ["strategy"] if len(found.strategies) == 1 else ["first", "second"]
    rows = list(zip(seats, found.strategies, strict=True))
    rows.append(("games", f"{found.games:,} of seed {found.seed}"))
    if found.unfinished:
        rows.append(("given up", f"{found.unfinished:,} that would not end"))
    if not found.ended:
        return rows
    turns = ", ".join(f"{percentile(found.turns, share)} ({share:.0%})" for share in SHARES)
    return [
        *rows,
        ("mean", f"{found.mean:.4f} ± {found.error:.4f}  {found.quantity}"),
        ("95 %", _within(found.interval)),
        ("deviation", f"{found.deviation:.4f} a game"),
        ("turns", turns),
        ("time", f"{duration(found.seconds)}, {found.rate:,.0f} games a second"),
    ]


def tournament(
    spec: Spec,
    strategy: Several,
    games: Games = None,
    seed: Seed = 0,
    threads: Threads = None,
    csv: Csv = False,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Let strategies play each other and rate them.

    Every one plays every other, from both seats, as many games in each. In a game for one they
    play the same dice. Interrupted, it rates by the games until then.
    """
    from backroll.arena import Halted
    from backroll.arena import tournament as tournament_of
    from backroll.strategies import strategy as strategy_of

    one_form(csv, json)
    _drawable(plot)
    stopped = False
    with quiet_games(json or csv), progress_bar() as progress:
        game = load(spec)
        threads = threads or processors()
        entered = [*map(strategy_of, strategy)]
        try:
            found = tournament_of(
                game, entered, games, seed=seed, threads=threads, progress=progress
            )
        except Halted as halt:
            stopped, found = True, halt.tournament
    if not found.cells:
        raise Interrupted("interrupted before a game was over")
    if plot is not None:
        from backroll.arena.plots import plot_tournament

        plot_tournament(found, plot)
    if json:
        as_json(found.as_dict())
    elif csv:
        _print_matches(found)
    else:
        _print_tournament(found)
    if stopped:
        played = sum(cell.games for cell in found.cells.values())
        raise Interrupted(f"interrupted after {played:,} games")


def _print_matches(found: Tournament) -> None:
    rows = [
        (first, second, cell.games, cell.mean, cell.error, *cell.interval, cell.deviation)
        for first, second, cell in found.rows()
    ]
    header = ("first", "second", "games", "mean", "error", "low", "high", "deviation")
    write_csv(header, rows)


def _print_tournament(found: Tournament) -> None:
    played = sum(cell.games for cell in found.cells.values())
    rows = [
        ("games", f"{played:,} of seed {found.seed}, {len(found.cells)} matches"),
        ("time", f"{duration(found.seconds)}"),
    ]
    if found.ratings is not None:
        elo, low, high = found.ratings.first
        rows.append(("beginning", f"worth {elo:.0f} Elo ({low:.0f} to {high:.0f})"))
    panel(found.spec, rows)
    standings = [_standing(each) for each in found.standings()]
    if found.ratings is None:
        table(("strategy", found.quantity, "95 %", "behind", "95 %"), standings)
        return
    table(("strategy", "points", "95 %", "Elo", "95 %"), standings)
    if len(found.strategies) <= 9:
        _print_matrix(found)


def _standing(found: Standing) -> tuple[str, ...]:
    mean = (found.strategy, f"{found.mean:.4f}", _within(found.interval))
    if found.rating is not None:
        elo, low, high = found.rating
        return (*mean, f"{elo:.0f}", f"{low:.0f} to {high:.0f}")
    if found.behind is None:
        return (*mean, "best", "")
    low, high = found.behind
    return (*mean, f"{abs(low + high) / 2:.4f}", _within(found.behind))


def _print_matrix(found: Tournament) -> None:
    """Points of those who began, in rows, against those who came second, in columns."""
    order = [each.place for each in found.standings()]
    rows = [
        (
            f"{n} {found.strategies[i]}",
            *(_share(found, i, j) for j in order),
        )
        for n, i in enumerate(order, 1)
    ]
    table(("first", *(str(n) for n in range(1, len(order) + 1))), rows)


def _share(found: Tournament, i: int, j: int) -> str:
    if (i, j) not in found.scores:
        return "-"
    points, games = found.scores[i, j]
    return f"{points / games:.4f}"
