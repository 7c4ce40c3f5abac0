"""Finding elements with a selector, and saying what is asked of them: rows of fields, or numbers over all of them."""

import ifcopenshell.geom
import ifcopenshell.util.element
import ifcopenshell.util.placement
import ifcopenshell.util.selector
import ifcopenshell.util.shape
import ifcopenshell.util.unit
import numpy

from .bodies import storey_of
from .fault import invalid
from .lookup import brief, name_of

_MOST, _MOST_FIELDS, _BUDGET = 500, 24, 24_000
_FUNCTIONS = {"total": "sum", "average": "avg", "mean": "avg"}


def query(author, selector, fields, aggregate, sort, limit, cursor):
    """Answers rows or groups."""
    model = author.model
    found = select(model, selector)
    answer = {"total": len(found)}
    if aggregate is not None:
        parts = [_parse(text) for text in ([aggregate] if isinstance(aggregate, str) else aggregate)]
        if not parts:
            raise invalid("aggregate", "Name at least one aggregate, such as count.")
        return answer | {"groups": _groups(author, found, parts)}
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
        answer["notes"] = [f"None of these elements has {name}." for name in missing]
    return answer


def select(model, selector):
    """The elements that a selector finds, in the order of the file."""
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
    if function not in ("count", "sum", "min", "max", "avg") or (not field and function != "count"):
        raise invalid(
            "aggregate",
            f"`{text}` is no aggregate; write count, or sum, avg, min or max and a field, as in "
            "`sum Qto_WallBaseQuantities.Length by storey`.",
        )
    return head.strip(), function, field, [part.strip() for part in by.split(",") if part.strip()]


def _groups(author, found, parts):
    by = max((part[3] for part in parts), key=len)
    members = {(): []} if not by else {}
    for element in found:
        members.setdefault(tuple(str(value(author, element, field)) for field in by), []).append(element)
    groups = []
    for _, elements in sorted(members.items()):
        group = {field: value(author, elements[0], field) for field in by}
        for label, function, field, _ in parts:
            if not field:
                group[label] = len(elements)
                continue
            values = [v for v in (value(author, element, field) for element in elements) if v is not None]
            numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
            if function == "count":
                group[label] = len(values)
            elif numbers:
                over = {"sum": sum, "min": min, "max": max, "avg": lambda n: sum(n) / len(n)}[function]
                group[label] = _shown(float(over(numbers)))
        groups.append(group)
    return groups[:_MOST]
