"""Setting properties and quantities of elements, so that only these elements change."""

import ifcopenshell.util.element
import ifcopenshell.util.pset

from .fault import constraint, invalid, near_matches
from .lookup import brief, by_exact_id, id_of

_SHOWN = 20


def set_properties(author, ids, name, given):
    """Sets properties of the elements with these ids; answers what was written, read back."""
    if not ids:
        raise invalid("element_ids", "Name at least one element.")
    if not name.strip():
        raise invalid("pset", "Name the property set, such as Pset_WallCommon.")
    if not given:
        raise invalid("properties", 'Give at least one property, such as {"FireRating": "F90"}.')
    elements = []
    for text in ids:
        element = by_exact_id(author.model, text)
        if element not in elements:
            elements.append(element)
    set_of(author, elements, name, given)
    read = {key: plain(elements[0], name, key) for key in given}
    answer = {
        "element_ids": [id_of(element) for element in elements[:_SHOWN]],
        "pset": name,
        "properties": {key: value for key, value in read.items() if value is not None},
    }
    if notes := _notes(author, name, given, elements):
        answer["notes"] = notes
    return answer


def plain(element, name, key):
    """A property as it stands, the type's included."""
    return ifcopenshell.util.element.get_pset(element, name, key)


def set_of(author, elements, name, given):
    """Sets properties of elements in one set; null removes."""
    for element in elements:
        if not (element.is_a("IfcObject") or element.is_a("IfcTypeObject") or element.is_a("IfcContext")):
            raise invalid(
                "element_ids", f"An {element.is_a()} has no property sets.", element_id=id_of(element)
            )
        _set(author, element, name, given)


def _set(author, element, name, given):
    is_type = bool(element.is_a("IfcTypeObject"))
    existing = _own(author, element, name, is_type)
    is_quantity = existing.is_a("IfcElementQuantity") if existing else name.startswith("Qto_")
    attribute = "Quantities" if is_quantity else "HasProperties"
    members = list(getattr(existing, attribute)) if existing else []
    for key, value in given.items():
        known = next((member for member in members if member.Name == key), None)
        if value is None:
            if known is None:
                _refuse_inherited(element, name, key)
                continue
            members = [member for member in members if member != known]
            continue
        new = (_quantity if is_quantity else _property)(author, name, key, value, known)
        if known is None:
            members.append(new)
        elif new != known:
            members[members.index(known)] = new
    if existing is None:
        if not members:
            return
        made = author.root("IfcElementQuantity" if is_quantity else "IfcPropertySet", name, **{attribute: members})
        if is_type:
            element.HasPropertySets = [*(element.HasPropertySets or ()), made]
        else:
            author.define(element, made)
        return
    before = list(getattr(existing, attribute))
    if not members:
        if is_type:
            element.HasPropertySets = [s for s in element.HasPropertySets if s != existing] or None
        for relation in list(author.model.get_inverse(existing)):
            if relation.is_a("IfcRelDefinesByProperties"):
                author.model.remove(relation)
        author.sweep([existing])
    elif members != before:
        setattr(existing, attribute, members)
        author.sweep([member for member in before if member not in members])


def _own(author, element, name, is_type):
    """The set of this name that only this element has; one that is shared is copied for it."""
    if is_type:
        return next((s for s in element.HasPropertySets or () if s.Name == name), None)
    found = author.own_set(element, name)
    if found is not None:
        return found
    for relation in author.model.get_inverse(element):
        if not relation.is_a("IfcRelDefinesByProperties"):
            continue
        shared = relation.RelatingPropertyDefinition
        if not shared.is_a("IfcPropertySetDefinition") or shared.Name != name:
            continue
        left = [other for other in relation.RelatedObjects if other != element]
        if left:
            relation.RelatedObjects = left
        else:
            author.model.remove(relation)
        attribute = "Quantities" if shared.is_a("IfcElementQuantity") else "HasProperties"
        copies = [
            author.create(member.is_a(), **{a: v for a, v in member.get_info().items() if a not in ("id", "type")})
            for member in getattr(shared, attribute)
        ]
        more = {"MethodOfMeasurement": shared.MethodOfMeasurement} if attribute == "Quantities" else {}
        copy = author.root(shared.is_a(), name, Description=shared.Description, **{attribute: copies}, **more)
        author.define(element, copy)
        return copy
    return None


def _refuse_inherited(element, name, key):
    kind = ifcopenshell.util.element.get_type(element)
    if kind is not None and plain(kind, name, key) is not None:
        raise constraint(
            f"{name}.{key} comes from the type; take it away there, or give the element a value of its own.",
            type=brief(kind),
        )


def _template(author, name, key):
    templates = ifcopenshell.util.pset.get_template(author.model.schema_identifier)
    found = templates.get_by_name(name)
    if found is None:
        return None
    return next((t for t in found.HasPropertyTemplates or () if t.Name == key), None)


def _property(author, name, key, given, known):
    kind = None
    if isinstance(given, dict):
        if set(given) - {"value", "type"} or "value" not in given:
            raise invalid(f"properties.{key}", f"{key}: a plain value, a list or null is expected, not an object.")
        kind, given = given.get("type"), given["value"]
    template = _template(author, name, key)
    if known is not None and kind is None and known.is_a("IfcPropertySingleValue") and known.NominalValue is not None:
        kind = known.NominalValue.is_a()
    if kind is None and template is not None:
        kind = getattr(template, "PrimaryMeasureType", None)
    enumerated = template is not None and getattr(template, "TemplateType", None) == "P_ENUMERATEDVALUE"
    if isinstance(given, list) or (enumerated and isinstance(given, str)):
        values = [_value(author, key, member, kind) for member in (given if isinstance(given, list) else [given])]
        if enumerated:
            allowed = [v.wrappedValue for v in template.Enumerators.EnumerationValues]
            for value in values:
                if value.wrappedValue not in allowed:
                    raise invalid(
                        f"properties.{key}",
                        f"{key}: {value.wrappedValue!r} is not one of {', '.join(map(str, allowed))}.",
                        allowed=allowed,
                    )
            return author.create("IfcPropertyEnumeratedValue", Name=key, EnumerationValues=values)
        return author.create("IfcPropertyListValue", Name=key, ListValues=values)
    value = _value(author, key, given, kind)
    if known is not None and known.is_a("IfcPropertySingleValue"):
        known.NominalValue = value
        return known
    return author.create("IfcPropertySingleValue", Name=key, NominalValue=value)


def _value(author, key, given, kind):
    usual = {bool: "IfcBoolean", int: "IfcInteger", float: "IfcReal", str: "IfcLabel"}
    if type(given) not in usual:
        raise invalid(f"properties.{key}", f"{key}: a plain value, a list or null is expected.")
    for attempt in [kind] if kind else [usual[type(given)]]:
        value = given
        try:
            return author.model.create_entity(attempt, value)
        except (RuntimeError, TypeError, ValueError):
            if isinstance(value, int) and not isinstance(value, bool):
                try:
                    return author.model.create_entity(attempt, float(value))
                except (RuntimeError, TypeError, ValueError):
                    pass
    raise invalid(f"properties.{key}", f"{key}: {given!r} cannot be an {kind}.", type=kind)


def _quantity(author, name, key, given, known):
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise invalid(f"properties.{key}", f"{key}: a quantity is a number, not {given!r}.")
    if known is not None:
        known[3] = int(given) if known.is_a("IfcQuantityCount") and author.model.schema == "IFC4X3" else float(given)
        return known
    template = _template(author, name, key)
    kinds = {
        "Q_LENGTH": "IfcQuantityLength",
        "Q_AREA": "IfcQuantityArea",
        "Q_VOLUME": "IfcQuantityVolume",
        "Q_COUNT": "IfcQuantityCount",
        "Q_WEIGHT": "IfcQuantityWeight",
        "Q_TIME": "IfcQuantityTime",
    }
    ifc_class = kinds.get(getattr(template, "TemplateType", None))
    if ifc_class is None:
        words = {"area": "Area", "volume": "Volume", "count": "Count", "weight": "Weight"}
        ifc_class = "IfcQuantity" + next((c for w, c in words.items() if w in key.lower()), "Length")
    attribute = ifc_class.removeprefix("IfcQuantity") + "Value"
    value = int(given) if ifc_class == "IfcQuantityCount" and author.model.schema == "IFC4X3" else float(given)
    return author.create(ifc_class, **{"Name": key, attribute: value})


def _notes(author, name, given, elements):
    notes = []
    template = ifcopenshell.util.pset.get_template(author.model.schema_identifier).get_by_name(name)
    if template is not None:
        names = [t.Name for t in template.HasPropertyTemplates or ()]
        for key, value in given.items():
            if value is not None and key not in names:
                near = near_matches(key, names)
                hint = f"; near: {', '.join(near)}" if near else ""
                notes.append(f"{key} is not in buildingSMART's {name}{hint}.")
    elif name.startswith(("Pset_", "Qto_")):
        notes.append(f"{name} is no set of buildingSMART, whose prefix it has.")
    if len(elements) > _SHOWN:
        notes.append(f"{len(elements)} elements changed; the first {_SHOWN} are listed.")
    return notes
