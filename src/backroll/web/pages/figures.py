"""Figures in words: values, costs and chances as people read them."""

from __future__ import annotations

from typing import Any

from backroll.game import SCORE, WIN


def figure(value: float, quantity: str) -> str:
    """A value, as the board writes it too.

    >>> figure(0.5, "win probability"), figure(2.5, "expected cost")
    ('50.0 %', '2.500')
    """
    return percent(value) if quantity == WIN else f"{value:.3f}"


def percent(share: float, digits: int = 1) -> str:
    """A chance.

    >>> percent(0.125), percent(0.0004, 2)
    ('12.5 %', '0.04 %')
    """
    return f"{100 * share:.{digits}f} %"


def cost(loss: float, quantity: str) -> str:
    """What a move costs; a best one costs nothing."""
    return "best" if loss <= 0 else apart(loss, quantity)


def apart(difference: float, quantity: str) -> str:
    """A small difference of values, in one digit more.

    >>> apart(0.0123, "win probability")
    '1.23 %'
    """
    return percent(difference, 2) if quantity == WIN else f"{difference:.4f}"


def between(interval: Any, quantity: str) -> str:
    """An interval about a value; nothing where there is none."""
    if not interval:
        return ""
    low, high = interval
    away = (high - low) / 2
    return f"± {percent(away, 2)}" if quantity == WIN else f"± {away:.3f}"


def named(quantity: str) -> str:
    """What a value counts, for a heading."""
    return {WIN: "chance to win", SCORE: "expected score"}.get(quantity, "expected cost")
