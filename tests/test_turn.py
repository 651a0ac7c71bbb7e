from fractions import Fraction

import pytest

from backroll.errors import GameError, MissingPosition
from backroll.game import SCORE, Chance, Choice, Swap, Terminal
from backroll.turn import best, evaluate, expand, relative
from tiny import DUEL, PIGLET, At, Mirror, Piglet, Written, duel, toll


def nothing(position: object) -> None:
    return None


def piglet(position: At) -> float | None:
    value = PIGLET.get(position)
    return None if value is None else float(value)


@pytest.mark.parametrize(
    ("position", "value"),
    [
        (At(0, 0, 1), Fraction(5, 7)),
        (At(0, 0, 1, True), Fraction(5, 7)),
        (At(0, 1, 1), Fraction(3, 5)),
        (At(0, 1, 0, True), Fraction(2, 5)),
        (At(1, 0, 1), Fraction(1)),
        (At(0, 2, 0), Fraction(0)),
    ],
)
def test_the_inside_of_a_turn_follows_from_the_anchors(position: At, value: Fraction) -> None:
    assert evaluate(Piglet(), position, piglet) == pytest.approx(float(value), abs=1e-15)


def test_a_known_position_is_expanded_but_ends_the_search_when_met_again() -> None:
    wrong = {At(1, 1): 0.5}
    assert evaluate(Piglet(), At(1, 1), wrong.get) == 0.75  # 1/2 + (1 - 1/2)/2


def test_players_choose_in_their_own_direction() -> None:
    assert evaluate(duel(), "start", nothing) == DUEL["start"]
    assert evaluate(duel(), "safe", nothing) == DUEL["safe"]
    assert evaluate(duel(), "bold", nothing) == DUEL["bold"]


def test_costs_are_minimised_by_player_1_and_maximised_by_player_2() -> None:
    known = {"start": 2.0}
    assert evaluate(toll(), "start", known.get) == 2
    assert evaluate(toll(2), "gate", known.get) == 2.5


def test_symmetric_positions_are_worked_out_once() -> None:
    worth: dict[tuple[int, int], float] = {}
    assert evaluate(Mirror(), (1, 2), nothing, worth=worth) == 3
    assert worth == {(1, 2): 3, (2, 0): 2, (1, 1): 2, (1, 0): 1, (0, 0): 0}


def test_a_cycle_without_a_known_position_is_missing() -> None:
    with pytest.raises(MissingPosition, match=r"^start: expected a turn .* found a cycle .*start"):
        evaluate(toll(), "start", nothing)


def test_a_turn_past_the_limit_is_missing() -> None:
    long = Written({str(each): Choice([str(each + 1)]) for each in range(100)})
    with pytest.raises(MissingPosition, match=r"found more than 50 positions .*\(at 50\)"):
        evaluate(long, "0", nothing, limit=50)


def test_a_long_turn_is_no_recursion() -> None:
    size = 20_000
    nodes = {str(each): Choice([str(each + 1)], adds=1) for each in range(size)}
    assert evaluate(Written({**nodes, str(size): Terminal(0)}), "0", nothing) == size


def test_weights_need_not_add_up_to_a_power_of_two() -> None:
    game = Written({"x": Chance({"a": 1, "b": 2}), "a": Terminal(1), "b": Terminal(0)})
    assert evaluate(game, "x", nothing) == 1 / 3


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (Choice([]), "^x: expected a move or an outcome, found none"),
        (Chance({}), "^x: expected a move or an outcome, found none"),
        (Chance({"x": 0}), "^x: expected weights of 1 or more"),
        ("end", "^x: expected a Terminal, Choice or Chance, found 'end'"),
    ],
)
def test_a_broken_node_is_an_error_of_the_game(node: Choice, message: str) -> None:
    with pytest.raises(GameError, match=message):
        expand(Written({"x": node}), "x")


def test_moves_of_the_mover_come_best_first_with_what_they_lose() -> None:
    def value_of(position: At) -> float:
        known = piglet(position)
        return evaluate(Piglet(), position, piglet) if known is None else known

    toss, hold = best(Piglet(), At(0, 0, 1), value_of)
    assert (toss.move, toss.position) == ("toss", At(0, 0, 1, True))
    assert (hold.move, hold.position) == ("hold", At(0, 1))
    assert toss.value == pytest.approx(5 / 7, abs=1e-15)
    assert hold.value == pytest.approx(3 / 5, abs=1e-15)
    assert toss.loss == 0
    assert hold.loss == pytest.approx(5 / 7 - 3 / 5, abs=1e-15)


def test_moves_of_player_2_are_valued_from_his_side() -> None:
    worth = {"half": 0.5, "three quarters": 0.75}
    assert best(duel(), "safe", worth.__getitem__) == [
        ("half", "half", 0.5, 0.0),
        ("three quarters", "three quarters", 0.25, 0.25),
    ]


def test_moves_that_cost_come_cheapest_first_and_count_what_the_choice_adds() -> None:
    worth = {"walk": 1.0, "ride": 3.0, "short": 1.0, "start": 2.0}
    assert best(toll(), "start", worth.__getitem__) == [
        ("walk", "walk", 2.0, 0.0),
        ("ride", "ride", 4.0, 2.0),
    ]
    assert best(toll(2), "gate", worth.__getitem__) == [
        ("start", "start", 1 - 2.5, 0.0),
        ("short", "short", 1 - 1.5, 1.0),
    ]


def test_equal_moves_keep_the_order_of_the_rules() -> None:
    game = Written({"x": Choice(["c", "a", "b"])}, SCORE, 1)
    worth = {"a": 1.0, "b": 2.0, "c": 1.0}
    assert [each.move for each in best(game, "x", worth.__getitem__)] == ["b", "c", "a"]


def test_there_are_no_moves_where_nobody_chooses() -> None:
    assert best(duel(), "bold", DUEL.__getitem__) == []
    assert best(duel(), "one", DUEL.__getitem__) == []


class Solitaire(Piglet):
    players = 1


def test_a_swap_makes_a_game_relative_and_a_choice_of_player_2_absolute() -> None:
    assert relative(Piglet())
    assert not relative(duel())
    assert not relative(toll(2))  # no sign of either from its start
    assert not relative(Solitaire())


def test_the_search_for_a_sign_ends_in_an_endless_game() -> None:
    class Endless(Written):
        def node(self, position: str) -> Choice:
            return Choice([f"{position}a", f"{position}b"])

    assert not relative(Endless({"x": Terminal(0)}), limit=100)


def test_a_swap_is_seen_in_the_children() -> None:
    _, children = expand(Piglet(), At(0, 0, 1))
    assert [(each.move, each.position, each.swapped) for each in children] == [
        ("hold", At(0, 1), True),
        ("toss", At(0, 0, 1, True), False),
    ]
    assert isinstance(Piglet().play(At(0, 0, 1), "hold"), Swap)
