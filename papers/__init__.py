"""The papers' tables and figures, measured again: one script each, and `python -m papers` for all.

Each prints what it measured beside what was published and keeps it in `papers/results/`.
"""
