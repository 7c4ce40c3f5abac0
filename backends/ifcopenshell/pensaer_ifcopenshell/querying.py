"""Finding elements with a selector, and saying what is asked of them: rows of fields, or numbers over all of them."""

import re

import ifcopenshell.geom
import ifcopenshell.util.element
import ifcopenshell.util.placement
import ifcopenshell.util.selector
import ifcopenshell.util.shape
import ifcopenshell.util.unit
import numpy

from .bodies import storey_of
from .fault import Fault, FaultCode, invalid
from .lookup import brief, name_of

_MOST, _MOST_FIELDS, _BUDGET = 500, 24, 24_000
#: Texts in quotes, and a comparison of what only shapes tell.
_TEXTS = re.compile(r'"(?:\\.|[^"\\])*"')
_COMPUTED = re.compile(
    r"(?:^|[,+])\s*(volume|area|surface|thickness|profile|layers|facing|bearing|x|y|z)\s*(?=!?\*?=|[<>])"
)
_FUNCTIONS = {"total": "sum", "average": "avg", "mean": "avg", "percent": "share"}


def query(author, selector, fields, aggregate, sort, limit, cursor):
    """Answers rows or groups."""
    model = author.model
    found = select(model, selector)
    answer = {"total": len(found)}
    if aggregate is not None:
        parts = [_parse(text) for text in ([aggregate] if isinstance(aggregate, str) else aggregate)]
        if not parts:
            raise invalid("aggregate", "Name at least one aggregate, such as count.")
        groups, units = _groups(author, found, parts)
        return answer | {"groups": groups} | ({"units": units} if units else {})
    names = ["class", "storey"] if fields is None else fields
    if len(names) > _MOST_FIELDS:
        raise invalid("fields", f"Ask for at most {_MOST_FIELDS} fields; these are {len(names)}.")
    for key in reversed([sort] if isinstance(sort, str) else sort or []):
        # what has no value comes last either way
        values = [(value(author, element, key.removeprefix("-")), element) for element in found]
        given = [(v, e) for v, e in values if v is not None]
        given.sort(key=lambda pair: _order(pair[0]), reverse=key.startswith("-"))
        found = [e for _, e in given] + [e for v, e in values if v is None]
    try:
        start = int(cursor or 0)
    except ValueError:
        raise invalid(
            "cursor", "Give the `next_cursor` of the answer before, or leave it out to begin anew."
        ) from None
    rows, units, spent = [], {}, 0
    for element in found[start : start + min(max(limit, 1), _MOST)]:
        row = brief(element)
        del row["class"]
        for name in names:
            given = value(author, element, name)
            if given is None:
                continue
            if name not in row:
                row[name] = given
            measured = name == "bbox" or (isinstance(given, (int, float)) and not isinstance(given, bool))
            if measured and name not in units:
                if (unit := unit_of(author, element, name)) is not None:
                    units[name] = unit
        rows.append(row)
        spent += len(str(row))
        if spent > _BUDGET:
            break
    answer["rows"] = rows
    if units:
        answer["units"] = units
    if rows and start + len(rows) < len(found):
        answer["next_cursor"] = str(start + len(rows))
    missing = [name for name in names if found and not any(name in row for row in rows)]
    if missing:
        answer["notes"] = [_lacking(name, found) for name in missing]
    return answer


def _lacking(name, found):
    """Says whether an attribute is there and empty, or whether these elements have none of that name."""
    if any(hasattr(element, name) for element in found):
        return f"{name} is empty in all of these elements."
    return f"None of these elements has {name}."


def select(model, selector):
    """The elements that a selector finds, in the order of the file."""
    if found := _COMPUTED.search(_TEXTS.sub('""', selector)):
        raise Fault(
            FaultCode.NOT_SUPPORTED,
            f"`{found[1]}` is computed from shapes, which IfcOpenShell's selectors do not know: leave it out and compare "
            "stored quantities such as Qto_WallBaseQuantities.NetVolume, or use the native back end.",
            field="selector",
            computed=found[1],
        )
    try:
        found = ifcopenshell.util.selector.filter_elements(model, selector)
    except Exception as error:  # the selector's grammar raises what its parser and the schema do
        raise invalid("selector", f"The selector is wrong: {str(error).strip().splitlines()[0]}.") from error
    return sorted(found, key=lambda element: element.id())


def value(author, element, field):
    """The value of a field; `None` for nothing."""
    field = field.strip()
    if field in ("id", "global_id", "GlobalId"):
        return getattr(element, "GlobalId", None)
    if field == "class":
        return element.is_a()
    if field == "name":
        field = "Name"
    if field == "storey":
        return _shown(storey_of(element))
    if field in ("x", "y", "z"):
        placement = getattr(element, "ObjectPlacement", None)
        if placement is None:
            return None
        found = ifcopenshell.util.placement.get_local_placement(placement)["xyz".index(field), 3]
        return _shown(float(found) * author.length_mm)
    if field == "bbox":
        return _box(element)
    if field == "material":
        materials = ifcopenshell.util.element.get_materials(element)
        return _shown([name_of(m) for m in materials])
    if "." not in field and field[:1].islower() and field not in _KEYS:
        field = "".join(word[:1].upper() + word[1:] for word in field.split("_"))
    try:
        return _shown(ifcopenshell.util.selector.get_element_value(element, field))
    except Exception:  # a field that the element's class does not have
        return None


_KEYS = ("type", "container", "space", "building", "site", "parent", "predefined_type", "classification", "group")
_KEYS += ("system", "zone", "occurrences", "count", "materials", "types")


def _shown(given):
    if hasattr(given, "is_a"):
        return name_of(given) or getattr(given, "GlobalId", None) or f"#{given.id()}"
    if isinstance(given, (set, list, tuple)):
        members = []
        for member in map(_shown, given):
            if member is not None and member not in members:
                members.append(member)
        return None if not members else members[0] if len(members) == 1 else members[:50]
    if isinstance(given, dict):
        return {k: _shown(v) for k, v in given.items() if k != "id"}
    if isinstance(given, float):
        given = float(f"{given:.11e}")
        return int(given) if given.is_integer() and abs(given) < 1e15 else given
    return given if isinstance(given, (str, int, bool)) and given != "" else None


def _box(element):
    corners = list(_corners(element))
    if not corners:
        return None
    low, high = numpy.min(corners, axis=0), numpy.max(corners, axis=0)
    listed = [[_shown(round(float(c), 3)) for c in corner] for corner in (low, high, high - low)]
    return dict(zip(("min", "max", "size"), listed))


def _corners(element, depth=0):
    """The corners of an element's box, in mm; of one without a body, those of its parts."""
    if getattr(element, "Representation", None) is not None:
        settings = ifcopenshell.geom.settings()
        settings.set("use-world-coords", True)
        try:
            shape = ifcopenshell.geom.create_shape(settings, element)
        except RuntimeError:
            return
        vertices = ifcopenshell.util.shape.get_vertices(shape.geometry) * 1000
        yield vertices.min(axis=0)
        yield vertices.max(axis=0)
    elif element.is_a("IfcElement") and depth < 20:
        for relation in element.IsDecomposedBy:
            for part in relation.RelatedObjects:
                yield from _corners(part, depth + 1)


def unit_of(author, element, field):
    """What the numbers of a field are in."""
    if field in ("x", "y", "z", "bbox"):
        return "mm"
    kinds = {"Length": "LENGTHUNIT", "Area": "AREAUNIT", "Volume": "VOLUMEUNIT"}
    if "." in field:
        name, key = field.split(".", 1)
        pset = ifcopenshell.util.element.get_pset(element, name, key, verbose=True)
        kind = (pset or {}).get("class", "").removeprefix("IfcQuantity")
        kind = kind if kind in kinds else (pset or {}).get("value_type", "")
        kind = kind.removeprefix("Ifc").removesuffix("Measure").removeprefix("Positive")
        return author.unit_label(kinds[kind]) if kind in kinds else None
    kind = "LENGTHUNIT" if field in ("Elevation", "OverallHeight", "OverallWidth") else None
    return author.unit_label(kind) if kind else None


def _order(given):
    number = isinstance(given, (int, float)) and not isinstance(given, bool)
    return (0, given, "") if number else (1, 0, str(given).lower())


def _parse(text):
    """`sum Set.Property by storey, class`; parentheses around the field are fine."""
    head, _, by = text.strip().partition(" by ")
    function, _, field = head.replace("(", " ").replace(":", " ", 1).replace(")", "").partition(" ")
    function = _FUNCTIONS.get(function.strip().lower(), function.strip().lower())
    field = field.strip()
    if function not in ("count", "share", "sum", "min", "max", "avg") or (
        not field and function not in ("count", "share")
    ):
        raise invalid(
            "aggregate",
            f"`{text}` is no aggregate; write count or share, or sum, avg, min or max and a field, as in "
            "`sum Qto_WallBaseQuantities.Length by storey`.",
        )
    return head.strip(), function, field, [part.strip() for part in by.split(",") if part.strip()]


def _groups(author, found, parts):
    """Each grouping is answered, those that are asked for twice together; counts and sums with their shares in percent."""
    groupings = {}
    for part in parts:
        groupings.setdefault(tuple(part[3]), []).append(part)
    groups, units = [], {}
    for by, together in groupings.items():
        groups += _grouped(author, found, by, together, units)[: _MOST // len(groupings)]
    return groups, units


def _grouped(author, found, by, parts, units):
    members = {(): []} if not by else {}
    for element in found:
        key = tuple(str(value(author, element, field)).lower() for field in by)
        members.setdefault(key, []).append(element)
    for field in by:
        _note_unit(author, found, field, field, units)
    totals = [_amount(part, *_gather(author, found, part)) for part in parts]
    groups = []
    for _, elements in sorted(members.items()):
        group = {}
        for field in by:
            key = value(author, elements[0], field)
            group[field] = "(none)" if key is None else key
        for part, total in zip(parts, totals, strict=True):
            label, function, field, _ = part
            numbers, present = _gather(author, elements, part)
            if function == "count":
                group[label] = present
                units[label] = "elements"
            elif function != "share":
                if numbers:
                    over = {"sum": sum, "min": min, "max": max, "avg": lambda n: sum(n) / len(n)}[function]
                    group[label] = _shown(float(over(numbers)))
                _note_unit(author, found, field, label, units)
            if ((function in ("count", "sum") and by) or function == "share") and total > 0:
                share = label if function == "share" else f"share of {label}"
                group[share] = _shown(round(float(_amount(part, numbers, present) / total * 100), 2))
                units[share] = "%"
            if field and function != "count" and present < len(elements):
                group[f"without {field}"] = len(elements) - present
                units[f"without {field}"] = "elements"
        groups.append(group)
    return groups


def _gather(author, elements, part):
    """The numbers of elements, and how many of them have the field at all."""
    _, function, field, _ = part
    if not field:
        return [], len(elements)
    values = [v for v in (value(author, element, field) for element in elements) if v is not None]
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
    return ([] if function == "count" else numbers), len(values)


def _amount(part, numbers, present):
    """The quantity that shares are of."""
    return sum(numbers) if part[1] == "sum" or (part[1] == "share" and numbers) else present


def _note_unit(author, found, field, label, units):
    for element in found:
        given = value(author, element, field)
        if isinstance(given, (int, float)) and not isinstance(given, bool):
            if (unit := unit_of(author, element, field)) is not None:
                units[label] = unit
            return
