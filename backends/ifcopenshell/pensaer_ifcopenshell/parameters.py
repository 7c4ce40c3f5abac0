"""Arguments as agents write them: what an operation's signature says, read strictly.

The annotations of an operation are its schema: `float` and `int` are finite numbers, `str` and `bool` themselves,
`list[…]` lists, `Literal[…]` one of some words, `dict` an object, `Any` anything; `| None` may be left out.
"""

import functools
import inspect
import math
import types
import typing

from .fault import invalid, near_matches

#: A point [x, y] or [x, y, z] in mm.
Point = list[float]


@functools.cache
def schema_of(function):
    """The parameters of an operation: name → (annotation, whether it has to be given)."""
    hints = typing.get_type_hints(inspect.unwrap(function))
    return {
        name: (hints.get(name, typing.Any), parameter.default is inspect.Parameter.empty)
        for name, parameter in inspect.signature(function).parameters.items()
        if name != "self"
    }


def read(function, arguments):
    """The arguments for a call of an operation, or the Fault that says which of them is wrong."""
    if not isinstance(arguments, dict):
        raise invalid("", "The arguments must be a JSON object of named parameters.")
    known = schema_of(function)
    for name in arguments:
        if name not in known:
            near = near_matches(name, known)
            hint = f"did you mean `{near[0]}`?" if near else f"it takes: {', '.join(known)}."
            raise invalid(
                name, f"Unknown parameter `{name}`; {hint}", near_matches=near, allowed=list(known)
            )
    for name, (_, needed) in known.items():
        if needed and arguments.get(name) is None:
            raise invalid("", f"Missing field `{name}`.", allowed=list(known))
    return {name: checked(name, value, known[name][0]) for name, value in arguments.items() if value is not None}


def checked(field, value, annotation):
    """The value, if it is what the annotation says."""
    if annotation is typing.Any:
        return value
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        options = [option for option in typing.get_args(annotation) if option is not type(None)]
        if len(options) == 1:
            return checked(field, value, options[0])
        for option in options:
            if isinstance(value, typing.get_origin(option) or option):
                return checked(field, value, option)
        return checked(field, value, options[-1])
    if origin is typing.Literal:
        return _word(field, value, typing.get_args(annotation))
    if origin is list:
        if not isinstance(value, (list, tuple)):
            raise _wrong(field, value, "a list")
        (inner,) = typing.get_args(annotation)
        return [checked(f"{field}[{at}]", member, inner) for at, member in enumerate(value)]
    if annotation is float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise _wrong(field, value, "a number")
        return float(value)
    if annotation is int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise _wrong(field, value, "a whole number")
        return value
    names = {str: "a text", bool: "true or false", dict: "an object"}
    if not isinstance(value, annotation):
        raise _wrong(field, value, names.get(annotation, annotation.__name__))
    return value


def _word(field, value, words):
    spellings = {"center": "centre"}
    for word in words:
        if value == word or (isinstance(value, str) and spellings.get(value) == word):
            return word
    near = near_matches(str(value), [str(word) for word in words])
    hint = f" Did you mean {near[0]}?" if near else ""
    raise invalid(
        field, f"Parameter `{field}`: {value!r} is not one of {', '.join(map(str, words))}.{hint}", allowed=list(words)
    )


def _wrong(field, value, expected):
    shown = repr(value)
    shown = shown if len(shown) <= 80 else shown[:77] + "…"
    return invalid(field, f"Parameter `{field}`: {expected} is expected, not {shown}.")
