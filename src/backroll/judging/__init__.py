"""Exact judgement: what strategies are worth, without playing a game."""

from backroll.judging.judgement import ENGINES, Judgement, evaluate

__all__ = ["ENGINES", "Judgement", "evaluate"]
