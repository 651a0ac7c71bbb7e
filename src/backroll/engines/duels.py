"""Two-player Can't Stop as levels of jobs: each a few tiles of one hand.

For each hand there is a square of numbers, the other side's placement by the mover's. A level is
the anchors with equally many squares climbed by both sides, a closed column counting as twice its
length: every stop climbs, so that no component rests on another of its level. Where a stop would
end the game but for a marker in its way, it leads to a square of noughts, in which placements
that share a square of the board are infinite, as they are in every square.
"""

from __future__ import annotations

from functools import cache, partial
from typing import NamedTuple

import numpy as np

from backroll.arrays import Desk, Floats, Ints, Leaves, Longs, Square, Steps
from backroll.engines.jobs import Job, Needs
from backroll.games.cantstop.index import Block, blocks
from backroll.games.cantstop.rules import CantStop
from backroll.kernels.climbs import count_shifts, count_states
from backroll.kernels.duels import forbid
from backroll.kernels.tiles import solve_climbs
from backroll.kernels.vectors import LANES
from backroll.programs.boards import Boards, Hand, Merging

TILE = 96
"""Placements a side of a tile: with a third of them legal, four vectors of lanes a mover."""
CHUNK = 1_000_000
"""Positions a job, a few hundredths of a second: of larger ones a level has too few to share."""


class Group(NamedTuple):
    """The placements of a closed set with the same number of squares climbed."""

    movers: Longs
    """Their ranks, of mirror images the first."""
    begin: int
    end: int


class Duels:
    """Two-player Can't Stop, solved a square at a time."""

    def __init__(self, game: CantStop, merging: Merging) -> None:
        self.game = game
        self.boards = Boards(game, merging)
        self.merging = merging
        self.start: dict[Hand, int] = {}
        self.won: dict[int, int] = {}
        self.size = 0
        for hand in self.boards.hands:
            self.start[hand] = self._take(hand.closed)
        if game.occupied == "roll":
            self._make_room_for_wins()
        self._square = cache(self._make_square)
        self._shared = cache(self._make_shared)
        self._groups = cache(self._make_groups)
        self._costs = cache(self._make_costs)

    def _take(self, closed: int) -> int:
        start = self.size
        self.size += self.boards.size(closed) ** 2
        return start

    def _make_room_for_wins(self) -> None:
        """A square for each closed set that a win can leave behind."""
        most = self.boards.most
        for hand in self.boards.hands:
            for fold in self.boards.folds(hand.closed):
                if len(fold) < 3 and hand.mine.bit_count() + len(fold) > most:
                    closed = self._after(hand, fold).closed
                    closed = min(closed, self.boards.mirror(closed))
                    if closed not in self.won:
                        self.won[closed] = self._take(closed)

    def _after(self, hand: Hand, fold: tuple[int, ...]) -> Hand:
        """The hand after a stop that closes some columns, the other side to move."""
        return Hand(hand.theirs, hand.mine | sum(1 << c for c in fold))

    def needs(self) -> Needs:
        """The room that a thread needs: the first tiles are the largest."""
        climbs = self.boards.climbs(0)[0]
        nothing = np.zeros(len(self.game.lengths), np.int64)
        states = int(count_states(climbs, nothing, False))
        shifts = int(count_shifts(climbs, nothing, False))
        programs = 2 * (1 if self.game.occupied == "jump" else self._side())
        return Needs(
            programs=programs,
            states=programs * states,
            shifts=programs * shifts,
            slabs=climbs.entered.size,
            folds=climbs.size.size,
            columns=climbs.length.size,
            longest=states,
            flags=programs * states * (programs // 2 // LANES + 1),
        )

    def _side(self) -> int:
        """Placements a side of the widest tile: as many as climb equally far, or TILE."""
        ways = [1]
        for length in self.game.lengths:
            ways = [
                sum(ways[max(0, n - length + 1) : n + 1]) for n in range(len(ways) + length - 1)
            ]
        return min(TILE, max(ways))

    def fill(self, table: Floats) -> None:
        """Wins are worth nothing to who is to move then; impossible placements are infinite."""
        table[:] = np.nan
        for closed, start in (*((h.closed, s) for h, s in self.start.items()), *self.won.items()):
            n = self.boards.size(closed)
            square = table[start : start + n * n].reshape(n, n)
            if self.won.get(closed) == start:
                square[:] = 0.0
            if self.game.occupied != "share":
                forbid(square, self.boards.placements(closed).heights)

    def values(self, table: Floats) -> Floats:
        """What the anchors are worth, in the order of the game's rows."""
        values = np.empty(self.game.anchor_count())
        end = 0
        for block in blocks(self.game):
            hand, _ = self.boards.standing(_hand(block))
            heights, ranks, _, strides = self.boards.placements(block.closed)
            steps = [
                np.array(pairs, np.int64) * stride
                for pairs, stride in zip(block.digits, strides.tolist(), strict=True)
            ]
            (mine, theirs), half = _sums(steps[len(steps) // 2 :]), _sums(steps[: len(steps) // 2])
            for x, y in half.T:  # a row of the table at a time: all at once is several tables more
                rows = self.start[hand] + ranks[theirs + y].astype(np.int64) * len(heights)
                begin, end = end, end + mine.size
                values[begin:end] = table[rows + ranks[mine + x]]
        return values

    def levels(self) -> list[int]:
        """The levels, supports first."""
        return list(range(2 * sum(self.game.lengths), -1, -1))

    def jobs(self, level: int) -> list[Job]:
        """Tiles of each hand, some at a time."""
        found = []
        for hand in self.boards.hands:
            turned, _ = self.boards.standing(hand.turned())
            if self.merging.players and turned < hand:
                continue
            tiles, costs = self._tiles(hand, turned, level)
            cuts = np.searchsorted(np.cumsum(costs), np.arange(CHUNK, sum(costs), CHUNK))
            for part in np.split(np.arange(len(tiles)), np.unique(cuts)):
                if part.size:
                    chosen = np.array([tiles[i] for i in part], np.int64)
                    work = partial(self._work, hand, turned, chosen)
                    found.append(Job(sum(costs[i] for i in part), work))
        return found

    def _tiles(self, hand: Hand, turned: Hand, level: int) -> tuple[list[list[int]], list[int]]:
        """The tiles of a hand on a level, and what each costs."""
        groups, costs = self._groups(hand), self._costs(hand.closed)
        climbed = level - sum(
            2 * n for c, n in enumerate(self.game.lengths) if hand.closed >> c & 1
        )
        side = 1 if self.game.occupied == "jump" else TILE
        tiles, cost = [], []
        first = 0
        for squares, group in enumerate(groups):
            left = climbed - squares
            movers = range(0, group.movers.size, side)
            same = self.merging.players and hand == turned
            if 0 <= left < len(groups) and not (same and left < squares):
                facing = groups[left]
                for i in movers:
                    j = min(i + side, group.movers.size)
                    mine = int(costs[group.movers[i:j]].sum())
                    for y in range(facing.begin, facing.end, side):
                        z = min(y + side, facing.end)
                        tiles.append([first + i, first + j, y, z, int(same and left == squares)])
                        theirs = int(costs[y:z].sum())
                        cost.append(max(1, (mine * (z - y) + theirs * (j - i)) // 3))
            first += group.movers.size
        return tiles, cost

    def _work(
        self,
        hand: Hand,
        turned: Hand,
        tiles: Longs,
        table: Floats,
        desk: Desk,
        steps: Steps,
        counts: Longs,
        found: Floats,
    ) -> None:
        climbs, lists = self.boards.climbs(hand.closed)
        movers = np.concatenate([group.movers for group in self._groups(hand)])
        solve_climbs(
            climbs, lists, table, self._square(hand), self._square(turned), movers, tiles, desk,
            self.game.occupied == "jump", self.merging.players, steps, counts, found,
        )  # fmt: skip

    def _make_groups(self, hand: Hand) -> list[Group]:
        placements = self.boards.placements(hand.closed)
        image = self._image(hand)
        cuts = np.searchsorted(placements.squares, np.arange(int(placements.squares.max()) + 2))
        groups = []
        for begin, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
            ranks = np.arange(begin, end)
            groups.append(Group(ranks[ranks <= image[begin:end]], begin, end))
        return groups

    def _make_costs(self, closed: int) -> Longs:
        return self.boards.cost(closed, self.boards.placements(closed).heights)

    def _image(self, hand: Hand) -> Ints:
        """The ranks of mirror images, or of the placements themselves."""
        heights, ranks, _, strides = self.boards.placements(hand.closed)
        if not self.boards.symmetric(hand):
            return np.arange(len(heights), dtype=np.int32)
        return ranks.take(heights[:, ::-1] @ strides)

    def _make_shared(self, closed: int) -> tuple[Leaves, Ints, Ints]:
        """What the squares of all hands with some columns closed have in common."""
        boards = self.boards
        heights, ranks, _, strides = boards.placements(closed)
        folds, opened = boards.folds(closed), boards.opened(closed)
        n = len(heights)
        stride = np.zeros((len(folds), len(opened)), np.int64)
        width, offset = np.zeros((2, len(folds)), np.int64)
        place = np.zeros((len(folds), n), np.int32)
        known: dict[int, int] = {}
        parts: list[Ints] = []
        for f, fold in enumerate(folds):
            after = closed | sum(1 << c for c in fold)
            onto = min(after, boards.mirror(after)) if self.merging.mirror else after
            stride[f] = boards.strides_from(closed, onto, onto != after)
            there = boards.placements(onto).ranks
            if onto not in known:
                known[onto] = sum(map(len, parts))
                parts.append(there)
            width[f], offset[f] = len(there), known[onto]
            place[f] = there[heights @ stride[f]]
        above = np.full((n, len(opened)), -1, np.int32)
        for c, column in enumerate(opened):
            higher = heights[:, c] + 1 < self.game.lengths[column]
            above[higher, c] = ranks[heights[higher] @ strides + strides[c]]
        start = np.full(len(folds), -1, np.int64)
        leaves = Leaves(start, stride, width, offset, np.concatenate(parts))
        return leaves, place, above

    def _make_square(self, hand: Hand) -> Square:
        leaves, place, above = self._shared(hand.closed)
        start = leaves.start.copy()
        for f, fold in enumerate(self.boards.folds(hand.closed)):
            after = self._after(hand, fold)
            if after.theirs.bit_count() > self.boards.most:
                closed = min(after.closed, self.boards.mirror(after.closed))
                start[f] = self.won.get(closed, -1) if len(fold) < 3 else -1
            else:
                start[f] = self.start[self.boards.standing(after).hand]
        heights = self.boards.placements(hand.closed).heights
        leaves = leaves._replace(start=start)
        return Square(self.start[hand], leaves, heights, place, above, self._image(hand))


def _sums(steps: list[Longs]) -> Longs:
    """The sums of one pair of each, the mover's and the other side's, the last changing first."""
    sums = np.zeros((2, 1), np.int64)
    for pairs in steps:
        sums = (sums[:, :, None] + pairs.T[:, None]).reshape(2, -1)
    return sums


def _hand(block: Block) -> Hand:
    """The leftmost closed columns won by the mover."""
    columns = [1 << c for c in range(block.closed.bit_length()) if block.closed >> c & 1]
    return Hand(sum(columns[: block.mine]), sum(columns[block.mine :]))
