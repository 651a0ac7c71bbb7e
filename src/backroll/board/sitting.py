"""A game with people at the board: what they decide is kept, so that it can be taken back.

Strategies decide for the seats that nobody sits at. Dice come from a seed, by seat and turn, and
so do not depend on what was taken back: a game is its seed and its decisions. Taking back, and
opening a game that was saved, play it anew with the decisions that are left.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

from backroll.arena.playing import Step, luck_of, play
from backroll.arena.simulation import draw
from backroll.board import YOU
from backroll.errors import StrategyError, TranscriptError
from backroll.game import Choice, Game, Move, Swap
from backroll.spec import spec_of
from backroll.strategies import Strategy, strategy
from backroll.strategies.protocol import Player, Watching

HEADING = "backroll sitting 1"
LONGEST = 100_000
"""Steps of a game at most: with every column closed and nobody at three, dice fall for ever."""
LARGEST = 2**62
"""The largest seed."""


class TakeBack(Exception):  # no error, and never seen outside
    """Who sits at the board wants to decide again."""


class Decision(NamedTuple):
    """Who decided, and the text of the move."""

    seat: int
    move: str


class People(Protocol):
    """Who sits at the board."""

    def ask(self, steps: Sequence[Step], position: Any, side: int, seat: int) -> Move:
        """The move of a seat; raises TakeBack to decide again what was decided last."""
        ...

    def see(self, steps: Sequence[Step]) -> None:
        """Something was done: the last of the steps."""
        ...


@dataclass
class Sitting:
    """A game, who plays it, and what has been decided so far."""

    game: Game[Any]
    texts: Sequence[str]
    """Of each seat its strategy, or `you`."""
    seed: int
    number: int = 0
    decisions: list[Decision] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Refuse strategies that are none, or too few of them, before the game begins."""
        if len(self.texts) != self.game.players:
            raise StrategyError(
                f"{spec_of(self.game)}: expected {self.game.players} to play, "
                f"found {len(self.texts)}"
            )
        self._strategies = [None if text == YOU else strategy(text) for text in self.texts]

    def play(self, people: People) -> list[Step]:
        """Play to the end."""
        while True:
            try:
                return self._through(people)
            except TakeBack:
                self.take_back()

    def can_take_back(self) -> bool:
        """Whether somebody has decided anything."""
        return any(self.texts[decision.seat - 1] == YOU for decision in self.decisions)

    def take_back(self) -> None:
        """Forget what a person decided last, and all since."""
        while self.decisions and self.texts[self.decisions.pop().seat - 1] != YOU:
            pass

    def _through(self, people: People) -> list[Step]:
        """The game from its start; of what was decided before, nobody is asked or told."""
        steps: list[Step] = []
        known = list(self.decisions)
        lots = [Random() for _ in self.texts]
        draw(lots, self.seed, self.number)
        players = [
            _Seat(self, seat, each, lots[seat - 1], known, steps, people)
            for seat, each in enumerate(self._strategies, 1)
        ]
        for step in play(self.game, players, luck_of(self.game, self.seed, self.number)):
            steps.append(step)
            if not known:
                people.see(steps)
            if len(steps) == LONGEST:
                raise TranscriptError(f"expected a game of {LONGEST:,} steps at most, found no end")
        if known:
            raise TranscriptError(f"expected a game that is over, found {len(known)} more moves")
        return steps

    def saved(self) -> str:
        """The game so far as a text."""
        about = {"format": HEADING, "spec": spec_of(self.game), "strategies": list(self.texts)}
        moves = [list(decision) for decision in self.decisions]
        return json.dumps({**about, "seed": self.seed, "game": self.number, "moves": moves})


class _Seat:
    """A player who repeats what was decided, and then decides."""

    def __init__(
        self,
        sitting: Sitting,
        seat: int,
        plan: Strategy | None,
        lots: Random,
        known: list[Decision],
        steps: list[Step],
        people: People,
    ) -> None:
        self._sitting, self._seat, self._known = sitting, seat, known
        self._decide: Player = (
            plan.player(sitting.game, lots)
            if plan
            else lambda here: people.ask(steps, here, side_after(sitting.game, steps), seat)
        )

    def __call__(self, position: Any) -> Move:
        """The next of the known decisions, or a new one."""
        game = self._sitting.game
        if self._known:
            return _known(game, position, self._seat, self._known.pop(0))
        move = self._decide(position)
        self._sitting.decisions.append(Decision(self._seat, game.show_move(move)))
        return move

    def watch(self, position: Any, move: Move) -> None:
        """Let a strategy see what the other side did."""
        if isinstance(self._decide, Watching):
            self._decide.watch(position, move)


def _known(game: Game[Any], position: Any, seat: int, decision: Decision) -> Move:
    """The move that was decided, if it can be one."""
    node = game.node(position)
    moves = list(node.moves) if isinstance(node, Choice) else []
    for move in moves:
        if decision == (seat, game.show_move(move)):
            return move
    offered = ", ".join(map(game.show_move, moves[:10]))
    raise TranscriptError(
        f"expected one of {offered} by seat {seat} at {game.show(position)}, "
        f"found {decision.move!r} by seat {decision.seat}"
    )


def side_after(game: Game[Any], steps: Sequence[Step]) -> int:
    """The seat from whose side the position after some steps is written."""
    if not steps:
        return 1
    last = steps[-1]
    swapped = isinstance(game.play(last.position, last.move), Swap)
    return 3 - last.who if swapped else last.who


def reopened(game: Game[Any], path: Path) -> Sitting:
    """The game that was saved there."""
    wanted = spec_of(game)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["format"] != HEADING:
            raise ValueError(f"format {found['format']!r}")
        spec, texts = str(found["spec"]), [str(text) for text in found["strategies"]]
        moves = [Decision(int(seat), str(move)) for seat, move in found["moves"]]
        seed, number = int(found["seed"]), int(found["game"])
        if not (0 <= seed <= LARGEST and 0 <= number <= LARGEST):
            raise ValueError(f"seed {seed}, game {number}")
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        said = f"{type(error).__name__}: {error}"
        raise TranscriptError(f"{path}: expected a game saved by play, found {said}") from error
    if spec != wanted:
        raise TranscriptError(f"{path}: expected a game of {wanted}, found one of {spec}")
    return Sitting(game, texts, seed, number, moves)
