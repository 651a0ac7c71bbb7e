"""Words for how well somebody decided, after gnubg.

gnubg grades the mean error per decision that was not forced, in equity, which goes from -1 to 1
(`arThrsRating` and `arSkillLevel` in its `analysis.c`). A win probability goes from 0 to 1, so its
thresholds are halved here. Where a game counts turns or points, an error is taken as a share of
what the start is worth.
"""

from __future__ import annotations

from bisect import bisect_right

GRADES = (
    "supernatural", "world class", "expert", "advanced", "intermediate", "casual player",
    "beginner", "awful",
)  # fmt: skip
MEANS = (0.001, 0.0025, 0.004, 0.006, 0.009, 0.013, 0.0175)
"""Of the mean error: below the first is the first grade, and so on."""
MARKS = ("", "doubtful", "bad", "very bad")
ERRORS = (0.015, 0.03, 0.06)
"""Of one error: below the first it has no mark."""


def grade(mean: float) -> str:
    """The grade for a mean error.

    >>> grade(0.0), grade(0.005), grade(0.3)
    ('supernatural', 'advanced', 'awful')
    """
    return GRADES[bisect_right(MEANS, mean)]


def mark(error: float) -> str:
    """The mark for one error.

    >>> mark(0.001), mark(0.02), mark(0.3)
    ('', 'doubtful', 'very bad')
    """
    return MARKS[bisect_right(ERRORS, error)]
