"""States of small games for the study's solvers, and what the layers say of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from backroll import load
from backroll.engines import study
from backroll.engines.layers import Layers
from backroll.states import Listed, number


def held(spec: str) -> Listed:
    return study.two_sided(study.held(number(load(spec)).states))


def by_layers(states: Listed) -> np.ndarray[Any, np.dtype[np.uint16]]:
    found = Layers(states, 1)
    found.solve()
    return found.words
