"""What a game's constructor takes, and how each value is written in a spec."""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import math
import re
from collections.abc import Iterable
from numbers import Integral, Real
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
)

from backroll.errors import SpecError

REQUIRED: Any = inspect.Parameter.empty
"""The default of a parameter that has none."""
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
Numbers: TypeAlias = tuple[float, ...]
_KINDS = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a text",
    Numbers: "numbers with / between them",
}
_NUMBERS: dict[Any, type] = {int: Integral, float: Real, bool: bool}


class Range(NamedTuple):
    """The numbers a parameter may be, both ends included: `Annotated[int, Range(2, 6)]`."""

    low: int
    high: int


class Parameter(NamedTuple):
    """One parameter of a game: its name, what it may be, and its default."""

    name: str
    kind: Any
    choices: tuple[Any, ...] = ()
    range: Range | None = None
    default: Any = REQUIRED

    @property
    def takes(self) -> str:
        """The values it takes, for a person.

        >>> Parameter("sides", int, range=Range(2, 6)).takes
        '2 to 6'
        >>> Parameter("occupied", str, choices=("roll", "share", "jump")).takes
        'roll, share or jump'
        """
        if self.choices:
            *most, last = map(written, self.choices)
            return f"{', '.join(most)} or {last}" if most else last
        if self.range is None:
            return _KINDS[self.kind]
        ends = f"{self.range.low} to {self.range.high}"
        return f"{_KINDS[Numbers]}, each from {ends}" if self.kind == Numbers else ends

    def read(self, text: str, game: str) -> Any:
        """The value that a text stands for."""
        value = self._value(text)
        if value is None or not self._within(value):
            raise self._unlike(text, game)
        return value

    def refuse(self, value: Any, game: str) -> None:
        """Refuse a value that no text stands for."""
        known = value in self.choices if self.choices else self._is_kind(value)
        if not known or not self._within(value):
            raise self._unlike(written(value), game)

    def _is_kind(self, value: Any) -> bool:
        """Whether a number is one; texts may also be paths."""
        if self.kind == Numbers:
            return isinstance(value, tuple) and all(isinstance(each, Real) for each in value)
        return isinstance(value, _NUMBERS.get(self.kind, object))

    def _within(self, value: Any) -> bool:
        """Whether a number, or each of several, is in the range; nan never is."""
        if self.range is None:
            return True
        numbers = value if isinstance(value, tuple) else (value,)
        return all(self.range.low <= each <= self.range.high for each in numbers)

    def _unlike(self, text: str, game: str) -> SpecError:
        kind = f"{_KINDS[self.kind]} from " if self.range and self.kind != Numbers else ""
        return SpecError(f"{game}: {self.name} expected {kind}{self.takes}, found {text!r}")

    def _value(self, text: str) -> Any:
        if self.choices:
            return next((choice for choice in self.choices if written(choice) == text), None)
        if self.kind is bool:
            return _TRUTH.get(text.lower())
        if self.kind is int:
            return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None
        if self.kind == Numbers:
            found = [_number(each) for each in text.split("/")]
            return None if None in found else tuple(found)
        return _number(text) if self.kind is float else text


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def written(value: Any) -> str:
    """A value as a spec writes it.

    >>> written(True), written(0.5), written(3.0), written("sum6"), written((2, 0.5))
    ('true', '0.5', '3', 'sum6', '2/0.5')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "/".join(map(written, value))
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def parameters_of(game: type[Any]) -> list[Parameter]:
    """The parameters of a game's constructor, in the order they are declared."""
    if "__init__" not in dir(game) or game.__init__ is object.__init__:
        return []
    signature = inspect.signature(game.__init__)
    try:
        hints = get_type_hints(_annotated(game), include_extras=True)
    except Exception as error:  # an annotation may be any expression, so it may raise anything
        raise SpecError(f"{game.__name__}: cannot read its parameters: {error}") from error
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    found = [each for each in list(signature.parameters.values())[1:] if each.kind in named]
    return [_parameter(game, each, hints.get(each.name)) for each in found]


def _annotated(game: type[Any]) -> Any:
    """Whatever holds the annotations: the fields of a dataclass, or else the constructor."""
    return game if dataclasses.is_dataclass(game) else game.__init__


def _parameter(game: type[Any], declared: inspect.Parameter, hint: Any) -> Parameter:
    """What an annotation says; without one the type of the default says it."""
    notes: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *rest = get_args(hint)
        notes = tuple(rest)
    if hint is None and declared.default is not REQUIRED:
        hint = type(declared.default)
    choices = get_args(hint) if get_origin(hint) is Literal else ()
    kind = type(choices[0]) if choices else hint
    if kind not in _KINDS:
        raise SpecError(
            f"{game.__name__}: parameter {declared.name} expected an annotation "
            f"int, float, bool, str, Numbers or Literal, found {'none' if hint is None else hint}"
        )
    limits = next((note for note in notes if isinstance(note, Range)), None)
    return Parameter(declared.name, kind, choices, limits, declared.default)


def read_all(game: str, known: list[Parameter], items: list[str]) -> dict[str, Any]:
    """The values that the `parameter=value` items of a spec give."""
    by_name = {parameter.name: parameter for parameter in known}
    values: dict[str, Any] = {}
    for item in items:
        name, equals, text = (part.strip() for part in item.partition("="))
        if not name or not equals or not text:
            raise SpecError(f"{game}: expected parameter=value, found {item!r}")
        if name not in by_name:
            raise SpecError(
                f"{game}: unknown parameter {name!r}{_hint(name, by_name)}; {_take(known)}"
            )
        if name in values:
            raise SpecError(f"{game}: expected {name} once, found it again as {item!r}")
        values[name] = by_name[name].read(text, game)
    for parameter in known:
        if parameter.default is REQUIRED and parameter.name not in values:
            raise SpecError(f"{game}: expected {parameter.name}={parameter.takes}, found no value")
    return values


def _take(known: list[Parameter]) -> str:
    listed = ", ".join(f"{parameter.name} ({parameter.takes})" for parameter in known)
    return f"it takes {listed or 'none'}"


def _hint(found: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(found, list(known), n=2)
    return f", did you mean {' or '.join(close)}?" if close else ""


def unknown(found: str, known: Iterable[str]) -> str:
    """The end of a message about a name that is not one of those known."""
    names = sorted(known)
    return f"found {found!r}{_hint(found, names)}; there are {', '.join(names) or 'none'}"
