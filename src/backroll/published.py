"""Values that others have published, to stand beside what was solved."""

from __future__ import annotations

from typing import NamedTuple

from backroll.spec import load, spec_of


class Published(NamedTuple):
    """A value as printed, where it was printed, and what else stands there."""

    value: str
    source: str
    note: str = ""


_TWO = "Glenn, Fang and Kruskal 2007, Table 1"
_ONE = "Glenn and Aloi 2009, Table 3"
_RULES = "cantstop:players={players},sides={sides},shortest={shortest}"

_CANT_STOP = {
    (2, 3, 1): Published("0.760", _TWO, "6,324 components, 634,756 positions, 4 m 33 s"),
    (2, 3, 2): Published("0.711", _TWO, "83,964 components, 20,834,282 positions, 3 h 45 m"),
    (2, 3, 3): Published("0.689", _TWO, "930,756 components, 453,310,692 positions, 3 d 13 h"),
    (1, 2, 1): Published("1.298", _ONE),
    (1, 2, 2): Published("1.347", _ONE),
    (1, 2, 3): Published("1.400", _ONE),
    (1, 3, 1): Published("1.480", _ONE),
    (1, 3, 2): Published("1.722", _ONE),
    (1, 3, 3): Published("1.890", _ONE),
    (1, 4, 1): Published("2.187", _ONE),
    (1, 4, 2): Published("2.454", _ONE),
    (1, 4, 3): Published("2.700", _ONE),
    (1, 5, 1): Published("2.791", _ONE),
    (1, 5, 2): Published("3.396", _ONE),
}
"""By players, sides of the dice and length of the shortest column."""


def published(spec: str) -> Published | None:
    """What was published about the game of a canonical spec, if anything was."""
    if not spec.startswith("cantstop"):
        return None
    for (players, sides, shortest), found in _CANT_STOP.items():
        rules = _RULES.format(players=players, sides=sides, shortest=shortest)
        if spec_of(load(rules)) == spec:
            return found
    return None
