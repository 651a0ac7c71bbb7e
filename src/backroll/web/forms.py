"""What the API takes and gives, as pydantic models: they check requests and write OpenAPI."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Spec = Annotated[
    str,
    Field(min_length=1, max_length=200, description="A game and its parameters.",
          examples=["pig:target=20", "cantstop:sides=3,shortest=2"]),
]  # fmt: skip
Position = Annotated[
    str, Field(max_length=500, description="As the game writes it.", examples=["0/0/7"])
]
Seat = Annotated[
    str,
    Field(min_length=1, max_length=200, examples=["you", "optimal", "ruleof:n=28", "hold"],
          description="`you`, `optimal`, or a strategy."),
]  # fmt: skip
Plain = dict[str, Any]


class Taken(BaseModel):
    """A request: what it does not know it refuses."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Asked(Taken):
    """A position to analyse."""

    spec: Spec
    position: Position | None = None
    """The start, if it is left out."""
    by: Literal["best", "rollouts"] = "best"
    """The best source there is, or rollouts that refine."""


class NewGame(Taken):
    """A game to begin."""

    spec: Spec
    first: Seat = "you"
    second: Seat | None = None
    """Where the game is for two."""
    position: Position | None = None


class MoveMade(Taken):
    """A move."""

    move: Annotated[str, Field(min_length=1, max_length=200)]
    """As `choices` of the state has it."""
    step: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    """How many steps the game had when the move was chosen: refused if it has gone on."""


class Pasted(Taken):
    """A game that was written down."""

    transcript: Annotated[str, Field(min_length=1, max_length=1_000_000)]


class Error(BaseModel):
    """What is wrong with a request."""

    error: str
    """One line."""


class GameState(BaseModel):
    """A game in progress."""

    id: str
    spec: str
    seats: list[str]
    steps: int
    waits: bool
    """For a person to move."""
    thinking: bool
    """A strategy is at work: ask again."""
    over: bool
    error: str
    """Why a strategy did not move; asking again tries again."""
    state: Plain
    """What the board draws: see `backroll.board.state`."""


class Answer(BaseModel):
    """The answer to a question that may take a worker, or what there is of it so far."""

    job: str | None
    """The id under which to ask again; none for what was known at once."""
    status: Literal["waiting", "running", "done", "failed", "cancelled"]
    found: Plain | None
    """The best answer so far: of an analysis the object of `probe --json`, and more."""
    error: str
    seconds: float


class Link(BaseModel):
    """A link."""

    url: str


class Parameter(BaseModel):
    """A parameter of a game or of a strategy."""

    name: str
    takes: str
    default: str


class Listed(BaseModel):
    """A game or a strategy."""

    name: str
    summary: str
    parameters: list[Parameter]


class ListedStrategy(Listed):
    """A strategy."""

    plays: str
    """Which games."""
    strength: str
    """How well, in a sentence."""
    named: list[str]
    """Those with names."""


class Games(BaseModel):
    """The games of the server."""

    games: list[Listed]


class Strategies(BaseModel):
    """The strategies that can be played against."""

    strategies: list[ListedStrategy]


class Own(BaseModel):
    """The games of a session."""

    games: list[GameState]


class Text(BaseModel):
    """A game that was written down."""

    transcript: Plain
    text: str
