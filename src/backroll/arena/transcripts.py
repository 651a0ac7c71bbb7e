"""A game that was played, written down so that it can be checked against the rules.

The text form has a heading and a line a step, in columns divided by tabs; JSON has the same:

    backroll game 1
    spec      pig:target=10
    first     hold:at=6
    second    random
    seed      7
    game      0
    1   chance  0/0/0   4
    1   first   0/0/4   roll
    …
    end first   10/0/0  1.0

Each step has the player from whose side the position is written, who chose, the position, and
the move or the outcome of chance; the end has what the game came to for player 1.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from backroll.arena.playing import Step, luck_of, play, worth
from backroll.arena.simulation import draw, made, refuse_seed
from backroll.errors import BackrollError, TranscriptError
from backroll.game import Chance, Game, Swap, Terminal
from backroll.spec import load, spec_of
from backroll.strategies import Strategy, text_of
from backroll.strategies.names import refuse_entered

HEADING = "backroll game 1"
MOVERS = ("chance", "first", "second")
LONGEST = 1_000_000
"""Steps of a transcript at most."""


class Line(NamedTuple):
    """A step as texts."""

    side: int
    mover: str
    position: str
    move: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """A game that was played, as texts."""

    spec: str
    strategies: tuple[str, ...]
    seed: int
    game: int
    """The number of the game among those of the seed."""
    lines: tuple[Line, ...]
    end: str
    """The position at the end, from the side that is to move there."""
    side: int
    value: float
    """What the game came to for player 1."""

    def as_dict(self) -> dict[str, Any]:
        """The transcript as plain data."""
        return {
            "format": HEADING,
            "spec": self.spec,
            "strategies": list(self.strategies),
            "seed": self.seed,
            "game": self.game,
            "steps": [each._asdict() for each in self.lines],
            "end": {"side": self.side, "position": self.end},
            "value": self.value,
        }

    def as_text(self) -> str:
        """The transcript as lines of text."""
        names = dict(zip(MOVERS[1:], self.strategies, strict=False))
        about = {"spec": self.spec, **names, "seed": self.seed, "game": self.game}
        rows = [HEADING, *(f"{name}\t{said}" for name, said in about.items())]
        rows += ["\t".join(map(str, each)) for each in self.lines]
        rows.append(f"end\t{MOVERS[self.side]}\t{self.end}\t{self.value!r}")
        if any(row.count("\t") > 3 or len(row.splitlines()) > 1 for row in rows):
            raise TranscriptError(
                f"{self.spec}: expected positions and moves without tabs and new lines, "
                "found some; keep the game as JSON"
            )
        return "\n".join(rows) + "\n"


def transcript(
    game: Game[Any], strategies: Sequence[Strategy], *, seed: int = 0, number: int = 0
) -> Transcript:
    """Play one game of a seed, the one that a simulation plays under that number."""
    refuse_entered(game, strategies)
    refuse_seed(seed)
    lots = [Random() for _ in strategies]
    players = made(game, strategies, lots)
    draw(lots, seed, number)
    steps: list[Step] = []
    for step in play(game, players, luck_of(game, seed, number)):
        if len(steps) == LONGEST:
            raise TranscriptError(f"expected a game of {LONGEST:,} steps at most, found no end")
        steps.append(step)
    return written_down(game, [*map(text_of, strategies)], steps, seed=seed, number=number)


def written_down(
    game: Game[Any], texts: Sequence[str], steps: Sequence[Step], *, seed: int = 0, number: int = 0
) -> Transcript:
    """The transcript of a game that was played to its end by players of those names."""
    *before, last = steps
    lines = tuple(
        Line(each.who, MOVERS[each.mover], game.show(each.position), game.show_move(each.move))
        for each in before
    )
    said = spec_of(game), tuple(texts), seed, number, lines
    return Transcript(*said, game.show(last.position), last.who, worth(game, steps))


def replay(found: Transcript, name: str = "transcript", game: Game[Any] | None = None) -> float:
    """Check every step by the rules, and give what the game came to for player 1."""
    game = load(found.spec) if game is None else game
    return worth(game, steps_of(found, name, game))


def steps_of(found: Transcript, name: str, game: Game[Any]) -> list[Step]:
    """The steps of a game, each checked by the rules; the last is the end."""
    here, side, steps = game.start(), 1, []
    for at, line in enumerate(found.lines, 1):
        where = f"{name}: step {at}"
        _expect(where, "the position", game.show(here), line.position)
        _expect(where, "a position written from the side of", side, line.side)
        node = game.node(here)
        if isinstance(node, Terminal):
            raise TranscriptError(f"{where}: expected the end of the game, found {line.move!r}")
        chance = isinstance(node, Chance)
        mover = 0 if isinstance(node, Chance) else node.player if side == 1 else 3 - node.player
        _expect(where, "a move of", MOVERS[mover], line.mover)
        moves = list(node.outcomes if isinstance(node, Chance) else node.moves)
        move = _named(game, moves, line, where, "outcome" if chance else "move")
        steps.append(Step(here, side, mover, move))
        child = game.play(here, move)
        here, side = (child.position, 3 - side) if isinstance(child, Swap) else (child, side)
    steps.append(Step(here, side, 0, None))
    _check_end(game, found, name, steps)
    return steps


def _check_end(game: Game[Any], found: Transcript, name: str, steps: Sequence[Step]) -> None:
    """Refuse a game that does not end where the transcript says so, and with that value."""
    where = f"{name}: the end, after step {len(found.lines)}"
    end = steps[-1]
    shown = game.show(end.position)
    if not isinstance(game.node(end.position), Terminal):
        raise TranscriptError(f"{where}: expected another step at {shown}, found none")
    _expect(where, "the position", shown, found.end)
    _expect(where, "a position written from the side of", end.who, found.side)
    value = worth(game, steps)
    if not math.isclose(value, found.value, rel_tol=1e-12, abs_tol=1e-12):
        raise TranscriptError(f"{where}: expected the value {value!r}, found {found.value!r}")


def _expect(where: str, what: str, wanted: object, found: object) -> None:
    if wanted != found:
        raise TranscriptError(f"{where}: expected {what} {wanted}, found {found}")


def _named(game: Game[Any], moves: list[Any], line: Line, where: str, kind: str) -> Any:
    """The move of that text."""
    for move in moves:
        if game.show_move(move) == line.move:
            return move
    offered = ", ".join(map(game.show_move, moves[:10])) + ", …" * (len(moves) > 10)
    raise TranscriptError(
        f"{where}: expected the {kind} to be one of {offered} at {line.position}, "
        f"found {line.move!r}"
    )


def read(text: str, name: str = "transcript") -> Transcript:
    """The transcript that a text is, in either form."""
    try:
        return _from_json(text) if text.lstrip().startswith("{") else _from_text(text)
    except BackrollError as error:
        raise TranscriptError(f"{name}: {error}") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        said = f"{type(error).__name__}: {error}"
        raise TranscriptError(f"{name}: expected a transcript of a game, found {said}") from error


def read_file(file: Path) -> Transcript:
    """The transcript in a file, in either form."""
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise TranscriptError(f"{file}: expected a transcript of a game, found no text") from error
    return read(text, str(file))


def _from_json(text: str) -> Transcript:
    found = json.loads(text)
    if found.get("format") != HEADING:
        raise TranscriptError(f"expected format {HEADING!r}, found {found.get('format')!r}")
    lines = tuple(
        Line(int(each["side"]), str(each["mover"]), str(each["position"]), str(each["move"]))
        for each in found["steps"]
    )
    end = found["end"]
    texts = tuple(map(str, found["strategies"]))
    said = str(found["spec"]), texts, int(found["seed"]), int(found["game"]), lines
    return Transcript(*said, str(end["position"]), int(end["side"]), float(found["value"]))


def _from_text(text: str) -> Transcript:
    rows = [row.split("\t") for row in text.splitlines() if row.strip()]
    heading = rows[0][0] if rows else ""
    if heading != HEADING:
        raise TranscriptError(f"expected the heading {HEADING!r}, found {heading[:40]!r}")
    about = {row[0]: row[1] for row in rows if len(row) == 2}
    steps = [row for row in rows[1:] if len(row) != 2]
    for at, row in enumerate(steps, 1):
        if len(row) != 4:
            raise TranscriptError(
                f"step {at}: expected 4 columns divided by tabs, found {len(row)}"
            )
    if not steps or steps[-1][0] != "end":
        raise TranscriptError("expected a last line that begins with end, found none")
    *body, end = steps
    lines = tuple(Line(int(row[0]), *row[1:]) for row in body)
    texts = tuple(about[name] for name in MOVERS[1:] if name in about)
    said = about["spec"], texts, int(about["seed"]), int(about["game"]), lines
    return Transcript(*said, end[2], MOVERS.index(end[1]), float(end[3]))
