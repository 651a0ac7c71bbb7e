"""What the study's solvers count, against the limits of its Tables 1 to 3."""

from __future__ import annotations

import numpy as np
import pytest

from backroll.arrays import Bytes, Choices, Longs
from backroll.engines import study
from studied import by_layers, held

GAMES = ["chinesecheckers:size=3", "chinesecheckers:size=3,pieces=1", "rookending:size=3", "nim"]


class Limits:
    """How many states are settled after so many passes: a game as the tables see it."""

    def __init__(self, spec: str, *, win_only: bool) -> None:
        self.states = held(spec)
        words = by_layers(self.states)
        wins = np.where(self.states.turns == 0, words & 3 == 1, words & 3 == 2)
        sought = wins if win_only else np.isin(words & 3, (1, 2))
        self.distances: Longs = np.sort(words[sought].astype(np.int64) >> 2)
        self.open_at_most = self.states.size - np.count_nonzero(self._ends() == 3)
        self.settled = self.distances.size
        self.average = self.states.links.state.size / self.states.size

    def _ends(self) -> Bytes:
        return self.states.ends(0, self.states.size)

    def sums(self, passes: int) -> int:
        """The states that are settled before each of some passes, all together."""
        return int(np.searchsorted(self.distances, np.arange(passes), "right").sum())


@pytest.fixture(params=GAMES)
def spec(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("win_only", [True, False])
def test_forward_search_keeps_the_limits_of_table_1(spec: str, win_only: bool) -> None:
    game = Limits(spec, win_only=win_only)
    layers = int(game.distances[-1]) + 1  # and the pass that finds nothing
    by_layer = study.solve(game.states, "forward", Choices(True, False, win_only)).effort
    known_losses = np.count_nonzero(game.states.ends(0, game.states.size)) * win_only
    assert by_layer.passes == layers
    assert by_layer.backward == 0
    every = layers * game.open_at_most - game.sums(layers)
    assert every - layers * known_losses <= by_layer.forward <= every
    for direct in (False, True):
        found = study.solve(game.states, "forward", Choices(False, direct, win_only)).effort
        assert found.passes <= layers  # no order makes it worse: Proposition 2
        assert found.forward <= found.passes * game.open_at_most - game.sums(found.passes)
        assert found.backward <= game.settled * direct


@pytest.mark.parametrize("layered", [True, False])
@pytest.mark.parametrize("win_only", [True, False])
def test_backward_search_keeps_the_limits_of_tables_2_and_3(
    spec: str, win_only: bool, layered: bool
) -> None:
    game = Limits(spec, win_only=win_only)
    for direct, further in ((False, False), (True, False), (True, True)):
        choices = Choices(layered, direct, win_only, further=further)
        once = study.solve(game.states, "backward", choices).effort
        ahead = 1 + game.average * further
        assert once.backward <= ahead * game.settled
        assert once.forward <= game.states.size + game.average * game.settled
        again = study.solve(game.states, "backward", choices._replace(no_dup=False)).effort
        assert again.backward <= ahead * again.passes * game.settled
        assert again.forward <= game.states.size + game.average * again.passes * game.settled
        assert again.backward > once.backward  # or the limit would say nothing of it
        if layered and not further:
            assert once.backward == game.settled
            assert again.backward == game.sums(again.passes)
