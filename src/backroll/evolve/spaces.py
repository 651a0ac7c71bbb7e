"""Spaces: the weights of strategies as vectors, for searches among all numbers.

The genomes' weights need not be whole here, nor within limits. Of the general forms
(`backroll.strategies.forms`) each is a space. A unit of each weight is about as much as matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from backroll.arrays import Floats
from backroll.errors import EvolutionError
from backroll.games.cantstop.rules import CantStop
from backroll.strategies import text_of
from backroll.strategies.evolved import Evolved
from backroll.strategies.forms import FORMS, Form, Weights, blocks, from_vector, started
from backroll.strategies.genomes import GENOMES, Gene, Genome
from backroll.strategies.habits import Habitual
from backroll.strategies.rules import PUBLISHED
from backroll.strategies.weighted import Weighted, load
from backroll.strategies.weights import Constant, Linear, constant_rule, linear_rule

UNITS = {
    "slope": 8.0, "evens": 2.0, "odds": 2.0, "highs": 2.0, "lows": 2.0, "triples": 2.0,
    "caution": 0.3, "marker": 2.0, "threshold": 3.0, "reach": 4.0, "top": 4.0, "move": 2.0,
}  # fmt: skip
"""A unit of the weights of which 1 is not one."""
DIGITS = 4
"""Decimals that are kept of a weight."""


class Space(Protocol):
    """Vectors that are strategies."""

    def start(self, game: CantStop, known: Habitual | None) -> Floats:
        """A strategy as a vector; without one the Rule of N."""
        ...

    def units(self, game: CantStop) -> Floats:
        """How much of each weight is about as much as matters."""
        ...

    def strategy(self, game: CantStop, vector: Floats) -> Habitual:
        """The strategy that a vector is."""
        ...


class Fields(NamedTuple):
    """The weights of a genome, not rounded, and otherwise the strategy's own readings."""

    name: str
    genome: Genome[Any]
    readings: dict[str, Any]

    def start(self, game: CantStop, known: Habitual | None) -> Floats:
        """A strategy of the genome as a vector."""
        known = plain(game, known) or rule(game, self.name)
        if not isinstance(known, self.genome.strategy):
            raise EvolutionError(
                f"evolve: expected a {self.name} strategy to start from, found {text_of(known)}"
            )
        return np.concatenate([_values(gene, game, known) for gene in self.genome.genes])

    def units(self, game: CantStop) -> Floats:
        """How much of each weight is about as much as matters."""
        units = [UNITS.get(gene.name, 1.0) for gene in self.genome.genes]
        return np.repeat(units, [_size(gene, game) for gene in self.genome.genes])

    def strategy(self, game: CantStop, vector: Floats) -> Habitual:
        """The strategy, weights of squares not rounded either."""
        ends = np.cumsum([_size(gene, game) for gene in self.genome.genes])[:-1]
        values = dict(self.readings)
        for gene, part in zip(self.genome.genes, np.split(vector.round(DIGITS), ends), strict=True):
            values[gene.name] = tuple(part.tolist()) if gene.columns else float(part[0])
        if self.name == "linear":
            values["whole"] = False
        found: Habitual = self.genome.strategy(**values)
        return found


class General(NamedTuple):
    """The weights of a general form."""

    form: Form

    def start(self, game: CantStop, known: Habitual | None) -> Floats:
        """A strategy by weights as a vector."""
        known = plain(game, known) or rule(game, "constant")
        if isinstance(known, Weights) and known.form == self.form:
            return np.array(known.vector)
        if isinstance(known, Constant):
            return np.array(started(game, self.form, known).vector)
        if isinstance(known, Linear):
            return _linear(game, self.form, known)
        raise EvolutionError(
            f"evolve: expected a constant, linear or weighted strategy of the form "
            f"{'/'.join(self.form)} to start from, found {text_of(known)}"
        )

    def units(self, game: CantStop) -> Floats:
        """How much of each weight is about as much as matters."""
        found = blocks(game, self.form)
        return np.repeat([UNITS.get(each.name, 1.0) for each in found], [b.size for b in found])

    def strategy(self, game: CantStop, vector: Floats) -> Habitual:
        """The strategy."""
        return from_vector(game, self.form, vector.round(DIGITS))


def space_of(name: str, known: Habitual | None = None) -> Space:
    """A space by its name: a genome, or a form as in squares or squares/triples.

    In that of a genome strategies settle ties, and the like, as one that is known does.
    """
    forms = {"/".join(form).removesuffix("/classes"): form for form in FORMS}
    if name in GENOMES:
        genome = GENOMES[name]
        same = isinstance(known, genome.strategy)
        return Fields(name, genome, readings(genome, known) if same else {})
    if name in forms:
        return General(forms[name])
    raise EvolutionError(
        f"evolve: expected a genome among {', '.join([*GENOMES, *forms])}; found {name!r}"
    )


def plain(game: CantStop, known: Habitual | None) -> Habitual | None:
    """The weights themselves, of a strategy that says where they are; they fit the board."""
    if isinstance(known, Weighted):
        known = load(known.path)
    if isinstance(known, Evolved):
        known = known.on(game)
    if isinstance(known, Habitual):
        known.habits(game)
    return known


def rule(game: CantStop, name: str) -> Constant | Linear:
    """The Rule of N as constant or linear weights."""
    n = PUBLISHED.get((game.sides, game.shortest), 28)
    return linear_rule(game.sides, n) if name == "linear" else constant_rule(game.sides, n)


def nearest(genome: Genome[Any], sides: int, known: Any) -> Any:
    """The strategy of a genome whose values are nearest to those of another."""
    found: dict[str, Any] = {"whole": True} if hasattr(known, "whole") else {}
    for gene in genome.genes:
        value = getattr(known, gene.name)
        values = value[-sides:] if gene.columns else (value,)
        rounded = tuple(
            float(min(gene.values, key=lambda place: abs(place - each))) for each in values
        )
        found[gene.name] = rounded if gene.columns else rounded[0]
    return replace(known, **found)


def readings(genome: Genome[Any], known: Any) -> dict[str, Any]:
    """What a strategy says beside its weights: how ties are settled, and the like."""
    weights = {gene.name for gene in genome.genes}
    names = (each.name for each in fields(known))
    return {name: getattr(known, name) for name in names if name not in weights}


def _size(gene: Gene, game: CantStop) -> int:
    return game.sides if gene.columns else 1


def _values(gene: Gene, game: CantStop, known: Habitual) -> Floats:
    value = getattr(known, gene.name)
    return np.array(value[-game.sides :] if gene.columns else [value], float)


def _linear(game: CantStop, form: Form, linear: Linear) -> Floats:
    """Linear weights in a form: by square as they are, by marker those of the next square."""
    constant = Constant(
        linear.progress, linear.intercept, linear.evens, linear.odds, linear.highs, linear.highs,
        linear.marker, linear.threshold, wary=linear.wary,
    )  # fmt: skip
    known = started(game, form, constant).blocks(game)
    half = list(_rows(linear.squares(game), game))
    moves = np.array([row.mean() for row in half]) if form.kind == "columns" else np.hstack(half)
    return np.concatenate([moves if name == "move" else flat for name, (_, flat) in known.items()])


def _rows(squares: Floats, game: CantStop) -> Iterator[Floats]:
    """The weights of the squares of half the columns."""
    for row, length in zip(squares[: game.sides], game.lengths, strict=False):
        yield row[1 : length + 1]
