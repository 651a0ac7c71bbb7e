"""Chinese Checkers on a rhombus: step and jump your pieces into the far corner."""

from backroll.games.chinese_checkers.rules import ChineseCheckers, Position
from backroll.games.chinese_checkers.view import drawn, svg

__all__ = ["ChineseCheckers", "Position", "drawn", "svg"]
