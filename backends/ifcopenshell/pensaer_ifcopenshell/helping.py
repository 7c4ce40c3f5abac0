"""Lines of IfcOpenShell's API that help where a script failed, and the section of the documentation that has more."""

import difflib
import inspect
import re
import sys
import types

_PACKAGE = "ifcopenshell."
_LINES, _LONGEST = 3, 240


def lines(error):
    """Facts for a Fault: `api`, up to three lines, and `section`; none where nothing is known that helps."""
    message = str(error)
    found = _of_help(message) or _of_attribute(error, message) or _of_call(error, message)
    if not found:
        return {}
    facts = {"api": [_line(name, value) for name, value in found[:_LINES]]}
    name = found[0][0]
    if name.startswith(_PACKAGE):
        facts["section"] = f"ifcopenshell/{name.removeprefix(_PACKAGE)}"
    return facts


def _of_help(message):
    """The function whose help the API itself names."""
    named = re.search(r"See help\((ifcopenshell[\w.]+)\)", message)
    value = _value(named.group(1)) if named else None
    return [(named.group(1), value)] if value is not None else []


def _of_attribute(error, message):
    """What a module or an instance has that is called most like what was asked for."""
    if not isinstance(error, AttributeError):
        return []
    asked = re.search(r"has no attribute '(\w+)'", message)
    name = getattr(error, "name", None) or (asked.group(1) if asked else None)
    module = re.search(r"module '(ifcopenshell[\w.]*)'", message)
    owner = sys.modules.get(module.group(1)) if module else getattr(error, "obj", None)
    if not name or owner is None:
        return []
    if isinstance(owner, types.ModuleType):
        known = {own: value for own, value in vars(owner).items() if not own.startswith("_")}
        prefix = owner.__name__
    else:
        known = {own: getattr(type(owner), own, None) for own in dir(owner) if not own.startswith("_")}
        prefix = f"{type(owner).__module__}.{type(owner).__name__}"
    near = difflib.get_close_matches(name, known, n=_LINES, cutoff=0.5)
    return [(f"{prefix}.{own}", known[own]) for own in near]


def _of_call(error, message):
    """The function of the package that was called with other arguments than it takes."""
    if not isinstance(error, TypeError):
        return []
    called = re.match(r"(?:\w+\.)*(\w+)\(\) (?:got|missing|takes)", message)
    if not called:
        return []
    name = called.group(1)
    for module in sorted(own for own in sys.modules if own.startswith((f"{_PACKAGE}api.", f"{_PACKAGE}util."))):
        value = vars(sys.modules[module]).get(name)
        if inspect.isfunction(value) and not module.endswith(f".{name}"):
            return [(f"{module}.{name}", value)]
    return []


def _value(name):
    """The function of a dotted name; none where there is none."""
    module, _, last = name.rpartition(".")
    return getattr(sys.modules.get(module), last, None)


def _line(name, value):
    """A function on one line: its name, what it takes, the first line of what it says of itself."""
    try:
        taken = str(inspect.signature(value)) if callable(value) else ""
    except (TypeError, ValueError):
        taken = ""
    taken = re.sub(r"ifcopenshell\.(?:ifcopenshell_wrapper\.)?(file|entity_instance)", r"\1", taken)
    said = (inspect.getdoc(value) or "").strip().split("\n")[0] if callable(value) else ""
    line = f"{name}{taken}" + (f": {said}" if said else "")
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
