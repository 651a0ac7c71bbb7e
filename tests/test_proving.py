"""Bounds where rounding is all that there is to bound."""

from __future__ import annotations

from backroll.engines.general import solve
from backroll.game import Chance, Choice, Terminal
from tiny import Written


class Lost(Written):
    """A component that is worth 0 throughout, all of it cut, and left by luck alone."""

    def __init__(self) -> None:
        middle = Chance({"x": 1, "lost": 1})
        nodes = {"x": Chance({"y": 1, "z": 1, "w": 1}), "y": middle, "z": middle, "w": middle}
        super().__init__({"here": Choice(["x", "won"], 2), **nodes, "lost": Terminal(0)})
        self.nodes = {**self.nodes, "won": Terminal(1)}

    def anchor(self, position: str) -> bool:
        return True


def test_values_of_nought_are_proven_where_no_sweep_moves_them() -> None:
    solution = solve(Lost(), bounds=True)
    assert abs(solution.value) <= solution.report.bound
    assert solution.report.bound < 1e-14
    assert solution.lower is not None
    assert solution.upper is not None
    assert (solution.upper - solution.lower).max() < 1e-14
