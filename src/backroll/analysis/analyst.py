"""Whoever is asked about positions of a game, and answers from the best source there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from backroll.analysis.figures import Analysis, Candidate, Danger
from backroll.analysis.kinds import OnTheSpot, Rollouts, Tables, TurnExact
from backroll.analysis.losing import at_next_roll, can_be_lost, over
from backroll.analysis.sources import Found, Kind, Source
from backroll.errors import BackrollError
from backroll.game import Game
from backroll.spec import spec_of
from backroll.turn import relative

KINDS: tuple[Kind, ...] = (Tables(), OnTheSpot(), TurnExact(), Rollouts())
"""The kinds of source, the surest first."""


class Analyst:
    """Says what positions and moves of a game are worth, and what that rests on."""

    def __init__(self, game: Game[Any], kinds: Sequence[Kind] = KINDS) -> None:
        self.game, self._kinds = game, kinds

    @cached_property
    def source(self) -> Source:
        """The source that answers: the first that there is for the game."""
        for kind in self._kinds:
            source = kind.of(self.game)
            if source is not None:
                return source
        raise BackrollError(
            f"{spec_of(self.game)}: expected a source that knows the game, found none"
        )

    @cached_property
    def relative(self) -> bool:
        """Whether positions are written from the mover's side."""
        return relative(self.game)

    def found(self, position: Any) -> Found:
        """The best figures for a position, bare."""
        *_, last = self.source.refine(position)
        return last

    def analyse(self, position: Any) -> Analysis:
        """The best figures for a position, written out."""
        return self._written(position, self.found(position))

    def refine(self, position: Any) -> Iterator[Analysis]:
        """Better and better figures for a position; exact ones at once, and no others."""
        for found in self.source.refine(position):
            yield self._written(position, found)

    def _written(self, position: Any, found: Found) -> Analysis:
        game = self.game
        kind = type(game.node(position)).__name__.lower()
        moves = tuple(self._candidate(found, place) for place in range(len(found.moves)))
        rolls = kind == "chance" or any(each.move == "roll" for each in moves)
        return Analysis(
            spec=spec_of(game),
            quantity=game.quantity,
            position=game.show(position),
            value=found.value,
            view="mover" if kind == "choice" or self.relative else "player 1",
            kind=kind,
            moves=moves,
            basis=found.basis,
            interval=found.interval,
            danger=self._danger(position) if rolls else moves[0].danger if moves else None,
            distance=self.source.distance(position),
            distances=self.source.distances,
        )

    def _candidate(self, found: Found, place: int) -> Candidate:
        move, position, value, loss = found.moves[place]
        interval, loss_interval = found.intervals[place] if found.intervals else (None, None)
        return Candidate(
            self.game.show_move(move), self.game.show(position), value, loss,
            self.source.distance(position), interval, loss_interval, self._after(move, position),
        )  # fmt: skip

    def _after(self, move: Any, position: Any) -> Danger | None:
        """The chance to lose the turn after a move, which may have ended it."""
        if can_be_lost(self.game) and over(self.game, position):
            lost = float(move == "bust")
            return Danger(lost, lost)
        return self._danger(position)

    def _danger(self, position: Any) -> Danger | None:
        """The chance to lose the turn that goes on at a position."""
        if not can_be_lost(self.game):
            return None
        return Danger(at_next_roll(self.game, position), self.source.lost(position))
