"""The games, each a rule sheet in plain Python."""
