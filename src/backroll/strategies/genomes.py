"""Strategies as bit strings: the two genomes of Glenn and Aloï 2009.

A gene is a number of bits, the highest first, that give a place in a list of values; what may be
negative is in two's complement. Genes stand in the order of the paper, weights of columns from
the outermost to the middle. A board of n-sided dice has n weights where the official one has six:
the Constant Weights Genome is 6 n + 25 bits long, 61 on the official board, and the Linear Weights
Genome 11 n + 21, that is 87.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from backroll.arrays import Bytes
from backroll.errors import StrategyError
from backroll.strategies.weights import Constant, Linear

Made = TypeVar("Made", Constant, Linear)

SLOPES = (*range(17), *range(18, 33, 2), *range(36, 57, 4), 64)
"""The paper has 32 between 0 and 64, and does not say which; those of its champion are here."""


class Gene(NamedTuple):
    """A parameter, the values that it may have, and whether every column has its own."""

    name: str
    values: tuple[int, ...]
    columns: bool

    @property
    def bits(self) -> int:
        """How many bits give a value."""
        return (len(self.values) - 1).bit_length()


@dataclass(frozen=True)
class Genome(Generic[Made]):
    """Bit strings of one length that are strategies, each of them."""

    strategy: type[Made]
    genes: tuple[Gene, ...]

    def length(self, sides: int) -> int:
        """How many bits a strategy has on a board."""
        return sum(gene.bits * _count(gene, sides) for gene in self.genes)

    def decode(self, sides: int, bits: Bytes) -> Made:
        """The strategy that a bit string is."""
        if bits.shape != (self.length(sides),):
            raise StrategyError(
                f"expected {self.length(sides)} bits for dice of {sides} sides, found {bits.size}"
            )
        read = iter(bits.tolist())
        values = {gene.name: _read(gene, sides, read) for gene in self.genes}
        return self.strategy(**values)

    def encode(self, sides: int, strategy: Made) -> Bytes:
        """The bit string of a strategy whose values the genome has."""
        bits = [bit for gene in self.genes for bit in _write(gene, sides, strategy)]
        return np.array(bits, np.uint8)


def _count(gene: Gene, sides: int) -> int:
    return sides if gene.columns else 1


def _read(gene: Gene, sides: int, bits: Iterator[int]) -> Any:
    """The value of a gene, or a tuple of them."""
    found = []
    for _ in range(_count(gene, sides)):
        place = 0
        for _ in range(gene.bits):
            place = place << 1 | next(bits)
        found.append(float(gene.values[place]))
    return tuple(found) if gene.columns else found[0]


def _write(gene: Gene, sides: int, strategy: Constant | Linear) -> Iterator[int]:
    """The bits of a gene; of weights for a larger board those nearest the middle."""
    value = getattr(strategy, gene.name)
    values = value[-sides:] if gene.columns else (value,)
    if len(values) != _count(gene, sides):
        raise StrategyError(f"{gene.name}: expected {sides} values, found {len(values)}")
    for each in values:
        if each not in gene.values:
            raise StrategyError(
                f"{gene.name}: expected one of {', '.join(map(str, sorted(gene.values)))}, "
                f"found {each}"
            )
        place = gene.values.index(each)
        yield from (place >> bit & 1 for bit in reversed(range(gene.bits)))


_WEIGHTS = tuple(range(8))
_SCORES = (*range(8), *range(-8, 0))
_THRESHOLDS = tuple(range(32))

CONSTANT = Genome(
    Constant,
    (
        Gene("progress", _WEIGHTS, columns=True),
        Gene("move", _WEIGHTS, columns=True),
        *(Gene(name, _SCORES, columns=False) for name in ("evens", "odds", "highs", "lows")),
        Gene("marker", _SCORES, columns=False),
        Gene("threshold", _THRESHOLDS, columns=False),
    ),
)
LINEAR = Genome(
    Linear,
    (
        Gene("progress", _WEIGHTS, columns=True),
        Gene("slope", SLOPES, columns=True),
        Gene("intercept", _WEIGHTS, columns=True),
        *(Gene(name, _SCORES, columns=False) for name in ("evens", "odds", "highs")),
        Gene("marker", _SCORES, columns=False),
        Gene("threshold", _THRESHOLDS, columns=False),
    ),
)
GENOMES: dict[str, Genome[Any]] = {"constant": CONSTANT, "linear": LINEAR}
