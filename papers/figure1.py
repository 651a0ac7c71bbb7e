"""Figure 1: the smallest cycle, by Algorithm 2 step by step and by Algorithm 3 in one.

Either side wins with probability 1/2 or hands the turn over, so u1 is worth 2/3, ū1 1/3.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import ClassVar

from backroll import Chance, Choice, Game, Terminal, solve
from backroll.engines.problem import Problem
from backroll.game import Node
from backroll.graph import explore
from backroll.kernels.sweeps import iterate
from papers.sheet import Findings, Sheet, run

STEPS = 8


class FigureOne(Game[str]):
    """The graph of the figure; a bar over a name is written as a capital."""

    nodes: ClassVar[dict[str, Node]] = {
        "u1": Chance({"v1": 1, "v2": 1}),
        "v1": Choice(["U1"], player=1),
        "v2": Choice(["u2"], player=1),
        "u2": Terminal(1),
        "U1": Chance({"V1": 1, "V2": 1}),
        "V1": Choice(["u1"], player=2),
        "V2": Choice(["U2"], player=2),
        "U2": Terminal(0),
    }

    def start(self) -> str:
        """The first player is to roll."""
        return "u1"

    def node(self, position: str) -> Node:
        """As drawn."""
        return self.nodes[position]

    def play(self, position: str, move: str) -> str:
        """A move is the vertex that it leads to."""
        return move


def iterates() -> Iterator[Fraction]:
    """What Algorithm 2 says of u1, sweep by sweep; binary fractions, so floats hold them."""
    problem = Problem.of(explore(FigureOne()))
    order = problem.order.order
    while True:
        iterate(problem.graph, order, 0, order.size, problem.value, problem.choice, 0.0, 1)
        yield Fraction(float(problem.value[0]))


def closed_form(n: int) -> Fraction:
    """The paper's 1/2 + 1/6 · (4ⁿ - 1)/4ⁿ."""
    return Fraction(1, 2) + Fraction(1, 6) * Fraction(4**n - 1, 4**n)


def findings(*, everything: bool) -> Findings:
    rows = []
    for n, found in enumerate(islice(iterates(), STEPS)):
        left = float(Fraction(2, 3) - found)
        rows.append(
            (str(n), str(found), str(closed_form(n)), f"{float(found):.12f}", f"{left:.3e}")
        )
    iteration = Sheet(
        "Algorithm 2 (iteration)",
        ("n", "u1", "1/2 + 1/6 · (4ⁿ-1)/4ⁿ", "as a number", "still to go to 2/3"),
        rows,
        "Each step leaves a quarter of the error: linear convergence.",
    )
    return Findings("Glenn, Fang and Kruskal 2007, Figure 1", [iteration, _newton()])


def _newton() -> Sheet:
    solution = solve(FigureOne(), "newton")
    worth = dict(zip(solution.anchors, solution.values.tolist(), strict=True))
    rows = [
        (name, f"{worth[vertex]:.16f}", published, f"{abs(worth[vertex] - exact):.1e}")
        for name, vertex, published, exact in (
            ("u1", "u1", "2/3", 2 / 3),
            ("ū1", "U1", "1/3", 1 / 3),
        )
    ]
    steps = solution.report.iterations
    note = f"Newton steps from (1/2, 1/2): {steps}; published: 1."
    return Sheet("Algorithm 3 (Newton)", ("vertex", "value", "published", "apart"), rows, note)


if __name__ == "__main__":
    run("figure1", findings)
