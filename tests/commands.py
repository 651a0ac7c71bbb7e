"""Run commands, and what must hold of all that they print."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from backroll.cli import app

BACKROLL = [sys.executable, "-c", "from backroll.cli import main; main()"]

RACE = '''
from backroll import Chance, Choice, Game, Terminal

class Race(Game):
    """Step to the end, or toss for two steps."""

    players = 1
    quantity = "expected cost"

    def __init__(self, length: int = 4):
        self.length = length

    def start(self):
        return 0

    def node(self, position):
        if position < 0:
            return Chance({"heads": 1, "tails": 1})
        return Terminal(0) if position >= self.length else Choice(["step", "toss"], adds=1)

    def play(self, position, move):
        if move == "toss":
            return -1 - position
        if move == "step":
            return position + 1
        at = -1 - position
        return at + 3 if move == "heads" else at
'''

NOISY = RACE.replace("        return 0\n", "        print('off we go')\n        return 0\n", 1)

ENDLESS = """
from backroll import Choice, Game, Terminal

class Endless(Game):
    players = 1
    def start(self):
        open("started", "w").close()
        return 0
    def node(self, position):
        return Choice([1])
    def play(self, position, move):
        return position + move
"""

FAILS = """
from backroll import Choice, Game, Terminal

class Fails(Game):
    players = 1
    def start(self):
        return 3
    def node(self, position):
        return Choice([1]) if position else Terminal(1)
    def play(self, position, move):
        return position - move if position > 1 else {}[position]
    def parse(self, text):
        return int(text)
"""

UNREAD = """
from backroll import Choice, Game, Terminal

class Unread(Game):
    players = 1
    def start(self):
        return frozenset({1})
    def node(self, position):
        open("started", "w").close()
        return Terminal(1) if 2 in position else Choice([2])
    def play(self, position, move):
        return position | {move}
"""

LEAVES = FAILS.replace("{}[position]", "exit(3)").replace("Fails", "Leaves")


def write_games(folder: Path) -> None:
    """Put the files of some games in a folder."""
    files = {
        "race": RACE,
        "noisy": NOISY,
        "endless": ENDLESS,
        "fails": FAILS,
        "unread": UNREAD,
        "leaves": LEAVES,
    }
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)


def run(*arguments: str) -> Result:
    """A command that works."""
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result


def refused(*arguments: str, code: int = 2) -> str:
    """The one line about a command that is refused."""
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("backroll: ")
    return result.stderr


def data(*arguments: str, code: int = 0) -> dict[str, Any]:
    """The object that a command prints, checked to be all that it prints."""
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert result.exit_code == code, result.output

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    found = json.loads(result.stdout, parse_constant=refuse)
    assert isinstance(found, dict)
    return found
