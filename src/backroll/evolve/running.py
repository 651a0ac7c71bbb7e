"""Run an evolution: ask, judge, tell, and measure what has come out on games that nobody has seen.

The last population is judged again by games that did not select it; the ten best of it, and what
the search would play itself, by more; and the best of those is measured. Each of the three has
games of its own, so the last number is not the luck of the one that was picked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

import google_crc32c

from backroll.arena import simulate
from backroll.errors import EvolutionError
from backroll.evolve.checkpoint import Journal
from backroll.evolve.evolution import EARLY, Evolution, Final, Generation
from backroll.evolve.fitness import Fitness, fitness_of
from backroll.evolve.searches import Search, search_of
from backroll.evolve.settings import GENERATIONS, Settings
from backroll.solution import Progress, silent
from backroll.strategies import text_of
from backroll.strategies.forms import Weights
from backroll.strategies.habits import Habitual
from backroll.strategies.weighted import save

LAST, BEST, MEASURED = GENERATIONS - 3, GENERATIONS - 2, GENERATIONS - 1
TEN, TIMES = 10, 10
"""How many are judged once more, by how many times the games."""
WEIGHTS = "weights.json"
Watch = Callable[[int, Generation], None]


def unwatched(number: int, generation: Generation) -> None:
    """Look at no generation."""


def evolve(
    settings: Settings,
    out: Path | None = None,
    *,
    threads: int = 2,
    progress: Progress = silent,
    watch: Watch = unwatched,
) -> Evolution:
    """Run an evolution, or take one up again that was begun in a folder with the same settings.

    The result does not depend on interruptions or threads. `watch` is called after each generation.
    """
    began = perf_counter()
    game = settings.game()
    search = search_of(game, settings)
    journal = Journal(out, settings)
    with fitness_of(game, settings.fitness, threads) as fitness:
        try:
            last = _generations(settings, search, fitness, journal, progress, watch)
            final, best = _final(settings, last, search.summary(), fitness)
            measured = simulate(
                game, [best], settings.measured, seed=settings.dice(MEASURED), threads=threads,
                progress=progress,
            )  # fmt: skip
        except KeyboardInterrupt as error:
            error.add_note(f"{journal.told()}; the same command goes on from there")
            raise
    return Evolution(
        settings,
        tuple(journal.generations[: settings.generations]),
        final,
        best,
        _text(best, out),
        measured.mean,
        measured.error,
        perf_counter() - began,
    )


def _generations(
    settings: Settings,
    search: Search,
    fitness: Fitness,
    journal: Journal,
    progress: Progress,
    watch: Watch,
) -> list[Habitual]:
    """Go through all generations, those of the journal by what it says; gives the last one."""
    asked: list[Habitual] = []
    for number in range(settings.generations):
        asked = search.ask()
        check = google_crc32c.value(repr(asked).encode())
        if number == len(journal.generations):
            judged = _judged(settings, number, asked, check, fitness)
            journal.keep(judged)
            watch(number + 1, judged)
        generation = journal.generations[number]
        if generation.asked != check:
            raise EvolutionError(
                f"expected the same strategies in generation {number + 1} as when it was judged, "
                "found others: it was run with other versions of its libraries"
            )
        search.tell([turns / generation.games for turns in generation.turns])
        progress("evolve", number + 1, settings.generations)
    return asked


def _judged(
    settings: Settings, number: int, asked: Sequence[Habitual], check: int, fitness: Fitness
) -> Generation:
    began = perf_counter()
    games = settings.games(number)
    common = settings.method == "cmaes"  # the paper's fitness is of games of one's own
    turns = fitness(asked, games, settings.dice(number), common=common)
    return Generation(games, tuple(turns), check, perf_counter() - began)


def _final(
    settings: Settings, last: Sequence[Habitual], more: Sequence[Habitual], fitness: Fitness
) -> tuple[Final, Habitual]:
    """The last population judged again, and the best."""
    games = settings.finals
    turns = [each / games for each in fitness(last, games, settings.dice(LAST), common=True)]
    final = Final(sum(turns) / len(turns), min(turns[:EARLY]), min(turns))
    ranked = sorted(range(len(last)), key=turns.__getitem__)
    best = [*more, *(last[i] for i in ranked[:TEN])]
    again = fitness(best, TIMES * games, settings.dice(BEST), common=True)
    return final, best[again.index(min(again))]


def _text(best: Habitual, out: Path | None) -> str:
    """The strategy as a command takes it; general forms are kept in a file."""
    if not isinstance(best, Weights) or out is None:
        return text_of(best)
    save(out / WEIGHTS, best)
    return f"weighted:{out / WEIGHTS}"
