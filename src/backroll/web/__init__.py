"""The web: a server of games, their analysis and their review, on the loopback address."""
