"""Finding what an agent means: a GlobalId, a UUID, or a name where only one element bears it. What is not found comes
back as a Fault with the nearest names, so that the next call is right."""

import re

import ifcopenshell.guid

from .fault import Fault, FaultCode, constraint, invalid, near_matches

_CANDIDATES = 10


def label(element):
    """A name to speak of an element by."""
    return getattr(element, "Name", None) or f"#{element.id()}"


def brief(element):
    """Id, name and class of an element."""
    answer = {"id": id_of(element)}
    if name := name_of(element):
        answer["name"] = name
    answer["class"] = element.is_a()
    return answer


def id_of(element):
    """Its GlobalId, else its number in the file."""
    return getattr(element, "GlobalId", None) or f"#{element.id()}"


def name_of(element):
    """What an instance is called; an empty name is none."""
    name = getattr(element, "Name", None) or getattr(element, "LayerSetName", None)
    return name if isinstance(name, str) and name.strip() else None


def by_id(model, text):
    """The instance with this GlobalId, UUID or `#12`; `None` where there is none."""
    text = text.strip()
    plain = text.strip("{}").replace("-", "")
    if re.fullmatch(r"[0-9a-fA-F]{32}", plain):
        text = ifcopenshell.guid.compress(plain.lower())
    try:
        if re.fullmatch(r"#\d{1,9}", text):
            return model.by_id(int(text[1:]))
        if re.fullmatch(r"[0-3][0-9A-Za-z_$]{21}", text):
            return model.by_guid(text)
    except RuntimeError:
        pass
    return None


def element(model, field, text, classes=("IfcProduct",), noun="an element of the building"):
    """The element that a parameter means."""
    text = text.strip()
    found = by_id(model, text)
    if found is not None:
        if any(_is(found, ifc_class) for ifc_class in classes):
            return found
        raise invalid(
            field,
            f"`{field}` must be {noun}, but {text} is an {found.is_a()} ({label(found)}).",
            **{"class": found.is_a()},
        )
    every = [e for ifc_class in classes for e in _of_class(model, ifc_class)]
    named = [e for e in every if getattr(e, "Name", None)]
    matches = [e for e in named if e.Name == text] or [e for e in named if e.Name.lower() == text.lower()]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise invalid(
            field,
            f"{len(matches)} elements are named {text}; give `{field}` as one of their ids.",
            candidates=[brief(e) for e in matches[:_CANDIDATES]],
        )
    near = near_matches(text, sorted({e.Name for e in named}))
    hint = f"Did you mean {near[0]}?" if near else "Find ids with query_elements."
    shown = [e for e in named if e.Name in near] if near else every
    raise Fault(
        FaultCode.ELEMENT_NOT_FOUND,
        f"`{field}`: {text} is neither the id nor the name of {noun} in this model. {hint}",
        field=field,
        element_id=text,
        near_matches=near,
        candidates=[brief(e) for e in shown[:_CANDIDATES]],
    )


def by_exact_id(model, text):
    """The element with this id; a name is refused with the ids of those that bear it."""
    found = by_id(model, text)
    if found is not None:
        return found
    named = [e for e in model.by_type("IfcProduct") if (e.Name or "").lower() == text.strip().lower()]
    message = f"No element with the id {text} in this model. Find ids with query_elements."
    if named:
        message = f"{text} is a name, not an id; use the id of the element that you mean."
    raise Fault(
        FaultCode.ELEMENT_NOT_FOUND,
        message,
        element_id=text,
        near_matches=[brief(e) for e in named[:5]] or None,
    )


def storey(model, field, text):
    """The storey that `level_id` means."""
    if not model.by_type("IfcBuildingStorey"):
        raise constraint(
            "This model has no storey yet. Make one with create_level, then give its id or name as level_id.",
            field=field,
        )
    return element(model, field, text, ("IfcBuildingStorey",), "a storey")


def unnamed(model, ifc_class, noun):
    """The next free name of a class, such as `Wall 4`."""
    names = {e.Name for e in _of_class(model, ifc_class) if e.Name}
    number = len(names) + 1
    while f"{noun} {number}" in names:
        number += 1
    return f"{noun} {number}"


def _is(instance, ifc_class):
    return bool(instance.is_a(ifc_class))


def _of_class(model, ifc_class):
    try:
        return model.by_type(ifc_class)
    except RuntimeError:  # no such class in this schema
        return []
