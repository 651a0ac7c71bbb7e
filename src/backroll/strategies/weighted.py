"""Strategies kept in files: the weights of a form by name, as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from backroll.arrays import Floats
from backroll.errors import StrategyError
from backroll.games.cantstop.rules import CantStop
from backroll.played import Habits
from backroll.strategies.forms import FORMS, Block, Form, Weights, blocks, from_vector
from backroll.strategies.habits import Habitual
from backroll.strategies.weights import HIGHEST

FORMAT, VERSION = "backroll weights", 1


@dataclass(frozen=True, slots=True)
class Weighted(Habitual):
    """The weights in a file."""

    path: str

    def habits(self, game: CantStop) -> Habits:
        """The strategy as arrays; StrategyError if they are for another board."""
        return load(self.path).habits(game)


def save(path: str | Path, weights: Weights) -> None:
    """Write weights to a file, from which `weighted:PATH` plays; an older one is replaced."""
    game = CantStop(weights.sides, weights.shortest)
    values = {name: block.nested(flat) for name, (block, flat) in weights.blocks(game).items()}
    said = {
        "format": FORMAT,
        "version": VERSION,
        "sides": weights.sides,
        "shortest": weights.shortest,
        "kind": weights.form.kind,
        "difficulty": weights.form.difficulty,
        "weights": values,
    }
    place = Path(path)
    beside = place.with_name(f"{place.name}.new")
    try:
        beside.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
        beside.replace(place)
    except OSError as error:
        raise StrategyError(f"{path}: cannot be written: {error.strerror}") from error


def load(path: str | Path) -> Weights:
    """The weights in a file; StrategyError says in one line what is wrong with it."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        said = json.loads(text)
    except OSError as error:
        raise StrategyError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise StrategyError(f"{path}: expected JSON, found {error}") from error
    return _understood(str(path), said)


def _understood(path: str, said: Any) -> Weights:
    """What a file says, or what it should have said."""
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise StrategyError(f"{path}: expected a file of {FORMAT}, found another")
    kinds, difficulties = zip(*FORMS, strict=True)
    sides = _one_of(path, said, "sides", range(2, 7))
    shortest = _one_of(path, said, "shortest", range(1, 8))
    form = Form(_one_of(path, said, "kind", kinds), _one_of(path, said, "difficulty", difficulties))
    _one_of(path, said, "version", [VERSION])
    game, named = CantStop(sides, shortest), said.get("weights")
    known = blocks(game, form)
    names = [block.name for block in known]
    if not isinstance(named, dict) or sorted(named) != sorted(names):
        found = ", ".join(named) if isinstance(named, dict) else repr(named)
        raise StrategyError(f"{path}: expected weights {', '.join(names)}, found {found}")
    flat = [_flat(path, block, named[block.name]) for block in known]
    return from_vector(game, form, np.concatenate(flat))


def _one_of(path: str, said: dict[str, Any], name: str, values: Sequence[Any]) -> Any:
    """A word or a whole number of a file."""
    found = said.get(name)
    if isinstance(found, bool) or found not in values:
        expected = ", ".join(map(str, dict.fromkeys(values)))
        raise StrategyError(f"{path}: {name} expected one of {expected}, found {found!r}")
    return found


def _flat(path: str, block: Block, nested: Any) -> Floats:
    """The weights of a block in a row."""
    rows = nested if block.depth == 2 else [nested if block.depth else [nested]]
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise StrategyError(f"{path}: {block.name} expected {_shape(block)}, found {nested!r:.40}")
    if tuple(map(len, rows)) != block.rows:
        found = ", ".join(str(len(row)) for row in rows)
        raise StrategyError(f"{path}: {block.name} expected {_shape(block)}, found {found}")
    for each in (number for row in rows for number in row):
        if type(each) not in (int, float) or not abs(each) <= HIGHEST:
            raise StrategyError(
                f"{path}: {block.name} expected numbers from {-HIGHEST} to {HIGHEST}, "
                f"found {each!r:.40}"
            )
    return np.array([number for row in rows for number in row], float)


def _shape(block: Block) -> str:
    """How many numbers a block has, for a person."""
    sizes = ", ".join(map(str, block.rows))
    return ("one number", f"{sizes} numbers", f"rows of {sizes} numbers")[block.depth]
