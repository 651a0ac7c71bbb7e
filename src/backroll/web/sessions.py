"""Sessions: who plays which games; a session sees no other's.

A cookie is the id of a session and its signature, so that a server knows its own again without
keeping a list, also after a restart, and nobody can make one up. Only sessions that play are
kept; where there are too many, the one not seen for longest goes, and its games with it.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backroll.errors import BackrollError
from backroll.game import Game
from backroll.spec import spec_of
from backroll.web.allowed import Allowed, player_named
from backroll.web.matches import Match
from backroll.web.store import ID, Saved, Store

SESSIONS = 1000
GAMES = 50
"""Games of a session; a new one takes the place of the one not touched for longest."""
KEY = ".key"


class Unknown(BackrollError):
    """There is no such game, or no such job, for this session."""


class Signer:
    """Makes cookies, and knows its own."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = secrets.token_bytes(32) if key is None else key

    @classmethod
    def in_folder(cls, folder: Path | None) -> Signer:
        """One whose key is kept with the saved games, readable by nobody else."""
        if folder is None:
            return cls()
        file = folder / KEY
        try:
            with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
                opened.write(secrets.token_bytes(32))
        except FileExistsError:
            pass
        key = file.read_bytes()
        if len(key) != 32:
            raise BackrollError(f"{file}: expected a key of 32 bytes, found {len(key)}; remove it")
        return cls(key)

    def new(self) -> str:
        """The id of a new session."""
        return secrets.token_urlsafe(16)

    def sign(self, session: str) -> str:
        """The cookie of a session."""
        found = hmac.new(self._key, session.encode(), hashlib.sha256).hexdigest()
        return f"{session}.{found}"

    def read(self, cookie: str) -> str | None:
        """The session of a cookie, if it was made here."""
        session = cookie.partition(".")[0]
        if not ID.fullmatch(session):
            return None
        own = hmac.compare_digest(self.sign(session).encode(), cookie.encode())
        return session if own else None


class Sessions:
    """The games of all sessions, in memory and in the store."""

    def __init__(
        self, allowed: Allowed, store: Store, *, sessions: int = SESSIONS, games: int = GAMES
    ) -> None:
        self.allowed, self.store = allowed, store
        self.most, self.most_games = sessions, games
        self._games: OrderedDict[str, OrderedDict[str, Match | Saved]] = OrderedDict()
        for saved in store.all():
            self._put(saved.owner, saved.id, saved)

    def __len__(self) -> int:
        return len(self._games)

    def games(self, session: str) -> dict[str, Match]:
        """The games of a session that the rules still follow, the latest touched at the end."""
        found = {}
        for id in list(self._games.get(session, ())):
            try:
                found[id] = self.match(session, id)
            except BackrollError:
                continue
        return found

    def begin(
        self, session: str, spec: str, seats: Sequence[str], position: str | None = None
    ) -> tuple[str, Match]:
        """A new game, and its id."""
        match = self._match(spec, seats, position)
        id = secrets.token_urlsafe(24)
        self._put(session, id, match)
        return id, match

    def match(self, session: str, id: str) -> Match:
        """A game of a session; Unknown if it has none of that id."""
        games = self._games.get(session, OrderedDict())
        if id not in games:
            raise Unknown("expected a game of this session, found none of that id")
        found = games[id]
        if isinstance(found, Saved):
            found = games[id] = self._restored(found)
        self._games.move_to_end(session)
        self._games[session].move_to_end(id)
        return found

    def save(self, session: str, id: str) -> None:
        """Keep a game as it is now."""
        match = self.match(session, id)
        self.store.save(Saved.of(id, session, spec_of(match.game), match))

    def remove(self, session: str, id: str) -> None:
        """Forget a game."""
        self.match(session, id)
        del self._games[session][id]
        self.store.remove(id)

    def _match(
        self, spec: str, seats: Sequence[str], position: str | None, seed: int | None = None
    ) -> Match:
        game: Game[Any] = self.allowed.game(spec)
        for text in seats:
            player_named(text)
        start = None if position is None else self.allowed.position(game, position)
        return Match(game, seats, seed=seed, start=start)

    def _restored(self, saved: Saved) -> Match:
        match = self._match(saved.spec, saved.seats, saved.start, saved.seed)
        match.restore(saved.moves)
        return match

    def _put(self, session: str, id: str, match: Match | Saved) -> None:
        games = self._games.setdefault(session, OrderedDict())
        self._games.move_to_end(session)
        games[id] = match
        while len(games) > self.most_games:
            self.store.remove(games.popitem(last=False)[0])
        while len(self._games) > self.most:
            for old in self._games.popitem(last=False)[1]:
                self.store.remove(old)
