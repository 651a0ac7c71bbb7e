from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from backroll.game import COST, SCORE, Chance, Choice, Game, Swap, Terminal
from backroll.spec import load
from backroll.testing import Finding, check
from backroll.wrappers import fix


class Walk(Game[tuple[int, int]]):
    """A good game to break: step or toss towards 4; what the tosses brought is the score."""

    players = 1
    quantity = SCORE
    total = 5.0

    def start(self) -> Any:
        return 0, 0

    def node(self, position: Any) -> Any:
        at, won = position
        if at >= 4:
            return Terminal(won)
        return Chance({0: 1, 1: 2}) if at % 2 else Choice(["short", "long"])

    def play(self, position: Any, move: Any) -> Any:
        at, won = position
        if isinstance(move, int):
            return at + 1, won + move
        return at + (1 if move == "short" else 2), won


def found(game: Game[Any], **options: Any) -> list[Finding]:
    """The findings, which must be the same every time and few of a kind."""
    findings = check(game, **options)
    assert check(game, **options) == findings
    kinds = [finding.problem for finding in findings]
    assert all(kinds.count(kind) <= 3 for kind in kinds)
    return findings


def only(game: Game[Any], problem: str, position: str, detail: str, **options: Any) -> None:
    """That a game has findings of one kind, and the first of them."""
    findings = found(game, **options)
    assert {finding.problem for finding in findings} == {problem}
    assert findings[0].position == position
    assert detail in findings[0].detail


@pytest.mark.parametrize(
    "spec",
    [
        "nim:stones=4,piles=3",
        "pig:target=12",
        "pig:target=12,players=1",
        "pig:target=6,piglet=yes",
        "shutthebox:tiles=4",
        "shutthebox:tiles=4,aim=win",
        "cantstop:sides=2,shortest=1,players=1",
        "cantstop:sides=2,shortest=1,columns=1",
    ],
)
def test_the_games_of_backroll_keep_the_contract(spec: str) -> None:
    assert found(load(spec)) == []


def test_a_good_game_and_a_fixed_one_have_no_findings() -> None:
    assert found(Walk()) == []
    assert found(fix(load("pig:target=8"), 1, lambda position: "roll")) == []


def at(position: tuple[int, int], instead: Any) -> type[Walk]:
    """The good game with another node at one position."""

    class Broken(Walk):
        def node(self, here: Any) -> Any:
            return instead if here == position else super().node(here)

        def play(self, here: Any, move: Any) -> Any:
            return super().play(here, move if move in ("short", "long", 0, 1) else "short")

    return Broken


@pytest.mark.parametrize(
    ("node", "problem", "detail"),
    [
        (None, "node() gives no node", "expected Terminal, Choice or Chance, found None"),
        ((1,), "node() gives no node", "found (1,)"),
        (Terminal(float("nan")), "not a finite number", "found nan"),
        (Terminal(float("inf")), "not a finite number", "found inf"),
        (Terminal("won"), "not a finite number", "found 'won'"),  # type: ignore[arg-type]
        (Choice([]), "a choice without moves", "expected one move or more"),
        (Choice(["long", "long"]), "a move offered twice", "found 'long' again"),
        (Choice(["long"], 2), "a choice of no player", "expected 1 to 1, found 2"),
        (Choice(["long"], 0), "a choice of no player", "expected 1 to 1, found 0"),
        (Choice(["long"], 1, float("inf")), "not a finite number", "found inf"),
        (Choice(None), "node() raises", "TypeError"),  # type: ignore[arg-type]
        (Chance({}), "a chance without outcomes", "expected one outcome or more"),
        (Chance([1, 2]), "a chance that is not a mapping", "found [1, 2]"),  # type: ignore[arg-type]
        (Chance({0: 1, 1: 0}), "a weight that is not a whole number from 1", "found 0 for 1"),
        (Chance({0: -1}), "a weight that is not a whole number from 1", "found -1 for 0"),
        (Chance({0: 0.5}), "a weight that is not a whole number from 1", "found 0.5 for 0"),  # type: ignore[dict-item]
        (Chance({0: 1}, float("nan")), "not a finite number", "found nan"),
    ],
)
def test_a_node_that_a_game_may_not_have(node: Any, problem: str, detail: str) -> None:
    only(at((2, 0), node)(), problem, "(2, 0)", detail)


@pytest.mark.parametrize("value", [1.5, -0.25])
def test_a_win_is_worth_no_more_than_there_is(value: float) -> None:
    class Won(Walk):
        quantity = "win probability"
        total = 1.0

        def node(self, position: Any) -> Any:
            node = super().node(position)
            return Terminal(value) if isinstance(node, Terminal) else node

    only(Won(), "an end worth more than there is", "(4, 0)", f"expected 0 to 1.0, found {value}")


class Declares(Walk):
    def __init__(self, name: str, value: Any) -> None:
        setattr(self, name, value)


@pytest.mark.parametrize(
    ("name", "value", "detail"),
    [
        ("players", 3, "expected 1 or 2, found 3"),
        ("quantity", "points", "found 'points'"),
        ("total", float("nan"), "expected a finite number, found nan"),
        ("total", "1", "expected a finite number, found '1'"),
    ],
)
def test_what_a_game_says_of_itself(name: str, value: Any, detail: str) -> None:
    only(Declares(name, value), name, "", detail)


class Raises(Walk):
    """Raises in one method, from the third position on."""

    def __init__(self, method: str) -> None:
        self.method = method

    def _maybe(self, method: str, position: Any) -> None:
        if method == self.method and position == (2, 0):
            raise ValueError("three\nlines\nlong")

    def node(self, position: Any) -> Any:
        self._maybe("node", position)
        return super().node(position)

    def play(self, position: Any, move: Any) -> Any:
        self._maybe("play", position)
        return super().play(position, move)

    def anchor(self, position: Any) -> bool:
        self._maybe("anchor", position)
        return True

    def symmetry(self, position: Any) -> Any:
        self._maybe("symmetry", position)
        return position

    def show(self, position: Any) -> str:
        self._maybe("show", position)
        return super().show(position)

    def parse(self, text: str) -> Any:
        self._maybe("parse", (2, 0) if text == "(2, 0)" else None)
        return super().parse(text)


@pytest.mark.parametrize("method", ["node", "play", "anchor", "symmetry", "show", "parse"])
def test_a_method_that_raises(method: str) -> None:
    only(Raises(method), f"{method}() raises", "(2, 0)", "ValueError: three lines long (line ")


def test_the_line_is_that_of_the_users_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from backroll import Choice, Game, Terminal\n"
        "class Mine(Game):\n"
        "    players = 1\n"
        "    def start(self): return 3\n"
        "    def node(self, position):\n"
        "        return Choice([1]) if position else Terminal(1)\n"
        "    def play(self, position, move):\n"
        "        return {3: 2}[position]\n"
    )
    expected = "move 1: KeyError: 2 (line 8 of mine.py)"
    assert found(load(str(path))) == [Finding("play() raises", "2", expected)]


def test_start_and_sample_may_raise_too() -> None:
    class NoStart(Walk):
        def start(self) -> Any:
            raise RuntimeError

    class NoSample(Walk):
        def sample(self, random: Random) -> Any:
            raise RuntimeError("empty")

    only(NoStart(), "start() raises", "", "RuntimeError (line")
    only(NoSample(), "sample() raises", "", "RuntimeError: empty")


def test_a_sample_that_cannot_be_reached() -> None:
    class Elsewhere(Walk):
        def sample(self, random: Random) -> Any:
            return 9, 9

    only(Elsewhere(), "sample() gives what cannot be reached", "(9, 9)", "(9, 9)")


class Coin:
    """A position that is equal to nothing but itself."""

    def __repr__(self) -> str:
        return "a coin"


class Purse(list[int]):
    """A position with contents that can change, and a hash that follows them."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))


class Wild(Game[Any]):
    """Start, then one move to whatever is asked for."""

    players = 1

    def __init__(self, child: Any) -> None:
        self.child = child

    def start(self) -> Any:
        return "start"

    def node(self, position: Any) -> Any:
        return Choice(["go"]) if position == "start" else Terminal(1)

    def play(self, position: Any, move: Any) -> Any:
        return self.child()

    def parse(self, text: str) -> Any:
        return "start" if text == "start" else self.child()


@pytest.mark.parametrize(
    ("child", "problem", "position", "detail"),
    [
        (list, "hash(position) raises", "[]", "after move 'go' at start: TypeError"),
        (Coin, "play() changes its answer", "start", "first a coin, then a coin"),
        (lambda: None, "play() gives no position", "start", "found None"),
        (lambda: Terminal(1), "play() gives no position", "start", "found Terminal(value=1)"),
    ],
)
def test_where_a_move_leads(child: Any, problem: str, position: str, detail: str) -> None:
    only(Wild(child), problem, position, detail)


def test_nobody_takes_over_in_a_game_for_one() -> None:
    class Turns(Wild):
        def parse(self, text: str) -> Any:
            return text

    detail = "move 'go': found Swap(position='end')"
    only(Turns(lambda: Swap("end")), "a Swap in a game for one", "start", detail)


def test_a_start_that_cannot_be_a_position() -> None:
    class ListStart(Wild):
        def start(self) -> Any:
            return []

    class CoinStart(Wild):
        def start(self) -> Any:
            return Coin()

    only(ListStart(str), "hash(position) raises", "[]", "TypeError: unhashable type: 'list'")
    only(CoinStart(str), "start() changes its answer", "a coin", "first a coin, then a coin")


def test_a_position_that_playing_changes() -> None:
    class Spends(Walk):
        def start(self) -> Any:
            return Purse([2])

        def node(self, position: Any) -> Any:
            return Choice(["spend"]) if sum(position) > 0 else Terminal(1)

        def play(self, position: Any, move: Any) -> Any:
            position[0] -= 1
            return Purse([0])

        def show(self, position: Any) -> str:
            return ",".join(map(str, position))

        def parse(self, text: str) -> Any:
            return Purse(map(int, text.split(",")))

    findings = check(Spends(), positions=5)
    assert findings[0].problem == "node() or play() changes the position itself"
    assert findings[0].detail == "before [2], after [0]"


def test_an_answer_that_changes() -> None:
    class Fickle(Walk):
        def __init__(self) -> None:
            self.asked = 0

        def node(self, position: Any) -> Any:
            self.asked += position == (4, 0)
            ends = position != (4, 0) or self.asked % 2
            return super().node(position) if ends else Choice(["short"])

    findings = check(Fickle())
    assert findings[0].problem == "node() changes its answer"
    assert findings[0].position == "(4, 0)"
    assert findings[0].detail == (
        "first Terminal(value=0), then Choice(moves=['short'], player=1, adds=0)"
    )


def test_moves_may_be_an_iterator_but_not_a_used_one() -> None:
    class Fresh(Walk):
        def node(self, position: Any) -> Any:
            node = super().node(position)
            return node._replace(moves=iter(node.moves)) if isinstance(node, Choice) else node

    class Used(Walk):
        def __init__(self) -> None:
            self.moves = iter(["short", "long"])

        def node(self, position: Any) -> Any:
            node = super().node(position)
            return node._replace(moves=self.moves) if isinstance(node, Choice) else node

    assert found(Fresh()) == []
    assert check(Used())[0].problem == "node() changes its answer"


class Shows(Walk):
    def __init__(self, text: Any, back: Any = None) -> None:
        self.text, self.back = text, back

    def show(self, position: Any) -> Any:
        return self.text if position == (2, 0) else super().show(position)

    def parse(self, text: str) -> Any:
        return self.back or ((2, 0) if text == self.text else super().parse(text))


@pytest.mark.parametrize(
    ("text", "problem", "position", "detail"),
    [
        (7, "show() gives no line of text", "7", "found 7"),
        ("", "show() gives no line of text", "", "found ''"),
        ("2\n0", "show() gives no line of text", "2\n0", "found '2\\n0'"),
    ],
)
def test_texts(text: Any, problem: str, position: str, detail: str) -> None:
    only(Shows(text), problem, position, detail)


def test_two_positions_with_one_text() -> None:
    class Short(Walk):
        def show(self, position: Any) -> str:
            return str(position[0])

        def parse(self, text: str) -> Any:
            return int(text), 0

    problems = [finding.problem for finding in found(Short())]
    assert problems.count("show() gives two positions one text") == 3
    first = next(each for each in found(Short()) if "one text" in each.problem)
    assert first.position == "2"
    assert first.detail == "(2, 0) and (2, 1) look the same"


def test_parse_is_the_inverse_of_show() -> None:
    only(Shows("two", (9, 9)), "parse() is not the inverse of show()", "(0, 0)", "found (9, 9)")


class Anchors(Game[int]):
    """Walk round and round until a toss ends it."""

    players = 1

    def __init__(self, *anchors: Any) -> None:
        self.anchors = anchors

    def start(self) -> int:
        return 0

    def node(self, position: int) -> Any:
        return Terminal(1) if position == 6 else Chance({"on": 1, "out": 1})

    def play(self, position: int, move: str) -> int:
        return (position + 1) % 6 if move == "on" else 6

    def anchor(self, position: int) -> Any:
        return position in self.anchors if self.anchors != (None,) else None


def test_anchors() -> None:
    assert found(Anchors(3)) == []
    only(Anchors(), "anchor() misses a cycle", "0", "a cycle through here has no anchor")
    only(Anchors(6), "anchor() misses a cycle", "0", "a cycle through here has no anchor")
    only(Anchors(None), "anchor() gives no answer", "0", "expected True or False, found None")


def test_a_step_that_stays_is_a_cycle_too() -> None:
    class Stays(Anchors):
        def play(self, position: int, move: str) -> int:
            return 6 if move == "out" or position == 5 else position + (position != 2)

    assert found(Stays(2)) == []
    only(Stays(0), "anchor() misses a cycle", "2", "a cycle through here has no anchor")


class Mirrored(Walk):
    """Two heaps that may be swapped, and a symmetry that says so, well or badly."""

    def __init__(self, how: str) -> None:
        self.how = how

    def start(self) -> Any:
        return 3, 4

    def node(self, position: Any) -> Any:
        heaps = [i for i in (0, 1) if position[i]]
        return Choice(heaps, adds=sum(position)) if heaps else Terminal(0)

    def play(self, position: Any, move: Any) -> Any:
        return tuple(each - (i == move) for i, each in enumerate(position))

    def symmetry(self, position: Any) -> Any:
        first, second = position
        if self.how == "flips":
            return second, first
        if self.how == "lumps":
            return first + second, 0
        if self.how == "wrong":
            return min(first, 2), second
        return min(position), max(position)


def test_symmetry() -> None:
    assert found(Mirrored("sorts")) == []
    assert found(Mirrored("lumps")) == []  # worth the same, though the moves differ
    only(Mirrored("flips"), "symmetry() does not settle", "(3, 4)", "of that (3, 4)")
    findings = found(Mirrored("wrong"))
    assert {finding.problem for finding in findings} == {"symmetry() does not hold"}
    assert findings[0].position == "(3, 0)"
    assert findings[0].detail == "worth 6, but (2, 0), which stands for it, 3"


def test_ends_that_symmetry_takes_for_one() -> None:
    class Lumps(Walk):
        def symmetry(self, position: Any) -> Any:
            return (4, 0) if position[0] >= 4 else position

    only(Lumps(), "symmetry() does not hold", "(4, 2)", "worth 2, but (4, 0)")


def test_a_representative_that_is_no_position() -> None:
    class Astray(Mirrored):
        def symmetry(self, position: Any) -> Any:
            return (position[0], None) if position[1] == 1 else position

    first = found(Astray(""))[0]
    assert (first.problem, first.position) == ("the contract", "(3, 4)")
    assert "node() fails at (3, None)" in first.detail


class Lifts(Game[tuple[int, ...]]):
    """Many short lifts to bring up one floor at a time, in any order: a large game."""

    players = 1
    quantity = COST

    def __init__(self, lifts: int, floors: int, right: str) -> None:
        self.lifts, self.floors, self.right = lifts, floors, right

    def start(self) -> Any:
        return (0,) * self.lifts

    def node(self, position: Any) -> Any:
        low = [i for i in range(self.lifts) if position[i] < self.floors]
        return Choice(low, adds=1 + position[0] % 2) if low else Terminal(0)

    def play(self, position: Any, move: int) -> Any:
        return tuple(each + (i == move) for i, each in enumerate(position))

    def symmetry(self, position: Any) -> Any:
        fixed = 1 if self.right == "yes" else 0
        return position[:fixed] + tuple(sorted(position[fixed:]))


def test_symmetry_in_a_game_too_large_to_solve_from_everywhere() -> None:
    assert found(Lifts(5, 5, "yes"), positions=500) == []
    findings = found(Lifts(5, 5, "no"), positions=500)
    assert {finding.problem for finding in findings} == {"symmetry() does not hold"}


class Endless(Game[int]):
    """Count up for ever, with a way out at first."""

    players = 1

    def start(self) -> int:
        return 0

    def node(self, position: int) -> Any:
        return Terminal(1) if position == -1 else Choice(["up", "out"] if position < 5 else ["up"])

    def play(self, position: int, move: str) -> int:
        return -1 if move == "out" else position + 1


def test_a_game_that_does_not_end() -> None:
    problem = "more positions than the limit"
    only(Endless(), problem, "0", "more than 10,000 positions", positions=50, limit=10_000)
    detail = found(Endless(), positions=50, limit=10_000)[0].detail
    assert "--limit" in detail
    assert "\n" not in detail


def test_a_place_without_a_way_out() -> None:
    class Trap(Endless):
        def play(self, position: int, move: str) -> int:
            return -1 if move == "out" else 7 + position % 3 if position >= 7 else position + 1

    only(Trap(), "no end can be reached", "7", "every way on leads back here")


def test_what_lies_deeper_than_the_walk_is_found_too() -> None:
    class Deep(Walk):
        def node(self, position: Any) -> Any:
            at, _ = position
            return Terminal(1) if at < 0 else Choice([1, -1]) if at < 900 else Chance({-1: 0})

        def play(self, position: Any, move: Any) -> Any:
            return (position[0] + 1, 0) if move == 1 else (-1, 0)

    only(Deep(), "the contract", "(0, 0)", "weights must be 1 or more", positions=10)


def test_positions_that_cannot_be_compared() -> None:
    class Touchy(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            raise RuntimeError("hands off")

        __hash__ = str.__hash__

    only(Wild(lambda: Touchy("end")), "comparing positions raises", "end", "hands off")


def test_a_position_that_cannot_even_be_written() -> None:
    class Shy(tuple[int, ...]):
        __slots__ = ()

        def __repr__(self) -> str:
            raise RuntimeError

    class Hides(Wild):
        def show(self, position: Any) -> str:
            raise RuntimeError

    findings = check(Hides(lambda: Shy([1])))
    assert {finding.problem for finding in findings} == {"show() raises"}
    assert "Shy object" in findings[1].position
