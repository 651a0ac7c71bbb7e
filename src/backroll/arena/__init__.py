"""The arena: games between strategies, by the million where they are habits, and what they tell."""

from backroll.arena.intervals import Interval
from backroll.arena.playing import Step, play
from backroll.arena.simulation import Simulation, Stopped, simulate
from backroll.arena.tournaments import Halted, Tournament, both_seats, difference, tournament
from backroll.arena.transcripts import Transcript, read, read_file, replay, steps_of, transcript

__all__ = [
    "Halted",
    "Interval",
    "Simulation",
    "Step",
    "Stopped",
    "Tournament",
    "Transcript",
    "both_seats",
    "difference",
    "play",
    "read",
    "read_file",
    "replay",
    "simulate",
    "steps_of",
    "tournament",
    "transcript",
]
