"""The board: a position as data to draw, and what draws it in browsers, notebooks and terminals."""

YOU = "you"
"""Among strategies: a person at the board."""
