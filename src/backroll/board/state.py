"""A position as plain data to draw: the same for a browser, a notebook and a terminal.

Positions are written from the side of whoever moves; a state is written by *seat*, 1 for the
first player and 2 for the second, and is nothing but dicts, lists, texts and numbers. What all
states have:

    kind       cantstop, pig, shutthebox or plain: which board is drawn
    spec       the game
    position   its text
    side       the seat from whose side the position is written
    turn       the seat that moves, 0 where nobody does
    phase      roll (chance is next), choose, stop or roll, over
    players    name and mark of each seat, and what the game counts for it
    dice       the dice on the table
    choices    move (its text), label and full (for people), leads (where to), value and cost
    quantity   what values are
    worth      at the end what it is worth to the first player, and winner: a seat, 0 for a draw
    last       the last step: seat, move, label, rolled, dice, lost (the turn), squares
    said       one sentence of all that

The kinds add what they are made of: see `backroll.board.faces`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from backroll.board.faces import Face, face_of
from backroll.game import SCORE, WIN, Chance, Choice, Game, Move, Node, Swap, Terminal
from backroll.spec import spec_of

if TYPE_CHECKING:
    from backroll.arena.playing import Step

State: TypeAlias = dict[str, Any]
MARKS = ("●", "◆")
"""What tells the seats apart without colour."""
ROLL = {"move": "roll", "label": "roll", "full": "roll the dice", "leads": {}}


class Hint(NamedTuple):
    """What somebody who knows says of a move."""

    move: Move
    value: float
    """To the mover."""
    cost: float
    """How much worse than the best; 0 for the best."""
    basis: str
    """What the figures rest on."""


Hints: TypeAlias = Callable[[Any], Sequence[Hint]]
"""For a position with a choice its moves, best first."""


def state_of(
    game: Game[Any],
    position: Any,
    *,
    side: int = 1,
    names: Sequence[str] = (),
    steps: Sequence[Step] = (),
    hints: Sequence[Hint] = (),
) -> State:
    """A position as data; `steps` are those that led to it, `side` is whose it is written from."""
    node, face = game.node(position), face_of(game)
    turn = 0 if face.kind == "plain" and isinstance(node, Chance) else _turn(node, side)
    players = [{"name": name, "mark": MARKS[seat]} for seat, name in enumerate(_named(game, names))]
    state: State = {
        "kind": face.kind,
        "spec": spec_of(game),
        "position": str(game.show(position)),
        "side": side,
        "turn": turn,
        "phase": _phase(node),
        "players": players,
        "dice": [],
        "choices": _choices(game, face, position, node, hints),
        "quantity": game.quantity,
        "basis": hints[0].basis if hints else "",
        "last": _last(game, face, steps),
        **_end(game, node, side, steps),
    }
    face.draw(game, position, side, state)
    state["said"] = _said(game, state)
    return state


def told(game: Game[Any], step: Step, names: Sequence[str] = ()) -> str:
    """One sentence about a step."""
    last = _last(game, face_of(game), [step])
    return _told(_named(game, names), last) if last else ""


def _named(game: Game[Any], names: Sequence[str]) -> list[str]:
    """The names of the players, made different from each other where they are not."""
    given = [*names, *(f"player {seat}" for seat in range(len(names) + 1, 3))][: game.players]
    if len(set(given)) < len(given):
        return [f"{name} ({seat})" for seat, name in enumerate(given, 1)]
    return given


def _turn(node: Node, side: int) -> int:
    if isinstance(node, Terminal):
        return 0
    player = node.player if isinstance(node, Choice) else 1
    return player if side == 1 else 3 - player


def _phase(node: Node) -> str:
    if isinstance(node, Terminal):
        return "over"
    if isinstance(node, Chance):
        return "roll"
    return "stop or roll" if set(node.moves) in ({"stop", "roll"}, {"hold", "roll"}) else "choose"


def _choices(
    game: Game[Any], face: Face, position: Any, node: Node, hints: Sequence[Hint]
) -> list[dict[str, Any]]:
    """What can be chosen; where chance is next, to roll, which is no move of the game."""
    known = {hint.move: hint for hint in hints}
    if isinstance(node, Chance):
        return [{**ROLL, "value": None, "cost": None}]
    moves = node.moves if isinstance(node, Choice) else ()
    found = []
    for move in moves:
        hint = known.get(move)
        found.append(
            {
                "move": game.show_move(move),
                "label": face.label(game, move),
                "full": face.full(game, position, move),
                "leads": face.leads(game, position, move),
                "value": hint.value if hint else None,
                "cost": hint.cost if hint else None,
            }
        )
    return found


def _end(game: Game[Any], node: Node, side: int, steps: Sequence[Step]) -> dict[str, Any]:
    """Who won, and what the game came to for the first player."""
    if not isinstance(node, Terminal):
        return {"winner": None, "worth": None}
    worth = node.value if side == 1 else game.total - node.value
    for step in steps:
        adds = getattr(game.node(step.position), "adds", 0)
        worth += adds if step.who == 1 else -adds
    if game.players == 1:
        return {"winner": None, "worth": worth}
    ahead = worth - game.total / 2
    return {"winner": (ahead > 0) + 2 * (ahead < 0), "worth": worth}


def _last(game: Game[Any], face: Face, steps: Sequence[Step]) -> dict[str, Any] | None:
    """What was done last, the dice before it among it."""
    if not steps:
        return None
    step = steps[-1]
    child = game.play(step.position, step.move)
    rolled = step.mover == 0
    lost = rolled and isinstance(child, Swap)
    squares = {} if rolled else face.leads(game, step.position, step.move)
    return {
        "seat": 0 if face.kind == "plain" and rolled else step.mover or step.who,
        "move": game.show_move(step.move),
        "label": face.label(game, step.move),
        "rolled": rolled,
        "lost": lost or face.lost(game, step.position, step.move),
        "dice": face.thrown(step.move) if rolled else [],
        "squares": squares,
    }


def _said(game: Game[Any], state: State) -> str:
    """One sentence, or two: what was done, and who does what now."""
    names = [player["name"] for player in state["players"]]
    said = [_told(names, state["last"])] if state["last"] else _rolled(names, state)
    return " ".join([*said, _next(game, state, names)])


def _rolled(names: Sequence[str], state: State) -> list[str]:
    """What is on the table, where nobody knows how it came there."""
    faces = state["dice"] or [state[each] for each in ("roll",) if state.get(each)]
    if not faces:
        return []
    return [f"{_capital(names[state['turn'] - 1])} rolled {' '.join(map(str, faces))}."]


def _told(names: Sequence[str], last: dict[str, Any]) -> str:
    """What was done; worded so that it is right of `you` as well as of a name."""
    if not last["seat"]:
        return f"It came to {last['label']}."
    name = _capital(names[last["seat"] - 1])
    done = f"{name} rolled {last['label']}" if last["rolled"] else f"{name}: {last['label']}"
    return f"{done}, which loses the turn." if last["lost"] else f"{done}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _next(game: Game[Any], state: State, names: Sequence[str]) -> str:
    if state["phase"] == "over":
        return _ended(game, state, names)
    if not state["turn"]:
        return "Chance is next."
    name = _capital(names[state["turn"] - 1])
    last = [choice["label"] for choice in state["choices"]]
    asked = " or ".join(last) if state["phase"] == "stop or roll" else state["phase"]
    return f"{name} to {asked}."


def _ended(game: Game[Any], state: State, names: Sequence[str]) -> str:
    if state["winner"]:
        return f"{_capital(names[state['winner'] - 1])} won."
    if state["winner"] == 0:
        return "A draw."
    if game.quantity == WIN:
        return "Won." if state["worth"] > 0 else "Lost."
    unit = "points" if game.quantity == SCORE else "in all"
    return f"The end: {state['worth']:g} {unit}."
