"""Exact judgement of habits in Can't Stop: chance sent from the start through all anchors.

Anchors are taken hand by hand, fewest columns closed first; of closed columns only how many each
side won matters. Within a hand a stop leads to a placement with a larger number. Hands with
equally many closed columns do not rest on one another and go to threads; what they send on is
added up in their own order, so that the numbers do not depend on the threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from backroll.arrays import Floats, Longs
from backroll.engines.fitting import refuse_too_large
from backroll.errors import NoSolution
from backroll.games.cantstop.notation import NEUTRALS
from backroll.games.cantstop.rules import CantStop, Position
from backroll.judging.hands import Hand, Sent, Some, after, reached_by, roomier, together
from backroll.kernels import judging
from backroll.played import OCCUPIED, Draft, Field, Habits, Reached, Turns
from backroll.programs.habits import board_of, rolls_of
from backroll.solution import Progress, silent
from backroll.spec import spec_of

LEFT = 1e-12
"""The distribution of turns ends where less chance than this is left."""
WINDOW = 61
"""Numbers of turns that are looked at together; fewer where there are very many anchors."""
ROOM = 1 << 26
"""Numbers that may be kept for that, all together."""
MOST = 100_000
"""Turns after which the distribution ends anyway."""
NUMBER = 4
"""Bytes in which an anchor is found by number."""


Send: TypeAlias = Callable[[Reached, int], tuple[int, int]]


class Judge:
    """Habits on a board: one side's or both sides'."""

    def __init__(self, game: CantStop, habits: Sequence[Habits]) -> None:
        refuse_too_large(spec_of(game), _numbered(game), 0, None, number=NUMBER)
        self.game, self.habits = game, tuple(habits)
        self.columns = range(len(game.lengths))
        board = board_of(game)
        self.board, self.rolls = rolls_of(board, self.habits)
        by_size = np.argsort(board.markers, kind="stable")
        self.sets: Longs = by_size[board.markers[by_size] <= NEUTRALS].astype(np.int64)
        self.states = sum(
            int(np.prod([game.lengths[c] for c in columns]))
            for size in range(NEUTRALS + 1)
            for columns in combinations(self.columns, size)
        )
        self.shared = np.array(
            [not (each.chase or each.escaping) and game.occupied != OCCUPIED[2] for each in habits]
        )
        """Whether a turn is the same wherever the other side stands."""
        self.field = cache(self._field)

    def sizes(self, hand: Hand) -> tuple[Field, dict[Hand, tuple[int, int]]]:
        """The field of a hand, and where in what it sends each hand begins and ends."""
        field = self.field(hand.closed)
        start = np.full((2, field.placements.size), judging.WIN)
        places: dict[Hand, tuple[int, int]] = {}
        end = 0
        for f in map(int, self.sets):
            if f & hand.closed:
                continue
            for side in range(len(self.habits)):
                onto = after(hand, f, second=side == 1)
                if max(onto.mine, onto.theirs) >= self.game.columns:
                    continue
                if onto not in places:
                    rows = self.rows(onto)
                    places[onto] = end, end + rows
                    end += rows
                start[side, f] = places[onto][0]
        return field._replace(start=start[0], other=start[1]), places

    def rows(self, hand: Hand) -> int:
        """How many anchors a hand has, either side to move."""
        placements = int(self.field(hand.closed).placements[0])
        return placements if len(self.habits) == 1 else 2 * placements**2

    def _field(self, closed: int) -> Field:
        """The field of a set of closed columns, without where stops lead."""
        lengths, width = self.game.lengths, len(self.columns)
        count = np.ones(1 << width, np.int64)
        stride = np.zeros((1 << width, width), np.int64)
        for f in map(int, self.sets):
            for c in reversed(self.columns):
                if not (closed | f) >> c & 1:
                    stride[f, c] = count[f]
                    count[f] *= lengths[c]
        shut = np.array([n if closed >> c & 1 else 0 for c, n in enumerate(lengths)], np.int64)
        place = np.zeros((1, 1), np.int64)
        if len(self.habits) == 2:
            steps, at = stride[0], np.arange(count[0])
            open_ = np.flatnonzero(steps)
            heights = at[:, None] // steps[open_] % np.array(lengths)[open_]
            place = stride[:, open_] @ heights.T
        nowhere = np.zeros(0, np.int64)
        return Field(shut, count, stride, place.astype(np.int32), nowhere, nowhere)

    def walk(
        self, first: Floats, held: dict[Hand, Floats], threads: int, progress: Progress
    ) -> tuple[Floats, int]:
        """Send what comes to the start through all hands; gives what ends, and anchors met."""
        waiting = {Hand(): [Some(np.zeros(1, np.int64), first[None])]}
        ends: Floats = np.zeros(2) if len(self.habits) == 2 else first * 0.0
        anchors = done = 0
        with ThreadPoolExecutor(threads) as pool:
            while waiting:
                fewest = min(hand.closed.bit_count() for hand in waiting)
                level = sorted(h for h in waiting if h.closed.bit_count() == fewest)
                coming = [together(waiting.pop(hand)) for hand in level]
                before = [held.get(hand, np.zeros(0)) for hand in level]
                for hand, sent in zip(
                    level, pool.map(self._send, level, coming, before), strict=True
                ):
                    ends += sent.ends
                    anchors += sent.anchors
                    held[hand] = sent.held
                    done += 1
                    progress("judge", done, None)
                    for onto, some in sent.hands.items():
                        waiting.setdefault(onto, []).append(some)
        return ends, anchors

    def _send(self, hand: Hand, coming: Some, held: Floats) -> Sent:
        """Send on what comes to a hand."""
        field, places = self.sizes(hand)
        reached = reached_by(max(end for _, end in places.values()), coming, held)
        ends = np.zeros(2 if len(self.habits) == 2 else coming.flow.shape[1])
        send = (
            self._alone(hand, field, ends)
            if len(self.habits) == 1
            else (self._duel(hand, field, ends))
        )
        at, status = send(reached, 0)
        while status == judging.FULL:
            reached = roomier(reached)
            at, status = send(reached, at)
        if status == judging.STUCK:
            raise NoSolution(f"no value: {self._show(hand, field, at)} is never left")
        rows = int(reached.rows[0])
        order = 1 + np.argsort(reached.anchor[1:rows])
        anchors = reached.anchor[order]
        onward = {}
        for onto, (begin, end) in places.items():
            a, b = np.searchsorted(anchors, (begin, end))
            if onto != hand and a < b:
                onward[onto] = Some(anchors[a:b] - begin, reached.flow[order[a:b]])
        own = int(np.searchsorted(anchors, places[hand][1]))
        return Sent(onward, ends, own, reached.held[:rows])

    def _show(self, hand: Hand, field: Field, at: int) -> str:
        """An anchor of a hand, the leftmost closed columns given to the mover."""
        mine, theirs = np.zeros((2, len(self.columns)), np.int64)
        x, y = divmod(at, int(field.placements[0])) if len(self.habits) == 2 else (at, 0)
        judging.place(self.board, field, x, mine)
        judging.place(self.board, field, y, theirs)
        shut = [c for c in self.columns if hand.closed >> c & 1]
        mine[shut[hand.mine :]] = 0
        theirs[shut[: hand.mine]] = 0
        return self.game.show(Position(tuple(mine.tolist()), tuple(theirs.tolist())))

    def _alone(self, hand: Hand, field: Field, ends: Floats) -> Send:
        draft, turns, mass = self._draft(), self._one_turn(), np.zeros(self.states)
        mine, theirs = np.zeros((2, len(self.columns)), np.int64)
        out = np.zeros_like(ends)

        def send(reached: Reached, at: int) -> tuple[int, int]:
            return judging.alone(
                self.board, self.rolls, self.sets, self.habits[0], field, hand.mine, draft,
                turns, mass, mine, theirs, reached, at, out, ends,
            )  # fmt: skip

        return send

    def _duel(self, hand: Hand, field: Field, ends: Floats) -> Send:
        won, they = hand.mine, hand.theirs
        ours, others = self.habits
        our_turns, turns = (self._turns(i, field, n) for i, n in enumerate((won, they)))
        our_mass, mass = np.zeros((2, self.states))
        mine, theirs = np.zeros((2, len(self.columns)), np.int64)
        draft = self._draft()

        def send(reached: Reached, at: int) -> tuple[int, int]:
            return judging.duel(
                self.board, self.rolls, self.sets, ours, others, field, won, they, self.shared,
                draft, our_turns, turns, our_mass, mass, mine, theirs, reached, at, ends,
            )  # fmt: skip

        return send

    def _draft(self) -> Draft:
        return Draft(
            base=np.zeros(self.board.markers.size, np.int64),
            met=np.zeros(self.states, np.int32),
            slot=np.zeros(self.states, np.int32),
            at=np.zeros(len(self.columns), np.int64),
            worth=np.zeros((2, len(self.columns))),
        )

    def _one_turn(self) -> Turns:
        return _room(1, self.states, self.states * int(self.rolls.end[0]))

    def _turns(self, side: int, field: Field, won: int) -> Turns:
        """The turns of a side from all placements of a hand, or room for one of them."""
        if not self.shared[side]:
            return self._one_turn()
        states, edges = 2 * self.states, self.states * (int(self.rolls.end[0]) + 8)
        placements = int(field.placements[0])
        turns = _room(placements, states, edges)
        anyone = self.game.occupied == OCCUPIED[0]
        mine, nobody = np.zeros((2, len(self.columns)), np.int64)
        p, draft = 0, self._draft()
        while p < placements:
            p = judging.write_all(
                self.board, self.rolls, self.sets, self.habits[side], field, won, anyone, draft,
                turns, p, mine, nobody,
            )  # fmt: skip
            if p < placements:
                turns = _doubled(turns)
        return turns


def _numbered(game: CantStop) -> int:
    """Anchors that have a number while those at the start are judged; later there are fewer."""
    two, found = game.players == 2, 0
    for size in range(min(NEUTRALS + 1, game.columns)):
        for shut in combinations(game.lengths, size):
            placements = prod(game.lengths) // prod(shut)
            winners = 2 if two and size else 1
            found += winners * (2 * placements**2 if two else placements)
    return found


def _room(turns: int, states: int, edges: int) -> Turns:
    """Room for some turns."""
    return Turns(
        first=np.zeros(turns + 1, np.int64),
        stop=np.zeros(states, np.bool_),
        topped=np.zeros(states, np.int32),
        leaf=np.zeros(states, np.int32),
        mark=np.zeros((states, NEUTRALS), np.int32),
        square=np.zeros((states, NEUTRALS), np.int32),
        lost=np.zeros(states),
        edge=np.zeros(states + 1, np.int64),
        child=np.zeros(edges, np.int32),
        weight=np.zeros(edges),
    )


def _doubled(turns: Turns) -> Turns:
    """The same with twice the room."""
    larger = _room(turns.first.size - 1, 2 * turns.stop.size, 2 * turns.child.size)
    array: Any
    room: Any
    for array, room in zip(turns, larger, strict=True):
        room[: len(array)] = array
    return larger


class Alone(NamedTuple):
    """What habits come to alone: turns on average, their deviation, and how likely each number."""

    mean: float
    deviation: float
    distribution: Mapping[float, float]
    off: float
    anchors: int


def alone(
    game: CantStop,
    habits: Habits,
    *,
    distribution: bool = True,
    threads: int = 2,
    progress: Progress = silent,
) -> Alone:
    """Judge habits of one player; without the distribution it takes half the time or less."""
    judge = Judge(game, [habits])
    first = np.zeros(judging.MOMENTS)
    first[0] = 1.0
    ends, anchors = judge.walk(first, {}, threads, progress)
    mean = ends[1] / ends[0]
    variance = 2 * ends[2] / ends[0] + mean - mean**2
    found = dict(_turns(judge, anchors, threads, progress)) if distribution else {}
    deviation = float(np.sqrt(max(variance, 0.0)))
    return Alone(float(mean), deviation, found, float(abs(ends[0] - 1)), anchors)


def _turns(
    judge: Judge, anchors: int, threads: int, progress: Progress
) -> Iterator[tuple[float, float]]:
    """How likely each number of turns is."""
    window = max(8, min(WINDOW, ROOM // anchors - judging.MOMENTS))
    first = np.zeros(judging.MOMENTS + window)
    first[0] = first[judging.MOMENTS] = 1.0
    held: dict[Hand, Floats] = {}
    gone, turns = 0.0, 0
    while 1 - gone > LEFT and turns < MOST:
        ends, _ = judge.walk(first, held, threads, progress)
        first[judging.MOMENTS] = 0.0
        for chance in ends[judging.MOMENTS :].tolist():
            if chance and 1 - gone > LEFT:
                yield float(turns), chance
            gone += chance
            turns += 1


class Duel(NamedTuple):
    """What habits come to against others: how likely the first player wins."""

    first: float
    off: float
    anchors: int


def duel(
    game: CantStop, habits: Sequence[Habits], *, threads: int = 2, progress: Progress = silent
) -> Duel:
    """Judge the habits of two players, the first to move first."""
    ends, anchors = Judge(game, habits).walk(np.ones(1), {}, threads, progress)
    first, second = ends.tolist()
    return Duel(first / (first + second), abs(first + second - 1), anchors)
