"""Turns as programs: the same as the rules, in flat arrays that kernels run on lanes."""
