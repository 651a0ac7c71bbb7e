"""Dice as whole-number weights: mappings from outcome to the number of ways it comes up."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import combinations_with_replacement
from math import factorial
from types import MappingProxyType


@cache
def die(sides: int) -> Mapping[int, int]:
    """One die.

    >>> dict(die(3))
    {1: 1, 2: 1, 3: 1}
    """
    return MappingProxyType(dict.fromkeys(range(1, sides + 1), 1))


@cache
def total(count: int, sides: int) -> Mapping[int, int]:
    """The sum of some dice.

    >>> dict(total(2, 3))
    {2: 1, 3: 2, 4: 3, 5: 2, 6: 1}
    """
    ways = {0: 1}
    for _ in range(count):
        following: Counter[int] = Counter()
        for so_far, weight in ways.items():
            for face in range(1, sides + 1):
                following[so_far + face] += weight
        ways = dict(following)
    return MappingProxyType(ways)


@cache
def multisets(count: int, sides: int) -> Mapping[tuple[int, ...], int]:
    """Some dice whose order does not matter, each roll sorted.

    >>> dict(multisets(2, 2))
    {(1, 1): 1, (1, 2): 2, (2, 2): 1}
    """
    ways = {}
    for faces in combinations_with_replacement(range(1, sides + 1), count):
        orders = factorial(count)
        for repeats in Counter(faces).values():
            orders //= factorial(repeats)
        ways[faces] = orders
    return MappingProxyType(ways)
