from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from backroll.database import Database
from backroll.engines.general import solve
from backroll.errors import GameError, IllegalMove, NotationError
from backroll.game import (
    COST,
    SCORE,
    Chance,
    Choice,
    Game,
    Node,
    Swap,
    Terminal,
    minimises,
)
from backroll.spec import load, spec_of
from backroll.wrappers import Sided, fix


def worth(game: Game[Any], position: Any) -> Fraction:
    """The value of a position of a game without cycles, by plain recursion."""
    node = game.node(position)
    if isinstance(node, Terminal):
        return Fraction(node.value)
    if isinstance(node, Chance):
        ways = sum(node.outcomes.values())
        shares = (weight * after(game, position, move) for move, weight in node.outcomes.items())
        return Fraction(node.adds) + sum(shares, Fraction(0)) / ways
    choose = min if minimises(game.quantity, node.player) else max
    return Fraction(node.adds) + choose(after(game, position, move) for move in node.moves)


def after(game: Game[Any], position: Any, move: Any) -> Fraction:
    child = game.play(position, move)
    if isinstance(child, Swap):
        return Fraction(game.total) - worth(game, child.position)
    return worth(game, child)


class Coins(Game[tuple[int, int, int]]):
    """Relative: (left, mine, theirs); take one coin, or toss for two or none. Most coins win."""

    quantity = SCORE
    total = 10

    def start(self) -> tuple[int, int, int]:
        return 4, 0, 0

    def node(self, position: tuple[int, int, int]) -> Node:
        left, mine, theirs = position
        if left < 0:
            return Chance({0: 2, 2: 1}, adds=1)
        return Choice(["one", "toss"], adds=2) if left else Terminal(5 + mine - theirs)

    def play(self, position: tuple[int, int, int], move: Any) -> Any:
        left, mine, theirs = position
        if move == "toss":
            return -left, mine, theirs
        won = 1 if move == "one" else move
        return Swap((abs(left) - 1, theirs, mine + won))


class Named(Game[tuple[int, int, int]]):
    """Absolute: the same game from player 1's side, with the player to move in the position."""

    quantity = SCORE
    total = 10

    def start(self) -> Any:
        return 1, (4, 0, 0)

    def node(self, position: Any) -> Node:
        player, inner = position
        node = Coins().node(inner)
        if isinstance(node, Terminal):
            return Terminal(node.value if player == 1 else 10 - node.value)
        sign = 1 if player == 1 else -1
        if isinstance(node, Choice):
            return Choice(node.moves, player, sign * node.adds)
        assert isinstance(node, Chance)
        return Chance(node.outcomes, sign * node.adds)

    def play(self, position: Any, move: Any) -> Any:
        player, inner = position
        child = Coins().play(inner, move)
        return (3 - player, child.position) if isinstance(child, Swap) else (player, child)


def always(move: Any) -> Any:
    return lambda position: move


def test_fixing_nothing_that_matters_keeps_the_value() -> None:
    game = Coins()
    free = fix(game, 2, best_of(game))
    assert worth(free, free.start()) == worth(game, game.start())


def best_of(game: Game[Any]) -> dict[Any, Any]:
    """The best move at every position of a small game without cycles."""
    found: dict[Any, Any] = {}
    waiting = [game.start()]
    for position in waiting:
        node = game.node(position)
        options: list[Any] = []
        if isinstance(node, Choice):
            options = list(node.moves)
            choose = min if minimises(game.quantity, node.player) else max
            found[position] = choose(options, key=lambda move: after(game, position, move))
        elif isinstance(node, Chance):
            options = list(node.outcomes)
        children = [game.play(position, move) for move in options]
        waiting += [each.position if isinstance(each, Swap) else each for each in children]
    return found


EACH_TIME = {"one": Fraction(2 + 1), "toss": 2 + 1 + Fraction(2, 3)}
"""What a choice of Coins brings: its 2, the coin, and for a toss 1 more and a third of two."""


@pytest.mark.parametrize("player", [1, 2])
@pytest.mark.parametrize("move", ["one", "toss"])
def test_relative_and_absolute_games_agree(player: int, move: str) -> None:
    relative, absolute = fix(Coins(), player, always(move)), fix(Named(), player, always(move))
    ahead = 2 * (EACH_TIME[move] - EACH_TIME["toss"])  # the other side does best to toss
    expected = 5 + ahead if player == 1 else 5 - ahead
    assert worth(relative, relative.start()) == expected
    assert worth(absolute, absolute.start()) == expected


@pytest.mark.parametrize("game", [Coins(), Named()])
def test_both_players_fixed_leaves_only_chance(game: Game[Any]) -> None:
    fixed = fix(fix(game, 1, always("toss")), 2, always("one"))
    expected = 5 + 2 * (EACH_TIME["toss"] - EACH_TIME["one"])
    assert worth(fixed, fixed.start()) == expected
    other = fix(fix(game, 2, always("one")), 1, always("toss"))
    assert worth(other, other.start()) == worth(fixed, fixed.start())


def test_positions_are_the_games_own_to_a_strategy() -> None:
    seen: list[Any] = []

    def first(position: Any) -> str:
        seen.append(position)
        return "one"

    game = fix(fix(Coins(), 1, first), 2, first)
    worth(game, game.start())
    assert seen == [(4, 0, 0), (3, 0, 1), (2, 1, 1), (1, 1, 2)]


@pytest.mark.parametrize("spec", ["pig:target=8", "cantstop:sides=2,shortest=1,columns=1"])
def test_the_best_answer_to_the_best_strategy_is_worth_the_game(spec: str) -> None:
    game = load(spec)
    database = Database.of(solve(game))
    value = database.report.value

    def best(position: Any) -> Any:
        return database.moves(position)[0].move

    for player in (1, 2):
        assert solve(fix(game, player, best)).value == pytest.approx(value, abs=1e-12)
    both = fix(fix(game, 1, best), 2, best)
    assert solve(both).value == pytest.approx(value, abs=1e-12)


def test_a_poor_strategy_costs() -> None:
    game = load("pig:target=8")
    value = solve(game).value
    assert solve(fix(game, 1, always("hold"))).value < value - 0.001
    assert solve(fix(game, 2, always("hold"))).value > value + 0.001


def test_one_player_and_a_cost() -> None:
    game = load("pig:target=8,players=1")
    assert game.quantity == COST
    fixed = fix(game, 1, always("hold"))
    assert fixed.start() == game.start()
    assert fixed.show(fixed.start()) == game.show(game.start())
    assert fixed.parse(game.show(game.start())) == game.start()
    assert solve(fixed).value > solve(game).value + 0.1


class Flat(Game[int]):
    """Player 2 alone chooses what player 1 pays or wins."""

    def __init__(self, quantity: str) -> None:
        self.quantity = quantity

    def start(self) -> int:
        return 0

    def node(self, position: int) -> Terminal | Choice:
        return Terminal(position / 4) if position else Choice([1, 3], player=2)

    def play(self, position: int, move: int) -> int:
        return move


@pytest.mark.parametrize(("quantity", "value"), [(SCORE, 0.25), (COST, 0.75)])
def test_a_player_2_left_alone_still_wants_what_player_2_wants(quantity: str, value: float) -> None:
    fixed = fix(Flat(quantity), 1, always(None))
    assert fixed.players == 2
    assert solve(fixed).value == value


def test_anchors_and_texts_carry_over_and_symmetry_does_not() -> None:
    game = load("pig:target=8")
    fixed = fix(game, 2, always("hold"))
    start = fixed.start()
    assert start == Sided(game.start(), 1)
    assert fixed.show(start) == game.show(game.start()) + "#1"
    child: Any = fixed.play(fixed.play(start, 3), "hold")
    assert child.who == 2
    assert fixed.parse(fixed.show(child)) == child
    assert [fixed.anchor(each) for each in (start, fixed.play(start, 3), child)] == [
        True,
        False,
        True,
    ]
    assert fixed.symmetry(child) is child
    assert fixed.show_move("hold") == "hold"
    assert spec_of(fixed) == "fix(pig:target=8,2)"


@pytest.mark.parametrize("text", ["0/0/0", "0/0/0#3", "0/0/0#", ""])
def test_a_text_without_its_side_is_refused(text: str) -> None:
    fixed = fix(load("pig:target=8"), 2, always("hold"))
    with pytest.raises(NotationError, match="expected a position like 0/0/0#1, found"):
        fixed.parse(text)


@pytest.mark.parametrize("strategy", [always("pass"), {}, {(0, 0, 3, False): "pass"}])
def test_a_move_that_is_not_offered_is_named_with_its_position(strategy: Any) -> None:
    fixed = fix(load("pig:target=8"), 2, strategy)
    at = Sided(fixed.play(fixed.start(), 3).position, 2)
    assert isinstance(at.position, tuple)
    with pytest.raises(IllegalMove, match="player 2 at 0/0/3: expected one of roll, hold, found"):
        fixed.node(at)


def test_a_mapping_is_a_strategy() -> None:
    game = Coins()
    fixed = fix(game, 1, best_of(game))
    assert worth(fixed, fixed.start()) == worth(game, game.start())


def test_only_a_player_who_still_chooses_can_be_fixed() -> None:
    game = Coins()
    with pytest.raises(GameError, match="expected a player from 1 to 2, found 3"):
        fix(game, 3, always("one"))
    once = fix(game, 1, always("one"))
    with pytest.raises(GameError, match="found player 1 fixed"):
        fix(once, 1, always("one"))
