"""What positions and moves are worth, what that rests on, and what a game that was played cost."""

from backroll.analysis.analyst import KINDS, Analyst
from backroll.analysis.figures import Analysis, Basis, Candidate, Danger
from backroll.analysis.kinds import OnTheSpot, Rollouts, Tables, TurnExact
from backroll.analysis.reviewing import Decision, Record, Review, review

__all__ = [
    "KINDS",
    "Analysis",
    "Analyst",
    "Basis",
    "Candidate",
    "Danger",
    "Decision",
    "OnTheSpot",
    "Record",
    "Review",
    "Rollouts",
    "Tables",
    "TurnExact",
    "review",
]
