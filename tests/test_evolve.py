"""Evolution: the operators of the paper, runs that can be stopped anywhere, and what they find."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backroll.arena import simulate
from backroll.errors import EvolutionError, StrategyError
from backroll.evolve import Evolution, Generation, Settings, evolve
from backroll.evolve.checkpoint import JOURNAL
from backroll.evolve.fitness import fitness_of
from backroll.evolve.genetic import Genetic
from backroll.evolve.searches import search_of
from backroll.evolve.spaces import nearest, rule, space_of
from backroll.games.cantstop.rules import CantStop
from backroll.judging import evaluate
from backroll.strategies import strategy
from backroll.strategies.forms import FORMS
from backroll.strategies.genomes import GENOMES, LINEAR
from backroll.strategies.weights import Linear
from commands import data, refused

OFFICIAL = CantStop(players=1)
SMALL = CantStop(sides=3, shortest=1, players=1)
SPEC = "cantstop:sides=3,shortest=1,players=1"
QUICK = Settings(SPEC, population=6, samples=20, generations=4, finals=20, measured=100)
CMAES = replace(QUICK, method="cmaes", genome="markers")
NAMES = ("constant", "linear", *("/".join(form).removesuffix("/classes") for form in FORMS))


def bits(search: Genetic) -> Any:
    """The generation of a search, a row each."""
    return np.array([LINEAR.encode(6, each) for each in search.ask()])  # type: ignore[arg-type]


def genetic(**changed: Any) -> Genetic:
    settings = replace(Settings("cantstop:players=1", population=40), **changed)
    return Genetic(OFFICIAL, settings)


def test_the_first_generation_is_drawn_by_lot() -> None:
    drawn = bits(genetic())
    assert drawn.shape == (40, 87)
    assert 0.45 < drawn.mean() < 0.55
    assert len(np.unique(drawn, axis=0)) == 40
    assert not np.array_equal(drawn, bits(genetic(seed=1)))


def test_children_share_out_the_bits_of_two_parents_at_two_points() -> None:
    search = genetic(flips=0.0, entrants=1)
    before = bits(search)
    search.tell([1.0] * 40)
    for one, other in zip(*(bits(search)[i::2] for i in (0, 1)), strict=True):
        pairs = [
            (a, b)
            for a in before
            for b in before
            if np.array_equal(np.sort([a, b], 0), np.sort([one, other], 0))
        ]
        assert any(
            np.count_nonzero(np.diff(np.where(a != b, one == a, True)[a != b])) <= 2
            for a, b in pairs
        )


def test_those_that_were_judged_best_become_parents() -> None:
    search = genetic(flips=0.0, entrants=2_000)
    best = bits(search)[7]
    search.tell([float(i != 7) for i in range(40)])
    assert (bits(search) == best).all()


def test_bits_are_flipped_as_often_as_published() -> None:
    search = genetic(entrants=5_000, population=200)
    best = bits(search)[7]
    search.tell([float(i != 7) for i in range(200)])
    flipped = (bits(search) != best).mean()
    error = (0.04 * 0.96 / (200 * 87)) ** 0.5
    assert abs(flipped - 0.04) < 4 * error


def test_a_generation_may_be_odd_and_lots_of_others_are_not_touched() -> None:
    random.seed(5)
    expected = random.Random(5).random()
    search = genetic(population=5)
    search.tell([1.0, 2.0, 3.0, 4.0, 5.0])
    assert len(search.ask()) == 5
    assert random.random() == expected


def test_mutants_of_a_strategy_are_a_start() -> None:
    search = genetic(start="linear:champion")
    drawn, champion = bits(search), LINEAR.encode(6, Linear.NAMED["champion"])
    assert np.array_equal(drawn[0], champion)
    assert 0 < (drawn[1:] != champion).mean() < 0.08


@pytest.mark.parametrize("method", ["ga", "cmaes"])
def test_readings_are_those_of_the_start(method: Any) -> None:
    settings = replace(QUICK, method=method, start="linear:rule28,ties=last,marked=2,start=1")
    for each in search_of(SMALL, settings).ask():
        assert isinstance(each, Linear)
        assert (each.ties, each.marked, each.start) == ("last", 2, 1)
        assert each.whole == (method == "ga")


def test_difficulty_may_count_from_fewer_columns_on() -> None:
    champion = Linear.NAMED["champion"]
    three, two, one = (replace(champion, marked=n).habits(OFFICIAL).hazard for n in (3, 2, 1))
    sizes = np.array([bits.bit_count() for bits in range(three.size)])
    assert not three[sizes < 3].any()
    assert not two[sizes < 2].any()
    assert two[0b101] == -4 + 0
    assert two[0b1010] == -4 + 1
    assert one[0b100000] == -4 - 4 + 1, "the middle column is odd, high and low"
    assert np.array_equal(two[sizes == 3], three[sizes == 3])


def test_the_nearest_strategy_of_a_genome_has_its_values() -> None:
    champion = Linear.NAMED["champion"]
    near = replace(champion, threshold=24.4, slope=(63.0, 24.2, 28.9, 8.0, 18.4, 11.6), whole=False)
    assert nearest(LINEAR, 6, near) == champion
    far = nearest(LINEAR, 6, replace(champion, marker=99.0))
    assert far.marker == 7


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", [OFFICIAL, SMALL], ids=["official", "small"])
def test_every_space_begins_with_the_rule_of_n(name: str, game: CantStop) -> None:
    space = space_of(name)
    start = space.start(game, None)
    assert space.units(game).shape == start.shape
    assert (space.units(game) > 0).all()
    began, known = space.strategy(game, start), rule(game, "constant")
    assert simulate(game, [began], 200).turns == simulate(game, [known], 200).turns


def test_linear_weights_begin_a_form_by_squares_as_they_are() -> None:
    champion = Linear.NAMED["champion"]
    space = space_of("squares")
    began = space.strategy(OFFICIAL, space.start(OFFICIAL, champion))
    assert simulate(OFFICIAL, [began], 300).turns == simulate(OFFICIAL, [champion], 300).turns
    for name, outermost in (("columns", [39]), ("markers/triples", [7, 39, 71])):
        space = space_of(name)
        made: Any = space.strategy(OFFICIAL, space.start(OFFICIAL, champion))
        assert made.blocks(OFFICIAL)["move"][1][: len(outermost)].tolist() == outermost


def test_weights_go_on_from_a_file(tmp_path: Path) -> None:
    found = evolve(CMAES, tmp_path / "first")
    again = search_of(SMALL, replace(CMAES, start=found.text, sigma=1e-6))
    assert again.summary()[0] == found.strategy


@pytest.mark.parametrize("common", [True, False])
def test_turns_do_not_depend_on_threads_or_company(common: Any) -> None:
    both = [Linear.NAMED["rule28"], Linear.NAMED["champion"]]
    found = []
    for threads in (1, 3):
        with fitness_of(SMALL, "simulated", threads) as fitness:
            found.append(fitness(both, 30, 5, common=common))
            alone = fitness(both[1:], 30, 5, common=common)
    assert found[0] == found[1]
    assert (found[0][1] == alone[0]) == common
    turns = simulate(SMALL, [both[0]], 30, seed=5).turns
    assert found[0][0] == sum(n * count for n, count in turns.items())


def test_exact_fitness_is_the_exact_judgement() -> None:
    known = Linear.NAMED["champion"]
    with fitness_of(SMALL, "exact", 1) as fitness:
        assert fitness([known], 10, 0, common=True)[0] == pytest.approx(
            10 * evaluate(SMALL, [known]).value
        )


def same(one: Evolution, other: Evolution) -> None:
    """Two evolutions are the same but for the time that they took."""
    assert [replace(each, seconds=0.0) for each in one.generations] == [
        replace(each, seconds=0.0) for each in other.generations
    ]
    assert (one.strategy, one.mean, one.final) == (other.strategy, other.mean, other.final)


@pytest.mark.parametrize("settings", [QUICK, CMAES], ids=["ga", "cmaes"])
@pytest.mark.parametrize("after", [1, 3])
def test_an_interrupted_evolution_goes_on_as_if_nothing_had_been(
    settings: Settings, after: int, tmp_path: Path
) -> None:
    def interrupt(number: int, generation: Generation) -> None:
        if number == after:
            raise KeyboardInterrupt

    whole = evolve(settings)
    with pytest.raises(KeyboardInterrupt) as caught:
        evolve(settings, tmp_path / "out", watch=interrupt)
    said = {1: "1 generation is", 3: "3 generations are"}[after]
    assert caught.value.__notes__ == [
        f"{said} kept in {tmp_path / 'out'}; the same command goes on from there"
    ]
    seen: list[int] = []
    again = evolve(settings, tmp_path / "out", watch=lambda number, _: seen.append(number))
    assert seen == list(range(after + 1, 5))
    same(whole, again)


def test_an_evolution_can_be_made_longer(tmp_path: Path) -> None:
    evolve(replace(QUICK, generations=2), tmp_path)
    same(evolve(QUICK, tmp_path), evolve(QUICK))


KILLED = """
import os, signal, sys
from pathlib import Path
from backroll.evolve import Settings, evolve
from backroll.evolve import checkpoint
settings = Settings(sys.argv[1], population=6, samples=20, generations=4, finals=20, measured=100)
written = os.fsync
def kill(descriptor):
    written(descriptor)
    kill.left -= 1
    if not kill.left:
        os.kill(os.getpid(), signal.SIGKILL)  # between writing a new file and renaming it
kill.left = int(sys.argv[3])
checkpoint.os.fsync = kill
evolve(settings, Path(sys.argv[2]))
"""


@pytest.mark.compiled
@pytest.mark.parametrize("at", [1, 3])
def test_an_evolution_that_was_killed_goes_on(at: int, tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, SPEC, str(tmp_path / "out"), str(at)]
    assert subprocess.run(command).returncode == -signal.SIGKILL
    same(evolve(QUICK, tmp_path / "out"), evolve(QUICK))


def test_broken_checkpoints_are_one_clear_line(tmp_path: Path) -> None:
    evolve(QUICK, tmp_path)
    path = tmp_path / JOURNAL
    whole = path.read_bytes()
    middle = len(whole) // 2
    for broken in (
        whole[:middle],
        whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        b"",
        b"{}\n",
    ):
        path.write_bytes(broken)
        assert "as it was written, found it broken" in said_of(QUICK, tmp_path)
    path.write_bytes(whole)
    assert "expected an evolution with seed=3, found seed=0" in said_of(
        replace(QUICK, seed=3), tmp_path
    )
    evolve(QUICK, tmp_path)


def said_of(settings: Settings, folder: Path | None = None) -> str:
    with pytest.raises(EvolutionError) as caught:
        evolve(settings, folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear")
    assert "expected a folder of an evolution, or nothing" in said_of(QUICK, tmp_path)
    assert "expected a folder" in said_of(QUICK, tmp_path / "letter.txt")
    assert [each.name for each in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"spec": "cantstop"}, "expected a game of cantstop with players=1, found cantstop"),
        ({"spec": "pig"}, "expected a game of cantstop with players=1, found pig"),
        ({"genome": "square"}, "expected a genome of bits for the method ga, constant or linear"),
        ({"genome": "square", "method": "cmaes"}, "expected a genome among constant, linear"),
        ({"method": "luck"}, "expected the method ga or cmaes, found 'luck'"),
        ({"population": 1}, "population expected 4 or more, found 1"),
        ({"flips": 1.5}, "flips expected 0 to 1, found 1.5"),
        ({"sigma": 0.0}, "sigma expected"),
        ({"seed": 1 << 32}, "seed expected less than 2**32"),
        ({"seed": -1}, "seed expected 0 or more, found -1"),
        ({"fitness": "felt"}, "expected fitness simulated or exact, found 'felt'"),
        ({"start": "ruleof:28"}, "expected a linear strategy to start from, found ruleof:28"),
        ({"start": "ruleof:28", "method": "cmaes"}, "expected a linear strategy to start from"),
        (
            {"start": "ruleof:28", "method": "cmaes", "genome": "squares"},
            "expected a constant, linear or weighted strategy of the form squares/classes",
        ),
    ],
)
def test_settings_that_cannot_be_are_one_clear_line(changed: dict[str, Any], said: str) -> None:
    assert said in said_of(replace(QUICK, **changed))


@pytest.mark.parametrize("settings", [QUICK, CMAES], ids=["ga", "cmaes"])
def test_weights_for_another_board_are_no_start(settings: Settings) -> None:
    short = "constant:" if settings is CMAES else "linear:"
    start = f"{short}rule28,progress=1/2"
    with pytest.raises(StrategyError, match="progress expected 3 weights or more"):
        evolve(replace(settings, start=start))


@pytest.mark.parametrize(("library", "settings"), [("deap", QUICK), ("cmaes", CMAES)])
def test_a_missing_library_is_one_clear_line(
    library: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    assert f"needs {library}; install backroll with the extra evolve" in said_of(settings)


def arguments(out: Path, **changed: Any) -> list[str]:
    options = {"population": 6, "samples": 20, "generations": 4, "finals": 20, "measured": 100}
    given = [f"--{name}={value}" for name, value in {**options, **changed}.items()]
    return ["evolve", SPEC, *given, "--out", str(out)]


def test_the_command_writes_a_report_and_a_strategy_that_plays(tmp_path: Path) -> None:
    found = data(*arguments(tmp_path, method="cmaes", genome="squares", threads=1))
    assert found["strategy"] == f"weighted:{tmp_path / 'weights.json'}"
    assert len(found["generations"]) == 4
    assert found == {**json.loads((tmp_path / "report.json").read_text()), **found}
    played = simulate(SMALL, [strategy(found["strategy"])], 100, seed=(1 << 20) * 0 + (1 << 20) - 1)
    assert played.mean == found["mean"]
    assert f"{found['mean']:.4f}" in (tmp_path / "report.txt").read_text()
    assert (tmp_path / "report.png").read_bytes().startswith(b"\x89PNG")


def test_the_report_needs_no_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    data(*arguments(tmp_path))
    assert {"report.json", "report.txt", JOURNAL} == {each.name for each in tmp_path.iterdir()}


def test_the_command_says_where_it_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("backroll.evolve.running._final", interrupted)
    said = refused(*arguments(tmp_path), code=130)
    assert said == (
        f"backroll: interrupted; 4 generations are kept in {tmp_path}; "
        "the same command goes on from there\n"
    )
    monkeypatch.undo()
    assert len(data(*arguments(tmp_path))["generations"]) == 4


def test_the_command_refuses_in_one_line(tmp_path: Path) -> None:
    assert "players=1" in refused("evolve", "cantstop")
    assert "did you mean linear" in refused(*arguments(tmp_path, start="liner:champion"))
    (tmp_path / JOURNAL).write_text("nonsense")
    assert "found it broken" in refused(*arguments(tmp_path))


@pytest.mark.compiled
def test_evolution_beats_the_rule_of_n_it_began_with() -> None:
    settings = replace(
        QUICK, method="cmaes", population=12, samples=400, generations=15, measured=20_000
    )
    found = evolve(settings)
    known = simulate(SMALL, [rule(SMALL, "linear")], 20_000)
    assert found.mean + 4 * found.error < known.mean
    assert found.generations[-1].mean < found.generations[0].mean


def test_genomes_are_spaces_too() -> None:
    for name, genome in GENOMES.items():
        champion = genome.strategy.NAMED["champion"]
        space = space_of(name)
        vector = space.start(OFFICIAL, champion)
        made: Any = space.strategy(OFFICIAL, vector)
        assert replace(made, **({"whole": True} if name == "linear" else {})) == champion
