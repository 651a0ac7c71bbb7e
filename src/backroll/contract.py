"""What the contract asks at one position: every question is put twice and the answers compared."""

from __future__ import annotations

import inspect
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from numbers import Integral, Real
from typing import Any, NamedTuple

from backroll.errors import GameError
from backroll.game import QUANTITIES, WIN, Chance, Choice, Game, Move, Node, Swap, Terminal
from backroll.userfile import told

MOST_OF_A_KIND = 3
HEAVIEST = 2**53
"""What weights may add up to: every whole number up to here is a float64 too."""


class Finding(NamedTuple):
    """One way in which a game breaks the contract."""

    problem: str
    position: str
    """As `show` writes it; empty when the game as a whole is meant."""
    detail: str

    @property
    def line(self) -> str:
        """The finding in one line."""
        where = f", at {self.position}" * bool(self.position)
        return f"{self.problem}{where}: {self.detail}"


class ContractError(GameError):
    """A finding that stops a game from being explored."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.line)
        self.finding = finding


class Broken(Exception):
    """A question that cannot be asked any further; what was found is in the ledger."""


class Ledger:
    """The findings so far, a few of each kind."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.findings: list[Finding] = []
        self._kinds: Counter[str] = Counter()
        self._file = _file_of(type(game))

    def note(self, problem: str, detail: str, *where: Any) -> None:
        """Add a finding, at a position or about the whole game."""
        self._kinds[problem] += 1
        if self._kinds[problem] <= MOST_OF_A_KIND:
            self.findings.append(Finding(problem, self.text(*where), detail))

    def text(self, *where: Any) -> str:
        """A position as `show` writes it, or as Python does if that fails."""
        if not where:
            return ""
        try:
            text = str(self.game.show(where[0]))
        except Exception:  # a broken `show` is a finding of its own
            return _literal(where[0])
        return repr(text) if "\n" in text else text

    @contextmanager
    def asking(self, question: str, *where: Any, after: str = "") -> Iterator[None]:
        """Turn whatever the game's code raises into a finding."""
        try:
            yield
        except Exception as error:  # a user's code may raise anything
            self.note(f"{question} raises", after + told(error, self._file), *where)
            raise Broken from error

    def stop(self, problem: str, detail: str, *where: Any) -> None:
        """Add a finding after which the question makes no more sense."""
        self.note(problem, detail, *where)
        raise Broken


def _literal(position: Any) -> str:
    """A position as Python writes it, even if its own way of doing so fails."""
    try:
        return repr(position)
    except Exception:  # a user's code may raise anything
        return object.__repr__(position)


def _file_of(game: type[Game[Any]]) -> str | None:
    try:
        return inspect.getsourcefile(game)
    except TypeError:  # a class typed at a prompt has no file
        return None


def declared(game: Game[Any], ledger: Ledger) -> None:
    """Ask what the game says of itself."""
    if not isinstance(game, Game):
        ledger.stop("not a game", f"expected an instance of a subclass of Game, found {game!r}")
    if game.players not in (1, 2):
        ledger.stop("players", f"expected 1 or 2, found {game.players!r}")
    if game.quantity not in QUANTITIES:
        ledger.stop("quantity", f"expected one of {QUANTITIES}, found {game.quantity!r}")
    if not _finite(game.total):
        ledger.stop("total", f"expected a finite number, found {game.total!r}")


def first_finding(game: Game[Any], *where: Any) -> Finding | None:
    """What a game says wrongly of itself or, at a position, breaks there or one move on."""
    ledger = Ledger(game)
    inspector = Inspector(game, ledger)
    with suppress(Broken):
        declared(game, ledger)
        for position in where:
            inspector.hashable(position)
            for child in inspector.visit(position):
                inspector.visit(child)
    return next(iter(ledger.findings), None)


def misread(game: Game[Any], positions: Iterable[Any]) -> Finding | None:
    """The first of some positions that `parse` does not read back from what `show` writes."""
    inspector = Inspector(game, Ledger(game))
    for position in positions:
        with suppress(Broken):
            inspector.text(position)
        if inspector.ledger.findings:
            return inspector.ledger.findings[0]
    return None


class Inspector:
    """Puts the contract's questions, one position at a time."""

    def __init__(self, game: Game[Any], ledger: Ledger) -> None:
        self.game = game
        self.ledger = ledger
        self.children: dict[Hashable, list[Any]] = {}
        """Of every position visited, the positions that can follow."""
        self.alike: list[tuple[Any, Any]] = []
        """Positions that `symmetry` says are worth the same."""
        self._texts: dict[str, Any] = {}

    def visit(self, position: Any) -> list[Any]:
        """Ask everything about a position, and give the positions that can follow."""
        if position in self.children:
            return self.children[position]
        self.children[position] = []
        with suppress(Broken):
            self.children[position] = self._moves(position)
        for question in (self.text, self._anchor, self._symmetry):
            with suppress(Broken):
                question(position)
        return self.children[position]

    def hashable(self, position: Any, after: str = "") -> int:
        """The hash of a position, which every position must have."""
        with self.ledger.asking("hash(position)", position, after=after):
            return hash(position)

    def _moves(self, position: Any) -> list[Any]:
        """Ask what happens here and where it leads."""
        before = self.hashable(position), _literal(position)
        with self.ledger.asking("node()", position):
            node, again = _read(self.game.node(position)), _read(self.game.node(position))
            changed = node != again
        if type(node) not in (Terminal, Choice, Chance):
            found = f"expected Terminal, Choice or Chance, found {node!r}"
            self.ledger.stop("node() gives no node", found, position)
        if self._node(position, node) and changed:
            detail = f"first {node!r}, then {again!r}"
            self.ledger.stop("node() changes its answer", detail, position)
        children = []
        for move in _options(node):
            with suppress(Broken):
                children.append(self._play(position, move))
        if before != (self.hashable(position), _literal(position)):
            detail = f"before {before[1]}, after {_literal(position)}"
            self.ledger.note("node() or play() changes the position itself", detail, position)
        return children

    def _node(self, position: Any, node: Node) -> bool:
        """Whether a node is one that a game may have."""
        if isinstance(node, Terminal):
            wrong, number = self._end(node), node.value
        else:
            wrong = self._choice(node) if isinstance(node, Choice) else _chance(node)
            if isinstance(node, Chance) and not self.game.chance:
                wrong = wrong or ("chance in a game that says it has none", f"found {node!r}")
            number = node.adds
        if wrong is None and not _finite(number):
            wrong = "not a finite number", f"expected a finite number, found {number!r}"
        if wrong is not None:
            self.ledger.note(*wrong, position)
        return wrong is None

    def _end(self, node: Terminal) -> tuple[str, str] | None:
        total = self.game.total
        if self.game.quantity == WIN and _finite(node.value) and not 0 <= node.value <= total:
            return "an end worth more than there is", f"expected 0 to {total}, found {node.value!r}"
        return None

    def _choice(self, node: Choice) -> tuple[str, str] | None:
        moves = list(node.moves)
        if not moves:
            return "a choice without moves", "expected one move or more; an end is a Terminal"
        if node.player not in range(1, self.game.players + 1):
            detail = f"expected 1 to {self.game.players}, found {node.player!r}"
            return "a choice of no player", detail
        twice = next((move for i, move in enumerate(moves) if move in moves[:i]), None)
        return None if twice is None else ("a move offered twice", f"found {twice!r} again")

    def _play(self, position: Any, move: Move) -> Any:
        """Ask where a move leads, and give the position it leads to."""
        after = f"move {move!r}: "
        with self.ledger.asking("play()", position, after=after):
            child, again = self.game.play(position, move), self.game.play(position, move)
        inner = child.position if isinstance(child, Swap) else child
        if inner is None or type(inner) in (Terminal, Choice, Chance, Swap):
            found = f"{after}expected a position, found {child!r}"
            self.ledger.stop("play() gives no position", found, position)
        self.hashable(inner, f"after move {move!r} at {self.ledger.text(position)}: ")
        if isinstance(child, Swap) and self.game.players == 1:
            self.ledger.note("a Swap in a game for one", f"{after}found {child!r}", position)
        with self.ledger.asking("comparing positions", inner):
            same = child == again and hash(child) == hash(again)
        if not same:
            detail = f"{after}first {child!r}, then {again!r}, which differ in == or hash"
            self.ledger.stop("play() changes its answer", detail, position)
        return inner

    def text(self, position: Any) -> None:
        """Ask whether `show` and `parse` are inverse, and `show` tells positions apart."""
        with self.ledger.asking("show()", position):
            text = self.game.show(position)
        if not isinstance(text, str) or not text.strip() or "\n" in text:
            self.ledger.stop("show() gives no line of text", f"found {text!r}", position)
        other = self._texts.setdefault(text, position)
        if other != position:
            detail = f"{other!r} and {position!r} look the same"
            self.ledger.stop("show() gives two positions one text", detail, position)
        with self.ledger.asking("parse()", position, after=f"{text!r}: "):
            back = self.game.parse(text)
        if back != position or type(back) is not type(position):
            detail = f"expected {position!r}, found {back!r}"
            self.ledger.note("parse() is not the inverse of show()", detail, position)

    def _anchor(self, position: Any) -> None:
        with self.ledger.asking("anchor()", position):
            said = self.game.anchor(position)
        if type(said).__name__ not in ("bool", "bool_"):  # NumPy's will do
            detail = f"expected True or False, found {said!r}"
            self.ledger.note("anchor() gives no answer", detail, position)

    def _symmetry(self, position: Any) -> None:
        """Ask whether the representative of a position represents itself."""
        with self.ledger.asking("symmetry()", position):
            stands = self.game.symmetry(position)
            if stands is position:
                return
            hash(stands)
            again = self.game.symmetry(stands)
        if again != stands:
            detail = f"it gives {self.ledger.text(stands)}, but of that {self.ledger.text(again)}"
            self.ledger.stop("symmetry() does not settle", detail, position)
        if stands != position:
            self.alike.append((position, stands))


def _chance(node: Chance) -> tuple[str, str] | None:
    if not isinstance(node.outcomes, Mapping):
        detail = f"expected outcomes with their weights, found {node.outcomes!r}"
        return "a chance that is not a mapping", detail
    if not node.outcomes:
        return "a chance without outcomes", "expected one outcome or more; an end is a Terminal"
    for outcome, weight in node.outcomes.items():
        if not isinstance(weight, Integral) or weight < 1:
            detail = f"expected a whole number from 1, found {weight!r} for {outcome!r}"
            return "a weight that is not a whole number from 1", detail
    heavy = sum(node.outcomes.values())
    if heavy > HEAVIEST:
        return "weights that add up to too much", f"expected at most {HEAVIEST:,}, found {heavy:,}"
    return None


def _read(node: Node) -> Any:
    """A node whose moves are listed, so that it can be read twice and compared."""
    if type(node) is Choice:
        return node._replace(moves=list(node.moves))
    return node


def _options(node: Node) -> list[Move]:
    """The moves or outcomes of a node."""
    if isinstance(node, Chance):
        return list(node.outcomes) if isinstance(node.outcomes, Mapping) else []
    return list(node.moves) if isinstance(node, Choice) else []


def _finite(number: Any) -> bool:
    """Whether it is a number that float64 can hold."""
    try:
        return isinstance(number, Real) and math.isfinite(number)
    except OverflowError:
        return False
