from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backroll.game import Chance, Choice, Game, Swap, Terminal
from backroll.spec import load
from backroll.testing import Finding, check
from breaking import Walk, found, only


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


def test_a_number_that_is_none_is_named_even_where_no_two_are_the_same() -> None:
    class Afresh(Walk):
        def node(self, position: Any) -> Any:
            return Terminal(float("nan")) if position == (2, 0) else super().node(position)

    only(Afresh(), "not a finite number", "(2, 0)", "found nan")


@pytest.mark.parametrize("value", [1.5, -0.25])
def test_a_win_is_worth_no_more_than_there_is(value: float) -> None:
    class Won(Walk):
        quantity = "win probability"
        total = 1.0

        def node(self, position: Any) -> Any:
            node = super().node(position)
            return Terminal(value) if isinstance(node, Terminal) else node

    only(Won(), "an end worth more than there is", "(4, 0)", f"expected 0 to 1.0, found {value}")


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
        (lambda: Swap(None), "play() gives no position", "start", "found Swap(position=None)"),
        (
            lambda: Swap(Swap("end")),
            "play() gives no position",
            "start",
            "found Swap(position=Swap",
        ),
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


def test_what_is_no_game_is_a_finding() -> None:
    unmade: Any = Walk
    (finding,) = check(unmade)
    assert finding.problem == "not a game"
    assert "expected an instance of a subclass of Game, found <class" in finding.detail


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
        ("2\n0", "show() gives no line of text", r"'2\n0'", "found '2\\n0'"),
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
