"""Games drawn at random for Hypothesis: chance, both players, cycles, certain to end."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st

from backroll.game import COST, SCORE, WIN, Chance, Choice, Game, Node, Swap, Terminal


class Row(NamedTuple):
    """One position: its kind, its children with weights and whether sides swap, what it adds."""

    kind: str
    children: tuple[tuple[int, int, bool], ...]
    value: int
    player: int
    adds: int


class Drawn(Game[int]):
    """Positions 0..n-1 as rows; position 0 is the start.

    Fate always has a way to the end, and choices lead on or to fate, so every play ends; unless
    the game is drawn without that promise.
    """

    def __init__(self, rows: tuple[Row, ...], players: int, quantity: str, total: float) -> None:
        self.rows, self.players, self.quantity, self.total = rows, players, quantity, total

    def __repr__(self) -> str:
        return f"Drawn({self.rows!r}, {self.players}, {self.quantity!r}, {self.total})"

    def start(self) -> int:
        return 0

    def node(self, position: int) -> Node:
        row = self.rows[position]
        if row.kind == "end":
            return Terminal(row.value)
        if row.kind == "choice":
            return Choice(range(len(row.children)), row.player, row.adds)
        return Chance({i: child[1] for i, child in enumerate(row.children)}, row.adds)

    def play(self, position: int, move: Any) -> int | Swap[int]:
        child, _, swaps = self.rows[position].children[move]
        return Swap(child) if swaps else child


@st.composite
def drawn_games(draw: st.DrawFn, largest: int = 9, *, ending: bool = True) -> Drawn:
    """A game of a few positions, in any of the forms that the contract allows.

    Without `ending` it is a game of winning that may go on for ever.
    """
    n = draw(st.integers(3, largest))
    form = draw(st.sampled_from(["lone", "absolute", "relative"]))
    quantity = draw(st.sampled_from([WIN, SCORE, COST])) if ending else WIN
    total = {WIN: 1.0, SCORE: 0.0, COST: 0.0}[quantity]
    chances = [i for i in range(n - 1) if draw(st.booleans())]
    ends = {n - 1} | {i for i in range(1, n - 1) if draw(st.integers(0, 4)) == 0}
    rows = [draw(_rows(i, n, chances, ends, form, quantity, ending)) for i in range(n)]
    return Drawn(tuple(rows), 1 if form == "lone" else 2, quantity, total)


@st.composite
def _rows(
    draw: st.DrawFn,
    i: int,
    n: int,
    chances: list[int],
    ends: set[int],
    form: str,
    quantity: str,
    ending: bool,
) -> Row:
    if i in ends:
        top = 1 if quantity == WIN else 5
        bottom = -5 if quantity == SCORE else 0
        return Row("end", (), draw(st.integers(bottom, top)), 1, 0)
    paying = form != "relative" and quantity != WIN
    adds = draw(st.integers(0, 2)) if paying else 0
    swap = st.booleans() if form == "relative" else st.just(False)
    player = draw(st.sampled_from([1, 2])) if form == "absolute" else 1
    if i in chances:
        picked = draw(st.lists(st.integers(0, n - 1), max_size=3))
        ways = [*picked, n - 1] if ending or not picked else picked
        children = tuple((c, draw(st.integers(1, 4)), draw(swap)) for c in ways)
        return Row("chance", children, 0, 1, adds)
    onward = [c for c in range(n) if c > i or c in chances or not ending]
    picked = draw(st.lists(st.sampled_from(onward), min_size=1, max_size=3))
    return Row("choice", tuple((c, 1, draw(swap)) for c in picked), 0, player, adds)
