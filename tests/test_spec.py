from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from backroll.errors import SpecError
from backroll.game import Choice, Game, Terminal
from backroll.games.pig import Pig
from backroll.spec import GAMES, Range, catalogue, fingerprint, load, spec_of

GOOD = '''
from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from backroll import Choice, Game, Terminal
from backroll.spec import Range


class Stones(NamedTuple):
    left: int


@dataclass(eq=False)
class Heap(Game[Stones]):
    """Take one stone at a time."""

    size: Annotated[int, Range(2, 10)] = 4
    mode: Literal["fast", "slow"] = "fast"
    share: float = 0.5
    loud: bool = False
    label: str = "a"

    players = 1

    def start(self):
        return Stones(self.size)

    def node(self, position):
        return Choice([1]) if position.left else Terminal(1)

    def play(self, position, move):
        return Stones(position.left - move)
'''

PLAIN = """
from backroll import Choice, Game, Terminal

class {name}(Game):
    players = 1
    def __init__(self, size: int, twist=2):
        self.size, self.twist = size, twist
    def start(self):
        return self.size
    def node(self, position):
        return Choice([1]) if position else Terminal(1)
    def play(self, position, move):
        return position - move
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heap.py").write_text(GOOD)
    return tmp_path


class Local(Game[int]):
    """Made in Python, never loaded."""

    def __init__(
        self, size: Annotated[int, Range(1, 9)] = 3, way: Literal["up", "down"] = "up"
    ) -> None:
        self.size, self.way = size, way

    def start(self) -> int:
        return self.size

    def node(self, position: int) -> Terminal | Choice:
        return Choice([1]) if position else Terminal(1)

    def play(self, position: int, move: int) -> int:
        return position - move


class Forgetful(Local):
    def __init__(self, depth: int = 1) -> None:
        super().__init__(depth)


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("heap.py", "heap.py:Heap"),
        ("heap.py:", "heap.py:Heap"),
        ("./heap.py:Heap", "heap.py:Heap"),
        ("heap.py:size=5", "heap.py:Heap,size=5"),
        ("heap.py:Heap,size=5", "heap.py:Heap,size=5"),
        (" heap.py:Heap, size = 5 ", "heap.py:Heap,size=5"),
        ("heap.py:size=4,share=0.50", "heap.py:Heap"),
        ("heap.py:label=b,loud=yes,size=5", "heap.py:Heap,size=5,loud=true,label=b"),
        ("heap.py:share=.25,mode=slow", "heap.py:Heap,mode=slow,share=0.25"),
    ],
)
def test_a_file_and_its_canonical_spec(spec: str, canonical: str) -> None:
    game = load(spec)
    assert spec_of(game) == canonical
    assert spec_of(load(canonical)) == canonical


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("pig", "pig"),
        ("pig:target=100", "pig"),
        ("pig:target=20", "pig:target=20"),
        ("cantstop:players=2,sides=3,shortest=1", "cantstop:sides=3,shortest=1"),
        ("shutthebox:tiles=9,one_die=sum6", "shutthebox:one_die=sum6"),
        ("nim:piles=3,stones=5", "nim:stones=5,piles=3"),
    ],
)
def test_the_games_of_backroll(spec: str, canonical: str) -> None:
    assert spec_of(load(spec)) == canonical
    assert fingerprint(load(spec)) == ""


def test_values_arrive_in_their_types() -> None:
    game: Any = load("heap.py:size=10,share=1,loud=1,label=7")
    assert (game.size, game.share, game.loud, game.label) == (10, 1.0, True, "7")
    assert type(game.share) is float
    assert type(game.loud) is bool


def test_positions_of_a_file_are_whole() -> None:
    game = load("heap.py")
    start = game.start()
    assert game.parse(game.show(start)) == start
    assert type(game.play(start, 1)).__name__ == "Stones"


def test_the_same_file_is_imported_once_and_a_changed_one_again(folder: Path) -> None:
    first = load("heap.py")
    assert type(load("heap.py:size=5")) is type(first)
    (folder / "heap.py").write_text(GOOD.replace("= 4", "= 7"))
    changed: Any = load("heap.py")
    assert (changed.size, type(changed) is type(first)) == (7, False)


def test_the_fingerprint_is_that_of_the_bytes_that_were_run(folder: Path) -> None:
    game = load("heap.py")
    (folder / "heap.py").write_text(GOOD + "# more\n")
    assert fingerprint(game) == hashlib.sha256(GOOD.encode()).hexdigest()
    assert fingerprint(load("heap.py")) != fingerprint(game)


def test_a_file_may_import_those_beside_it_and_leaves_the_path_alone(folder: Path) -> None:
    (folder / "beside_it.py").write_text("SIZE = 3\n")
    text = PLAIN.format(name="Mine") + "from beside_it import SIZE\n"
    (folder / "mine.py").write_text(text)
    before = list(sys.path)
    assert load("mine.py:size=2").start() == 2
    assert sys.path == before
    del sys.modules["beside_it"]


def test_parameters_without_annotations_go_by_their_default(folder: Path) -> None:
    (folder / "mine.py").write_text(PLAIN.format(name="Mine"))
    assert spec_of(load("mine.py:twist=5,size=1")) == "mine.py:Mine,size=1,twist=5"


def test_a_base_class_without_rules_is_passed_over(folder: Path) -> None:
    text = "from backroll import Game\nclass Base(Game):\n    def start(self): return 0\n"
    (folder / "mine.py").write_text(text + PLAIN.format(name="Mine"))
    assert spec_of(load("mine.py:size=1")) == "mine.py:Mine,size=1"


def test_a_game_of_backroll_made_in_python() -> None:
    assert spec_of(Pig(target=20)) == "pig:target=20"


def test_a_game_made_in_python_goes_by_its_attributes() -> None:
    assert spec_of(Local()) == f"{__name__}:Local"
    assert spec_of(Local(5, "down")) == f"{__name__}:Local,size=5,way=down"
    assert spec_of(Forgetful(2)) == f"{__name__}:Forgetful"
    assert fingerprint(Local()) == ""


def test_a_game_of_a_file_made_in_python_has_the_spec_that_loads_it() -> None:
    made = type(load("heap.py"))
    assert spec_of(made(size=6)) == "heap.py:Heap,size=6"  # type: ignore[call-arg]


@pytest.mark.parametrize("how", ["frozen=True", "slots=True", "frozen=True, slots=True"])
def test_a_game_may_be_frozen(folder: Path, how: str) -> None:
    (folder / "heap.py").write_text(GOOD.replace("(eq=False)", f"({how})"))
    assert spec_of(load("heap.py:size=6")) == "heap.py:Heap,size=6"


def test_a_constructor_may_refuse_in_its_own_words() -> None:
    with pytest.raises(SpecError, match=r"^pig: Piglet is played with a coin"):
        load("pig:piglet=yes,sides=4")


BROKEN = {
    "syntax.py": "x = 1\nclass Heap(Game:\n",
    "raises.py": "\n\nraise ValueError('no\\nway')\n",
    "leaves.py": "import sys\nsys.exit(3)\n",
    "imports.py": "import no_such_module\n",
    "none.py": "from backroll import Game\n",
    "many.py": PLAIN.format(name="First") + PLAIN.format(name="Second"),
    "lacking.py": "from backroll import Game\n"
    "class Half(Game):\n    def start(self): return 0\n    def play(self, p, m): return p\n",
    "strange.py": PLAIN.format(name="Mine").replace("size: int", "size: list"),
    "bare.py": PLAIN.format(name="Mine").replace("size: int", "size"),
    "unknown.py": PLAIN.format(name="Mine").replace("size: int", "size: 'Missing'"),
    "refuses.py": PLAIN.format(name="Mine").replace("self.size,", "assert size > 3; self.size,"),
}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("pgi", "expected a game or a file .*found 'pgi', did you mean pig.*cantstop, .*nim, pig"),
        ("", "expected a game or a file .*found ''"),
        (":", "expected a game or a file .*found ''"),
        ("zzz:target=3", "found 'zzz'; there are cantstop"),
        ("pig:taget=3", "pig: unknown parameter 'taget', did you mean target.*sides"),
        ("heap.py:sise=3", r"Heap: unknown parameter 'sise', did you mean size\?; it takes size"),
        ("heap.py:size=11", "size expected a whole number from 2 to 10, found '11'"),
        ("heap.py:size=1", "size expected a whole number from 2 to 10, found '1'"),
        ("heap.py:size=2.5", "size expected a whole number from 2 to 10, found '2.5'"),
        ("heap.py:size=" + "9" * 5000, "size expected a whole number from 2 to 10, found '999"),
        ("heap.py:size=٣", "size expected a whole number from 2 to 10"),
        ("heap.py:share=nan", "share expected a number, found 'nan'"),
        ("heap.py:share=half", "share expected a number, found 'half'"),
        ("heap.py:loud=maybe", "loud expected true or false, found 'maybe'"),
        ("heap.py:mode=Fast", "mode expected fast or slow, found 'Fast'"),
        ("heap.py:size=3,size=3", "expected size once, found it again as 'size=3'"),
        ("heap.py:size=", "expected parameter=value, found 'size='"),
        ("heap.py:size=3,", "expected parameter=value, found ''"),
        ("heap.py:=3", "expected parameter=value, found '=3'"),
        ("heap.py:Heap,3", "expected parameter=value, found '3'"),
        ("heap.py:Hepa", "expected a subclass of Game, found 'Hepa', did you mean Heap"),
        ("heap.py:Stones", "expected a subclass of Game, found 'Stones'; there are Heap"),
        ("gone.py", "expected a file of Python at gone.py, found no such file"),
        ("syntax.py", r"syntax.py: SyntaxError: .* \(line 2 of syntax.py\)"),
        ("raises.py", r"raises.py: ValueError: no way \(line 3 of raises.py\)"),
        ("leaves.py", r"leaves.py: SystemExit: 3 \(line 2 of leaves.py\)"),
        ("imports.py", "imports.py: ModuleNotFoundError: No module named 'no_such_module'"),
        ("none.py", "none.py: expected a subclass of Game, found none"),
        ("many.py", "many.py: expected one game, found First, Second; write many.py:First"),
        ("lacking.py", "Half: expected a game with start, node and play, found no node"),
        ("strange.py:size=3", "parameter size expected an annotation .*, found <class 'list'>"),
        ("bare.py:size=3", "parameter size expected an annotation .*, found none"),
        ("unknown.py", "Mine: cannot read its parameters: name 'Missing' is not defined"),
        ("refuses.py:size=2", r"Mine: AssertionError \(line 7 of refuses.py\)"),
        ("many.py:First", "First: expected size=a whole number, found no value"),
    ],
)
def test_a_bad_spec_is_one_clear_line(folder: Path, spec: str, message: str) -> None:
    for name, text in BROKEN.items():
        (folder / name).write_text(text)
    with pytest.raises(SpecError, match=message) as caught:
        load(spec)
    assert "\n" not in str(caught.value)


def test_a_file_that_fails_leaves_nothing_behind(folder: Path) -> None:
    (folder / "raises.py").write_text(BROKEN["raises.py"])
    before = set(sys.modules)
    with pytest.raises(SpecError):
        load("raises.py")
    assert set(sys.modules) == before


def test_the_catalogue_lists_every_game_and_its_defaults_load() -> None:
    entries = catalogue()
    assert [entry.name for entry in entries] == sorted(GAMES)
    for name, summary, parameters in entries:
        assert summary.endswith(".")
        said = ",".join(f"{parameter}={default}" for parameter, _, default in parameters)
        assert spec_of(load(f"{name}:{said}")) == name


def test_the_catalogue_says_ranges_and_choices() -> None:
    rows = {entry.name: entry.parameters for entry in catalogue()}
    assert ("occupied", "roll, share or jump", "roll") in rows["cantstop"]
    assert [low for name, low, _ in rows["cantstop"] if name == "players"] == ["1 or 2"]
