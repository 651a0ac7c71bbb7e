"""The routes under /api: JSON in, JSON out, and one line for what is wrong."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from backroll.spec import Entry, catalogue, entry, spec_of
from backroll.strategies.names import class_of, named, plays
from backroll.web import forms
from backroll.web.allowed import OPTIMAL, names
from backroll.web.house import House
from backroll.web.matches import Match
from backroll.web.strengths import STRENGTHS
from backroll.web.workers import Job

REFUSED = {
    400: ("The request is understood, and cannot be met: the error says why.", forms.Error),
    404: ("There is no such game or job for this session.", forms.Error),
    409: ("The game does not allow it now.", forms.Error),
    413: ("The body is too large.", forms.Error),
    422: ("The request has another form than the API.", forms.Error),
    429: ("Too much is waiting already.", forms.Error),
}
Id = Annotated[str, Path(max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
router = APIRouter(
    prefix="/api",
    responses={
        code: {"description": said, "model": made} for code, (said, made) in REFUSED.items()
    },
)


def house_of(request: Request) -> House:
    """The house that the application was made with."""
    found: House = request.app.state.house
    return found


def session_of(request: Request) -> str:
    """The session of a request."""
    return str(request.state.session)


Houses = Annotated[House, Depends(house_of)]
Session = Annotated[str, Depends(session_of)]


@router.get("/games")
async def games(house: Houses) -> forms.Games:
    """The games and their parameters."""
    own = [entry(spec, type(game)) for spec, game in house.allowed.own.items()]
    listed = [_listed(each) for each in catalogue()]
    return forms.Games(games=[*listed, *(_listed(each._replace(parameters=[])) for each in own)])


@router.get("/strategies")
async def strategies() -> forms.Strategies:
    """The strategies, each with its strength in a sentence."""
    best = forms.ListedStrategy(
        name=OPTIMAL, summary="The best move by what the server knows.", parameters=[],
        plays="Plays every game.", strength=STRENGTHS[OPTIMAL], named=[],
    )  # fmt: skip
    return forms.Strategies(strategies=[best, *map(_strategy, names())])


@router.post("/position")
async def position(
    asked: forms.Asked, house: Houses, session: Session, response: Response
) -> forms.Answer:
    """What a position and its moves are worth, best first.

    What is known is answered at once; for the rest a worker starts, and the answer, with status
    202, has the id of its job. A session has one such job: a new one ends the one before.
    """
    found = await house.analyse(session, asked.spec, asked.position, asked.by)
    return _answer(found, response)


@router.get("/job/{id}")
async def job(id: Id, house: Houses, session: Session) -> forms.Answer:
    """The best answer of a job so far."""
    return _job(house.job(session, id))


@router.delete("/job/{id}")
async def cancel(id: Id, house: Houses, session: Session) -> forms.Answer:
    """End a job; its best answer stays."""
    found = house.job(session, id)
    house.pool.cancel(found)
    return _job(found)


@router.get("/game")
async def own(house: Houses, session: Session) -> forms.Own:
    """The games of this session, the one touched last at the end."""
    return forms.Own(
        games=[_game(house, id, match) for id, match in house.sessions.games(session).items()]
    )


@router.post("/game", status_code=201)
async def begin(wanted: forms.NewGame, house: Houses, session: Session) -> forms.GameState:
    """Begin a game, at its start or at a position."""
    seats = [wanted.first] if wanted.second is None else [wanted.first, wanted.second]
    id, match = await house.begin(session, wanted.spec, seats, wanted.position)
    return _game(house, id, match)


@router.get("/game/{id}")
async def game(id: Id, house: Houses, session: Session) -> forms.GameState:
    """A game as it is now; a strategy that is to move is asked to."""
    await house.go_on(session, id)
    return _game(house, id, house.sessions.match(session, id))


@router.delete("/game/{id}", status_code=204)
async def remove(id: Id, house: Houses, session: Session) -> None:
    """Forget a game."""
    house.remove(session, id)


@router.post("/game/{id}/move")
async def move(id: Id, made: forms.MoveMade, house: Houses, session: Session) -> forms.GameState:
    """Make a move; strategies answer within half a second, or are said to be thinking."""
    match = await house.move(session, id, made.move, made.step)
    return _game(house, id, match)


@router.post("/game/{id}/undo")
async def undo(id: Id, house: Houses, session: Session) -> forms.GameState:
    """Go back to before the last thing that a person did; the dice will fall as they did."""
    return _game(house, id, await house.undo(session, id))


@router.post("/game/{id}/hint")
async def hint(id: Id, house: Houses, session: Session, response: Response) -> forms.Answer:
    """What the position of a game is worth, as for any position."""
    match = house.sessions.match(session, id)
    shown = match.game.show(match.position)
    return _answer(await house.analyse(session, spec_of(match.game), shown, "best"), response)


@router.post("/game/{id}/review", status_code=202)
async def judge(id: Id, house: Houses, session: Session) -> forms.Answer:
    """Judge a game as far as it went: the job that does."""
    return _job(await house.judge(session, house.sessions.match(session, id)))


@router.get("/game/{id}/transcript")
async def transcript(id: Id, house: Houses, session: Session) -> forms.Text:
    """A game that is over, written down so that it can be checked and reviewed."""
    found = house.sessions.match(session, id).transcript()
    return forms.Text(transcript=found.as_dict(), text=found.as_text())


@router.post("/review", status_code=202)
async def review(pasted: forms.Pasted, house: Houses, session: Session) -> forms.Answer:
    """Judge a game that was written down: the job that does."""
    return _job(await house.review(session, pasted.transcript))


@router.get("/link")
async def link(
    house: Houses,
    spec: Annotated[str, Query(min_length=1, max_length=200)],
    position: Annotated[str | None, Query(max_length=500)] = None,
) -> forms.Link:
    """A link that opens a page at a position of a game."""
    game = house.allowed.game(spec)
    shown = game.show(house.allowed.position(game, position))
    return forms.Link(url="/?" + urlencode({"spec": spec_of(game), "position": shown}))


def _listed(found: Entry) -> forms.Listed:
    return forms.Listed(name=found.name, summary=found.summary, parameters=_parameters(found))


def _strategy(name: str) -> forms.ListedStrategy:
    found = entry(name, class_of(name))
    return forms.ListedStrategy(
        name=name, summary=found.summary, parameters=_parameters(found), plays=plays(name),
        strength=STRENGTHS.get(name, ""), named=named(name),
    )  # fmt: skip


def _parameters(found: Entry) -> list[forms.Parameter]:
    rows = [dict(zip(("name", "takes", "default"), row, strict=True)) for row in found.parameters]
    return [forms.Parameter(**row) for row in rows]


def _game(house: House, id: str, match: Match) -> forms.GameState:
    return forms.GameState(
        id=id,
        spec=spec_of(match.game),
        seats=list(match.seats),
        steps=len(match.steps),
        waits=match.waits,
        thinking=house.thinking(id),
        over=match.over,
        error=house.trouble(id),
        state=match.state(),
    )


def _answer(found: dict[str, Any] | Job, response: Response) -> forms.Answer:
    if isinstance(found, Job):
        response.status_code = 202
        return _job(found)
    return forms.Answer(job=None, status="done", found=found, error="", seconds=0.0)


def _job(job: Job) -> forms.Answer:
    seconds = round(job.seconds, 3)
    return forms.Answer(
        job=job.id, status=job.status, found=job.found, error=job.error, seconds=seconds
    )
