from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backroll.errors import GameError
from backroll.game import ABSENT, Game
from backroll.index import Index, PositionIndex, TextIndex, decode, encode
from tiny import MIRROR, PIGLET, At, Mirror, Piglet, Written

TEXTS = st.lists(st.text(st.characters(exclude_characters="\n\r", codec="utf-8")), unique=True)


def both(game: Game[Any], positions: list[Any]) -> list[Index]:
    texts = encode(map(game.show, positions))
    return [PositionIndex(game, positions), TextIndex(game, len(positions), lambda: texts)]


@given(TEXTS)
def test_decode_is_the_inverse_of_encode(texts: list[str]) -> None:
    assert decode(encode(texts)) == texts


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["a", "b\nc"], r"must be one line, found 'b\\nc'"),
        (["a", "b\rc"], r"must be one line, found 'b\\rc'"),
        (["a", "b", "a"], "found two shown as 'a'"),
        (["a", "\ud800"], r"UTF-8 can hold, found '\\ud800'"),
    ],
)
def test_texts_that_cannot_be_told_apart_are_refused(texts: list[str], message: str) -> None:
    with pytest.raises(GameError, match=message):
        encode(texts)


def test_both_indexes_find_rows_in_the_order_given() -> None:
    anchors = list(PIGLET)
    for index in both(Piglet(), anchors):
        assert len(index) == 4
        assert [index.find(each) for each in anchors] == [0, 1, 2, 3]
        assert index.find(At(0, 0, 1)) == ABSENT
        assert list(index.texts()) == [Piglet().show(each) for each in anchors]


def test_many_at_once_are_found_as_one_by_one() -> None:
    wanted = [At(1, 1), At(5, 5), At(0, 0), At(1, 1)]
    for index in both(Piglet(), list(PIGLET)):
        found = index.find_many(wanted)
        assert found.dtype == np.int64
        assert found.tolist() == [index.find(each) for each in wanted] == [3, ABSENT, 0, 3]
        assert index.find_many([]).tolist() == []


def test_symmetric_positions_share_a_row() -> None:
    for index in both(Mirror(), list(MIRROR)):
        assert index.find((1, 2)) == index.find((2, 1)) == 0
        assert index.find_many([(0, 1), (1, 2)]).tolist() == [3, 0]


def test_texts_are_read_at_the_first_probe_and_once() -> None:
    reads = []

    def read() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        reads.append(1)
        return encode(["x"])

    index = TextIndex(Written({}), 1, read)
    assert len(index) == 1
    assert not reads
    assert [index.find("x"), index.find("y")] == [0, ABSENT]
    assert len(reads) == 1
