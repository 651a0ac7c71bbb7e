"""Outcomes in two bits a state and wins in one: the same as by layers, however they are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrograde as oracle
from backroll import Database, load, verify
from backroll import open as open_table
from backroll.archive import export_csv, export_zarr, import_csv, import_zarr
from backroll.arrays import DRAWN, LOST, WON, Choices, Links
from backroll.engines import checkpoint, layers, lean
from backroll.engines import forecast as forecasting
from backroll.engines.forecast import forecast
from backroll.engines.layers import Layers
from backroll.engines.lean import BITS, Lean
from backroll.engines.retrograde import solve
from backroll.errors import BackrollError, CorruptTable, GameError
from backroll.game import Choice, Game, Terminal
from backroll.kernels.lean import look
from backroll.outcomes import Packed, packed
from backroll.solving import save
from backroll.states import Listed
from commands import refused, run
from test_deterministic import Standoff
from test_retrograde import Chase

COMPILED = pytest.mark.compiled
SMALL = [
    "nim:stones=7",
    "nim:stones=3,piles=3,most=0,misere=yes",
    "chinesecheckers:size=3",
    "chinesecheckers:size=4,pieces=1",
    "rookending:size=3",
    pytest.param("chinesecheckers:size=4", marks=COMPILED),
    pytest.param("rookending:size=4", marks=COMPILED),
]


def drawn_states(seed: int, size: int, turns: str) -> Listed:
    """States with random links: ends of all kinds, cycles, and turns as asked for."""
    random = np.random.default_rng(seed)
    whose = random.integers(0, 2, size).astype(np.uint8)
    ends = random.choice(np.array([0, WON, LOST, DRAWN], np.uint8), size, p=[0.7, 0.1, 0.1, 0.1])
    links: list[list[int]] = []
    for s in range(size):
        onward = np.flatnonzero(whose != whose[s]) if turns == "alternate" else np.arange(size)
        many = 0 if ends[s] or not onward.size else int(random.integers(1, 4))
        links.append(random.choice(onward, many).tolist() if many else [])
        ends[s] = ends[s] if many else ends[s] or LOST
    first = np.cumsum([0, *map(len, links)])
    state = np.array([t for each in links for t in each], np.int32)
    return Listed(Links(first, state), ends, whose if turns != "none" else np.zeros(0, np.uint8))


def by_layers(states: Listed) -> np.ndarray[Any, np.dtype[np.uint16]]:
    found = Layers(states, 1)
    found.solve()
    return np.where(found.words & 3 == DRAWN, 0, found.words & 3).astype(np.uint16)


@pytest.fixture
def in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks and lists that are full before they have everything."""
    monkeypatch.setattr(layers, "BLOCK", 64)
    monkeypatch.setattr(lean, "LISTED", 16)


@pytest.mark.usefixtures("in_small_pieces")
@pytest.mark.parametrize("turns", ["none", "alternate", "kept"])
@pytest.mark.parametrize("threads", [1, 3])
def test_drawn_games_have_the_outcomes_that_layers_find(turns: str, threads: int) -> None:
    refused = 0
    for seed in range(40):
        states = drawn_states(seed, 1 + 5 * seed, turns)
        expected = by_layers(states)
        two = Lean(states, 2, threads)
        two.solve()
        found = two.found()
        assert found.take(np.arange(states.size)).tolist() == expected.tolist()
        assert found.counted()[[WON, LOST]].tolist() == [
            np.count_nonzero(expected == each) for each in (WON, LOST)
        ]
        one = Lean(states, 1, threads)
        try:
            one.solve()
        except GameError:
            refused += 1
            continue
        assert one.found().take(np.arange(states.size)).tolist() == (expected == WON).tolist()
        outcomes = [one.outcome(s) % DRAWN for s in range(states.size)]
        assert outcomes == expected.tolist()
    assert refused < 40
    assert (refused > 0) == (turns == "kept")


class Near(Chase):
    """The end in the middle of the turn is lost, and can be reached."""

    def start(self) -> tuple[int, str]:
        return 2, "go"

    def node(self, position: tuple[int, str]) -> Terminal | Choice:
        return Terminal(0) if position[0] == 0 else super().node(position)


def test_moves_that_keep_the_turn_take_two_bits() -> None:
    game = Near()
    assert solve(game).report.counts["lost"] > 0
    assert (solve(game, "outcomes").values == solve(game).values).all()
    with pytest.raises(GameError, match="expected moves that hand over or win"):
        solve(game, "wins")


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize("method", BITS)
def test_every_position_is_as_the_oracle_says(spec: str, method: str) -> None:
    game = load(spec)
    found, expected = solve(game, method, threads=2), oracle.solved(game)
    database = Database.of(found)
    assert database.values(expected.positions).tolist() == list(expected.value)
    assert found.value == solve(game).value
    assert verify(database, sample=200).residual == 0


@pytest.mark.parametrize("method", BITS)
def test_waiting_for_ever_is_a_draw(method: str) -> None:
    found = Database.of(solve(Standoff(), method))
    assert (found.value("wait"), found.value("shot")) == (0.5, 1)


class Wait(Game[str]):
    """The second player may end a game that the first began, or wait; who is first has lost it."""

    def start(self) -> str:
        return "first"

    def node(self, position: str) -> Terminal | Choice:
        if position == "over":
            return Terminal(0)
        return Choice(["first"], 1) if position == "first" else Choice(["over", "wait"], 2)

    def play(self, position: str, move: str) -> str:
        return "over" if move == "over" else {"first": "second", "second": "first"}[position]


@pytest.mark.parametrize("method", BITS)
def test_values_are_those_of_the_first_player_where_the_game_writes_them_so(method: str) -> None:
    solution = solve(Wait(), method)
    database = Database.of(solution)
    assert solution.value == database.value("first") == database.value("second") == 0
    assert [each.move for each in database.moves("second")] == ["over", "wait"]
    assert database.probe("second")["moves"][0]["value"] == 1


def bits_of(solution: Any) -> bytes:
    assert isinstance(solution.kept, Packed)
    return np.asarray(solution.kept.data).tobytes()


@pytest.mark.parametrize("method", BITS)
def test_threads_change_nothing(method: str) -> None:
    game = load("chinesecheckers:size=3,pieces=3")
    one, two, five = (bits_of(solve(game, method, threads=n)) for n in (1, 2, 5))
    assert one == two == five


@pytest.mark.parametrize("method", BITS)
@pytest.mark.usefixtures("in_small_pieces")
def test_a_solve_that_is_interrupted_anywhere_goes_on_to_the_same_bits(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    monkeypatch.setattr(checkpoint, "SHARE", 0.0)
    game = load("chinesecheckers:size=3")
    whole, looked, times, patience = solve(game, method), look, 0, 15

    def interrupted(*arguments: Any) -> int:
        nonlocal times
        times += 1
        if times > patience:  # some is settled whose news went nowhere
            raise KeyboardInterrupt
        return looked(*arguments)

    monkeypatch.setattr(lean, "look", interrupted)
    runs = 0
    while True:
        runs, times = runs + 1, 0
        patience = int(1.5 * patience)
        try:
            found = solve(game, method, threads=1, out=tmp_path / "table")
            break
        except KeyboardInterrupt:
            pass
    assert runs > 2
    assert bits_of(found) == bits_of(whole)
    save(found, tmp_path / "table")
    assert not (tmp_path / "table.unfinished").exists()
    with open_table(tmp_path / "table") as database:
        assert verify(database, sample=100).residual == 0


def test_the_bits_of_an_earlier_run_without_a_journal_are_forgotten(tmp_path: Path) -> None:
    game = load("chinesecheckers:size=3,pieces=1")
    whole = solve(game, "outcomes")
    (tmp_path / "table.unfinished").mkdir()
    numbers = tmp_path / "table.unfinished" / "numbers"
    numbers.write_bytes(b"\xff" * len(bits_of(whole)))
    found = solve(game, "outcomes", out=tmp_path / "table")
    assert bits_of(found) == bits_of(whole)
    save(found, tmp_path / "table")


@pytest.fixture(params=BITS)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    save(solve(load("rookending:size=3"), request.param), tmp_path / request.param)
    return tmp_path / str(request.param)


def test_a_packed_table_has_a_bit_or_two_a_position_and_tells_all(kept: Path) -> None:
    game = load("rookending:size=3")
    by_distance = Database.of(solve(game))
    bits = BITS[kept.name]
    with open_table(kept) as database:
        assert database.table is not None
        assert database.table.manifest.dtype == f"uint{bits}"
        assert len(database.table.values) == -(-len(database) * bits // 8)
        assert (database.columns()["value"] == by_distance.columns()["value"]).all()
        assert database.distance(game.start()) is None
        probed = database.probe(game.start())
        assert "distance" not in probed
        values = [each["value"] for each in probed["moves"]]
        assert values == sorted(values, reverse=True)
        assert {each["move"]: each["value"] for each in probed["moves"]} == {
            each["move"]: each["value"] for each in by_distance.probe(game.start())["moves"]
        }
        assert verify(database, sample=None).residual == 0


def same(one: Path, other: Path) -> bool:
    return all((other / file.name).read_bytes() == file.read_bytes() for file in one.iterdir())


def test_a_packed_table_is_imported_to_the_same_bytes(kept: Path, tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    export_zarr(kept, tmp_path / "kept.zarr")
    import_zarr(tmp_path / "kept.zarr", tmp_path / "again")
    assert same(kept, tmp_path / "again")


@pytest.mark.parametrize("method", ["layers", *BITS])
@pytest.mark.parametrize("spec", ["chinesecheckers:size=3,pieces=1", "nim"])
def test_words_go_through_csv_and_come_back(method: str, spec: str, tmp_path: Path) -> None:
    table, file = tmp_path / "table", tmp_path / "table.csv"
    save(solve(load(spec), method), table)
    with open_table(table) as database:
        export_csv(database, file)
    assert file.read_text().startswith("position,value,word\n")
    import_csv(file, table / "manifest.json", tmp_path / "again")
    assert same(table, tmp_path / "again")
    lines = file.read_text().splitlines()
    other = "0" if lines[1].endswith(",1") else "1"
    for wrong in ("nan", "-1", "70000", "1e99", "inf", "1.5", other):
        position, value, _ = lines[1].rsplit(",", 2)
        file.write_text("\n".join([lines[0], f"{position},{value},{wrong}", *lines[2:]]))
        with pytest.raises(CorruptTable, match=r"expected (a word of uint|what its manifest)"):
            import_csv(file, table / "manifest.json", tmp_path / "other")


def test_a_byte_that_flipped_on_the_disk_is_never_read(kept: Path) -> None:
    file = kept / "values.npy"
    content = bytearray(file.read_bytes())
    content[-1] ^= 4
    file.write_bytes(content)
    with pytest.raises(CorruptTable, match=r"values\.npy, block 0: expected the checksum"):
        open_table(kept)


@pytest.mark.parametrize("method", BITS)
@pytest.mark.parametrize("spec", ["chinesecheckers:size=3", "rookending:size=3"])
def test_verify_finds_a_wrong_bit(method: str, spec: str) -> None:
    solution = solve(load(spec), method)
    rows = np.flatnonzero(Database.of(solution).columns()["value"] == 1)
    wrong = solution.kept
    assert isinstance(wrong, Packed)
    for row in rows[:: rows.size // 3]:
        at = int(row) * wrong.bits
        data = np.asarray(wrong.data)
        before = data[at >> 3]
        data[at >> 3] ^= 1 << (at & 7)
        assert verify(Database.of(solution), sample=None).residual >= 0.5
        data[at >> 3] = before


@given(st.sampled_from([1, 2]), st.lists(st.integers(0, 3), max_size=70))
def test_packed_numbers_are_read_back(bits: int, numbers: list[int]) -> None:
    wanted = [each % 2**bits for each in numbers]
    found = packed(np.array(wanted, np.uint8), bits)
    assert [found.item(row) for row in range(len(found))] == wanted
    assert found.take(np.arange(len(wanted))).tolist() == wanted
    assert found.counted().tolist() == [wanted.count(each) for each in range(4)]
    assert np.asarray(found.data).size == -(-len(wanted) * bits // 8)


def test_what_makes_no_sense_is_one_line(tmp_path: Path) -> None:
    game = load("nim")
    with pytest.raises(BackrollError, match="expected --win-only with forward, backward or hyb"):
        solve(game, "wins", choices=Choices(win_only=True))
    with pytest.raises(BackrollError, match="expected outcomes, found wins alone"):
        _ = solve(game, "wins").values
    said = refused("plan", "pig", "--method", "wins")
    assert "pig: expected a game without chance for the method wins" in said


def test_the_commands_know_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for method, bits in BITS.items():
        run("solve", "chinesecheckers:size=3,pieces=1", "--method", method, "--out", method)
        assert f"uint{bits}" in run("info", method).stdout
        assert "1.000000000000" in run("probe", method).stdout
        assert "agree, which is no proof" in run("verify", method, "--all").stdout


def test_less_memory_is_planned_where_fewer_bits_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasting, "SAMPLE", 100)
    game = load("chinesecheckers:pieces=3")
    by_layers, two, one = (forecast(game, 1, each) for each in ("layers", "outcomes", "wins"))
    assert two.table == -(-game.anchor_count() // 4)
    assert one.table == -(-game.anchor_count() // 8)
    assert one.memory < two.memory < by_layers.memory
