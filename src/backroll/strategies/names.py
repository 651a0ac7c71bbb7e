"""The text form of strategies: a name and its parameters, as in specs.

    ruleof:n=28                              a strategy and what differs from its defaults
    ruleof:28                                the first parameter may stand without its name
    linear:champion,marker=6                 one that has a name, and what is changed in it
    rollout:games=1000,base=(model:pair=m2)  a strategy within a strategy stands in brackets

Parameters are the fields of the dataclass, so a strategy declares them once. Values that have names
are in `NAMED` of the class.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from backroll.errors import SpecError, StrategyError
from backroll.game import Game
from backroll.parameters import parameters_of, read_all, unknown, written
from backroll.spec import Entry, entry, spec_of
from backroll.strategies.protocol import Strategy

STRATEGIES = {
    "constant": "backroll.strategies.weights:Constant",
    "evolved": "backroll.strategies.evolved:Evolved",
    "exact": "backroll.strategies.exact:Exact",
    "hold": "backroll.strategies.holding:Hold",
    "linear": "backroll.strategies.weights:Linear",
    "model": "backroll.strategies.models:Model",
    "optimal": "backroll.strategies.optimal:Optimal",
    "random": "backroll.strategies.random:Random",
    "rollout": "backroll.strategies.rollouts:Rollout",
    "ruleof": "backroll.strategies.rules:RuleOf",
    "weighted": "backroll.strategies.weighted:Weighted",
}
"""Where strategies are; each is imported when it is asked for."""


def class_of(name: str) -> type[Strategy]:
    """The class of a strategy."""
    if name not in STRATEGIES:
        raise StrategyError(f"expected a strategy, {unknown(name, STRATEGIES)}")
    module, _, attribute = STRATEGIES[name].partition(":")
    return getattr(import_module(module), attribute)  # type: ignore[no-any-return]


def strategy(text: str) -> Strategy:
    """The strategy that a text names."""
    name, _, rest = _bare(text).partition(":")
    made = class_of(name.strip())
    known = parameters_of(made)
    items = [_unbracketed(item) for item in _items(text, rest)]
    named = _named(made)
    try:
        if items and items[0] in named:
            base, known = named[items[0]], [p._replace(default=None) for p in known]
            changed: Strategy = dataclasses.replace(base, **read_all(name, known, items[1:]))
            return changed
        if items and "=" not in items[0] and known:
            items[0] = f"{known[0].name}={items[0]}"
        return made(**read_all(name, known, items))
    except SpecError as error:
        first = rest.partition(",")[0].strip()
        unnamed = named and "=" not in first and first not in named
        hint = f"; known by name are {', '.join(named)}" if unnamed else ""
        raise StrategyError(f"{error}{hint}") from error


def _named(made: type[Strategy]) -> Mapping[str, Any]:
    """The strategies of a class that have names."""
    return getattr(made, "NAMED", {})


def _bare(text: str) -> str:
    text = text.strip()
    return text[1:-1].strip() if text.startswith("(") and text.endswith(")") else text


def _unbracketed(item: str) -> str:
    """A parameter whose value stands without the brackets around the whole of it."""
    name, equals, value = item.partition("=")
    whole = value.startswith("(") and value.endswith(")")
    return f"{name}{equals}{value[1:-1].strip()}" if whole else item


def _items(text: str, rest: str) -> Iterator[str]:
    """The parameters of a text, divided at commas outside brackets."""
    depth, item = 0, ""
    for letter in rest:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        if letter == "," and not depth:
            yield item.strip()
            item = ""
        else:
            item += letter
    if depth:
        raise StrategyError(f"expected as many ( as ), found {text!r}")
    if rest.strip():
        yield item.strip()


def text_of(strategy: Strategy) -> str:
    """The canonical text of a strategy: only what differs from its defaults, in declared order."""
    made = type(strategy)
    if not dataclasses.is_dataclass(made) or not hasattr(made, "player"):
        raise StrategyError(
            f"expected a strategy, a dataclass with a method player, found {strategy!r:.60}"
        )
    name = _name(type(strategy))
    for known, other in _named(type(strategy)).items():
        if strategy == other:
            return f"{name}:{known}"
    said = [
        f"{each.name}={_value(getattr(strategy, each.name))}"
        for each in dataclasses.fields(strategy)
        if getattr(strategy, each.name) != each.default
    ]
    return f"{name}:{','.join(said)}" if said else name


def _name(made: type[Any]) -> str:
    """The name of a class of strategies; of one that is not Backroll's the name it has itself."""
    where = f"{made.__module__}:{made.__name__}"
    return next((name for name, at in STRATEGIES.items() if at == where), made.__name__)


def refuse_entered(game: Game[Any], strategies: Sequence[Strategy]) -> None:
    """Refuse too many or too few strategies for a game, and those that no text could name."""
    if len(strategies) != game.players:
        raise StrategyError(
            f"{spec_of(game)}: expected {game.players} strateg"
            f"{'y' if game.players == 1 else 'ies'}, found {len(strategies)}"
        )
    for each in strategies:
        text_of(each)
        if _name(type(each)) in STRATEGIES:
            _refuse_parameters(each)


def _refuse_parameters(strategy: Strategy) -> None:
    name = _name(type(strategy))
    try:
        for each in parameters_of(type(strategy)):
            each.refuse(getattr(strategy, each.name), name)
    except SpecError as error:
        raise StrategyError(str(error)) from error


def _value(value: Any) -> str:
    text = written(value)
    return f"({text})" if set(text) & set(",:=()") else text


def catalogue() -> list[Entry]:
    """The strategies with their parameters."""
    return [entry(name, class_of(name)) for name in sorted(STRATEGIES)]


def plays(name: str) -> str:
    """Which games a strategy plays, in its own words."""
    return (inspect.getdoc(class_of(name).player) or "").partition("\n")[0]


def named(name: str) -> list[str]:
    """The texts of those strategies of a kind that have names."""
    return [f"{name}:{known}" for known in _named(class_of(name))]
