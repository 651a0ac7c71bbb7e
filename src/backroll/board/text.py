"""A state as lines of text with styles: for terminals, with colours or without.

Can't Stop is drawn upright, a column of characters a column: `·` is a free square, `1` and `2`
are the markers of the seats, `^` the neutral ones of this turn, and a won column is full of its
winner's number. Two that share a square are written side by side.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from backroll.board.state import State

FREE: Final = "·"
RUNNER: Final = "^"
WIDE: Final = 4


class Piece(NamedTuple):
    """Some text, and what it stands for: free, seat1, seat2, runner, quiet, dice or nothing."""

    text: str
    style: str = ""


def lines(state: State) -> list[str]:
    """A state as plain lines."""
    return ["".join(piece.text for piece in line).rstrip() for line in pieces(state)]


def pieces(state: State) -> list[list[Piece]]:
    """A state as lines of pieces: the board, the players, and what is said."""
    drawn = {"cantstop": _columns, "pig": _scores, "shutthebox": _tiles}
    board = drawn.get(state["kind"], _picture)(state)
    return [*board, [], *_players(state), *_dice(state), [Piece(state["said"])]]


def _columns(state: State) -> list[list[Piece]]:
    """The columns around a common middle, with their totals above and below."""
    highest = max(column["length"] for column in state["columns"])
    places = range(len(state["columns"]))
    return [
        [_cell(state, place, row, highest) for place in places] for row in range(-1, highest + 1)
    ]


def _cell(state: State, place: int, row: int, highest: int) -> Piece:
    """What stands at a row, counted from the top, of a column."""
    total, length = state["columns"][place].values()
    height = highest - row - (highest - length) // 2
    if height in (0, length + 1):
        return Piece(f"{total:^{WIDE}}", "quiet")
    if not 0 < height <= length:
        return Piece(" " * WIDE)
    marks = [
        (str(seat), f"seat{seat}")
        for seat, player in enumerate(state["players"], 1)
        if total in player["won"] or player["heights"][str(total)] == height
    ]
    if state["neutral"].get(str(total)) == height:
        marks.append((RUNNER, "runner"))
    if not marks:
        return Piece(f"{FREE:^{WIDE}}", "free")
    return Piece(f"{''.join(mark for mark, _ in marks):^{WIDE}}", marks[-1][1])


def _scores(state: State) -> list[list[Piece]]:
    """A bar a player; what is at stake is dotted."""
    width, rows = 40, []
    for seat, player in enumerate(state["players"], 1):
        turn = state["total"] if state["turn"] == seat else 0
        kept = width * min(player["score"], state["target"]) // state["target"]
        risk = min(width * turn // state["target"], width - kept)
        more = f" + {turn}" if turn else ""
        rows.append(
            [
                Piece(str(seat) * kept, f"seat{seat}"),
                Piece(RUNNER * risk, "runner"),
                Piece(FREE * (width - kept - risk), "free"),
                Piece(f" {player['score']}{more} of {state['target']}"),
            ]
        )
    return rows


def _tiles(state: State) -> list[list[Piece]]:
    row = [
        Piece(f"[{each['tile']}] ", "seat1") if each["open"] else Piece(f" {FREE}  ", "free")
        for each in state["tiles"]
    ]
    beat = [] if state["target"] is None else [Piece(f"to beat: {state['target']}", "quiet")]
    return [[*row, *beat]]


def _picture(state: State) -> list[list[Piece]]:
    return [[Piece(line)] for line in state["picture"].splitlines()]


def _players(state: State) -> list[list[Piece]]:
    rows = []
    for seat, player in enumerate(state["players"], 1):
        won = player.get("won")
        said = f"  won {', '.join(map(str, won))}" if won else ""
        moves = "> " if state["turn"] == seat else "  "
        rows.append([Piece(f"{moves}{seat} {player['name']}", f"seat{seat}"), Piece(said)])
    return rows


def _dice(state: State) -> list[list[Piece]]:
    faces = state["dice"] or [state[each] for each in ("roll",) if state.get(each)]
    return [[Piece(" ".join(f"[{face}]" for face in faces), "dice")]] if faces else []
