"""Values that independent programs agree on, from the tests' golden file."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

from backroll import load
from backroll.spec import spec_of
from papers.sheet import NONE

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "values.csv"


class Settled(NamedTuple):
    """A value and how many of its digits are settled."""

    value: float
    digits: int


@cache
def _values() -> dict[str, Settled]:
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        return {
            spec_of(load(row["spec"])): Settled(float(row["value"]), int(row["digits"]))
            for row in csv.DictReader(file)
        }


def settled(spec: str) -> str:
    """The settled value of a canonical spec, with its digits."""
    known = _values().get(spec)
    return f"{known.value:.{known.digits}f}" if known else NONE


def disagrees(spec: str, value: float) -> bool:
    """Whether a value has other digits than the settled one."""
    return apart(spec, value) not in ("0", NONE)


def apart(spec: str, value: float) -> str:
    """How far a value is from the settled one, beyond half a unit in its last digit.

    >>> apart("pig:target=10", 7776 / 10961)
    '0'
    """
    known = _values().get(spec)
    if known is None:
        return NONE
    beyond = abs(value - known.value) - 0.5 * 10.0**-known.digits
    return f"{beyond:.0e}" if beyond > 0 else "0"
