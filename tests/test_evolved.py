"""The strategies that are kept with the package: that they play as well as is said of them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from papers.thumb import LINEAR_WEIGHTS

from backroll.arena import simulate
from backroll.errors import StrategyError
from backroll.evolve import Settings
from backroll.games.cantstop.rules import CantStop
from backroll.spec import load, spec_of
from backroll.strategies import strategy, text_of
from backroll.strategies.evolved import KINDS, Evolved, Found, keep, kept
from backroll.strategies.genomes import LINEAR

FOUND = kept()
BEHIND = {(3, 3)}
"""Boards on which no linear weights that were found take as few turns as published."""


def named(found: Found) -> str:
    return f"{found.kind}-{found.sides}-{found.shortest}"


def by_kind(kind: str) -> dict[tuple[int, int], Found]:
    return {each.board: each for each in FOUND if each.kind == kind}


def game_of(found: Found) -> CantStop:
    return CantStop(sides=found.sides, shortest=found.shortest, players=1)


@pytest.mark.parametrize("found", FOUND, ids=named)
def test_what_is_kept_says_how_it_was_found(found: Found) -> None:
    settings = Settings(**found.settings)
    game = settings.game()
    assert spec_of(game) == spec_of(game_of(found))
    evolved_by = {settings.dice(place) for place in range(settings.generations)}
    assert found.seed not in evolved_by
    assert (settings.genome == "linear") == (found.kind == "linear")
    assert found.games >= 1_000_000


@pytest.mark.parametrize("found", [each for each in FOUND if each.kind == "linear"], ids=named)
def test_linear_ones_have_a_genome_of_bits(found: Found) -> None:
    known: Any = found.strategy
    bits = LINEAR.encode(found.sides, known)
    decoded = LINEAR.decode(found.sides, bits)
    assert dataclasses.replace(decoded, marked=known.marked) == known


@pytest.mark.compiled
@pytest.mark.parametrize("found", FOUND, ids=named)
def test_they_take_as_many_turns_as_is_said(found: Found) -> None:
    played = simulate(game_of(found), [Evolved(found.kind)], 20_000, seed=77)
    assert abs(played.mean - found.mean) < 4.5 * np.hypot(played.error, found.error)


def test_they_take_no_more_turns_than_published() -> None:
    linear, weighted = by_kind("linear"), by_kind("weighted")
    assert set(linear) == set(LINEAR_WEIGHTS)
    behind = {b for b, printed in LINEAR_WEIGHTS.items() if linear[b].mean > float(printed)}
    assert behind <= BEHIND
    assert all(weighted[b].mean < float(LINEAR_WEIGHTS[b]) for b in behind)
    assert linear[6, 3].mean + 3 * linear[6, 3].error < 9.0
    assert weighted[6, 3].mean + 3 * weighted[6, 3].error < 8.7


@pytest.mark.parametrize("kind", KINDS)
def test_they_have_names(kind: Any) -> None:
    known = strategy(f"evolved:{kind}")
    assert known == Evolved(kind)
    assert strategy(text_of(known)) == known
    assert callable(known.player(load("cantstop:players=2"), Random(0)))
    with pytest.raises(StrategyError, match="evolved: expected a board with"):
        known.player(CantStop(sides=6, shortest=5, players=1), Random(0))


def test_what_is_kept_is_written_as_it_is_read(tmp_path: Path) -> None:
    keep(FOUND, tmp_path / "kept.json")
    assert kept(tmp_path / "kept.json") == FOUND
    fields = {each.name for each in dataclasses.fields(Settings)}
    assert all(set(each.settings) == fields for each in FOUND)
