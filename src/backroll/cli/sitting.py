"""Sitting at the board in the terminal: it is drawn, choices are numbered, and a line is read."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backroll.board.sitting import Sitting, TakeBack, reopened
from backroll.board.state import Hint, Hints, State, state_of, told
from backroll.board.text import pieces
from backroll.cli.analysing import print_review
from backroll.errors import BackrollError, Interrupted
from backroll.game import WIN, Game, Move
from backroll.spec import spec_of
from backroll.strategies.protocol import options

if TYPE_CHECKING:
    from backroll.analysis import Analyst
    from backroll.arena.playing import Step

KEYS = "a number, or h for a hint, u to take back, s to save, q to leave"
STYLES = {
    "seat1": "bold bright_blue",
    "seat2": "bold red",
    "runner": "bold green",
    "free": "dim",
    "quiet": "dim",
    "dice": "bold",
}


class Leave(Exception):  # no error, and never seen outside
    """Who sits at the board has had enough."""


def draw(state: State) -> None:
    """Print a state, in colours on a terminal."""
    if not sys.stdout.isatty():
        print(*("".join(piece.text for piece in line).rstrip() for line in pieces(state)), sep="\n")
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for line in pieces(state):
        console.print(Text.assemble(*((text, STYLES.get(style, "")) for text, style in line)))


class Keyboard:
    """Somebody at the keyboard: what `Sitting` asks and shows."""

    def __init__(self, sitting: Sitting, hints: Hints, save: Path) -> None:
        self._sitting, self._hints, self._save = sitting, hints, save
        self._game = sitting.game
        self._untold: Step | None = None

    def see(self, steps: Sequence[Step]) -> None:
        """Say what was done before; what was done last is told by the board, if it comes now."""
        if self._untold is not None:
            print(told(self._game, self._untold, self._sitting.texts))
        self._untold = steps[-1]

    def ask(self, steps: Sequence[Step], position: Any, side: int, seat: int) -> Move:
        """Draw the board and read a choice."""
        state = state_of(self._game, position, side=side, names=self._sitting.texts, steps=steps)
        self._untold = None
        print()
        draw(state)
        _list(state)
        moves = options(self._game, position)
        while True:
            said = _read()
            if said in (*"husq",):
                self._obey(said, position)
                continue
            at = self._named(state, said)
            if at is not None:
                return moves[at]

    def _named(self, state: State, said: str) -> int | None:
        """Which choice was meant, by its number or its words."""
        for at, choice in enumerate(state["choices"]):
            if said in (str(at + 1), choice["move"], choice["label"]):
                return at
        print(f"expected 1 to {len(state['choices'])}: {KEYS}; found {said!r}")
        return None

    def _obey(self, said: str, position: Any) -> None:
        """Do what a letter asks for."""
        if said == "q":
            raise Leave
        if said == "u":
            if self._sitting.can_take_back():
                raise TakeBack
            print("nothing has been decided yet")
        elif said == "s":
            self._save.write_text(self._sitting.saved(), encoding="utf-8")
            print(f"saved; go on another time with --resume {self._save}")
        else:
            _print_hints(self._game, self._hints(position))


def _read() -> str:
    """A line from the keyboard; the end of input is to leave."""
    print("> ", end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise Leave
    if not sys.stdin.isatty():
        print(line.rstrip("\n"))
    return line.strip()


def _list(state: State) -> None:
    for at, choice in enumerate(state["choices"], 1):
        print(f"{at:>3}  {choice['full']}")


def _print_hints(game: Game[Any], hints: Sequence[Hint]) -> None:
    """The moves, best first, and what the figures rest on."""
    for at, hint in enumerate(hints):
        said = f"costs {_figure(game, hint.cost)}" if hint.cost else "best" if not at else "as good"
        print(f"     {game.show_move(hint.move):<10}  {_figure(game, hint.value):>9}  {said}")
    if hints:
        print(f"     {hints[0].basis}")


def _figure(game: Game[Any], value: float) -> str:
    return f"{value:.2%}" if game.quantity == WIN else f"{value:.4f}"


def hints_by(analyst: Analyst) -> Hints:
    """Hints of whoever analyses."""

    def hint(position: Any) -> list[Hint]:
        found = analyst.found(position)
        return [Hint(each.move, each.value, each.loss, found.basis.text) for each in found.moves]

    return hint


def print_judged(analyst: Analyst, texts: Sequence[str], steps: Sequence[Step]) -> None:
    """Print what each decision of a game cost, unless that would have to be simulated."""
    from backroll.analysis import review

    if analyst.found(steps[0].position).interval is not None:
        print("no review: every decision would have to be simulated; see backroll review")
        return
    print("review (Ctrl-C leaves it):")
    try:
        print_review(review(analyst.game, steps, analyst, texts))
    except KeyboardInterrupt:
        print("left")


def seated(
    game: Game[Any], texts: Sequence[str], seed: int | None, number: int, resume: Path | None
) -> Sitting:
    """A new game, or one that was saved."""
    if resume is None:
        return Sitting(game, texts, secrets.randbelow(1 << 31) if seed is None else seed, number)
    if texts or seed is not None or number:
        raise BackrollError("--resume: expected no players, seed or game beside it, found some")
    return reopened(game, resume)


def sit(sitting: Sitting, analyst: Analyst, save: Path) -> list[Step]:
    """Play a game to its end at the keyboard, draw it, and give its steps."""
    game = sitting.game
    people = Keyboard(sitting, hints_by(analyst), save)
    print(f"{spec_of(game)}, game {sitting.number} of seed {sitting.seed}: {KEYS}")
    try:
        steps = sitting.play(people)
    except Leave:
        raise Interrupted("the game is not over") from None
    *before, last = steps
    print()
    draw(state_of(game, last.position, side=last.who, names=sitting.texts, steps=before))
    return steps
