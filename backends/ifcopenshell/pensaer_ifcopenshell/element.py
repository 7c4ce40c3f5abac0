"""One element whole: attributes, property sets, quantities, type, material, relations, placement."""

import ifcopenshell.util.element

from .bodies import filling_of, host_of, opening_of, storey_of
from .lookup import brief, id_of, name_of
from .querying import _box as box_of
from .querying import _shown as shown
from .querying import unit_of

_SHOWN = 40
_ELSEWHERE = ("id", "type", "GlobalId", "Name", "OwnerHistory", "ObjectPlacement", "Representation")
_ELSEWHERE += ("HasPropertySets", "RepresentationMaps")


def get(author, element, include):
    """The sections asked for; all of them, if none is."""
    sections = {
        "attributes": _attributes,
        "psets": lambda a, e: _sets(a, e, psets_only=True),
        "quantities": lambda a, e: _sets(a, e, qtos_only=True),
        "type": _type,
        "material": _material,
        "relations": _relations,
        "geometry": _geometry,
    }
    answer = {"id": id_of(element)}
    if name := name_of(element):
        answer["name"] = name
    answer["class"] = element.is_a()
    for section, read in sections.items():
        if not include or section in include:
            if given := read(author, element):
                answer[section] = given
    return answer


def _attributes(author, element):
    found = {}
    for name, value in element.get_info(recursive=False).items():
        if name in _ELSEWHERE or value is None:
            continue
        if hasattr(value, "is_a"):
            value = brief(value) if getattr(value, "GlobalId", None) else f"{value.is_a()} #{value.id()}"
        else:
            value = shown(value)
        if value is None:
            continue
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        unit = unit_of(author, element, name) if number else None
        found[name] = value if unit is None else {"value": value, "unit": unit}
    return found


def _sets(author, element, **which):
    found = {}
    for name, values in ifcopenshell.util.element.get_psets(element, **which).items():
        entry = {}
        for key, value in values.items():
            if key == "id" or (value := shown(value)) is None:
                continue
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            unit = unit_of(author, element, f"{name}.{key}") if number else None
            entry[key] = value if unit is None else {"value": value, "unit": unit}
        if entry:
            found[name] = entry
    return found


def _type(_author, element):
    kind = ifcopenshell.util.element.get_type(element)
    return None if kind is None or kind == element else brief(kind)


def _material(author, element):
    material = ifcopenshell.util.element.get_material(element, should_skip_usage=True)
    if material is None:
        return None
    found = {"name": name_of(material), "class": material.is_a()}
    if material.is_a("IfcMaterialLayerSet"):
        found["layers"] = [
            {"material": layer.Material and name_of(layer.Material), "thickness": shown(layer.LayerThickness)}
            for layer in material.MaterialLayers
        ]
        found["unit"] = author.unit_label("LENGTHUNIT")
    elif not material.is_a("IfcMaterial"):
        found["materials"] = [name_of(m) for m in ifcopenshell.util.element.get_materials(element)]
    return {name: value for name, value in found.items() if value is not None}


def _relations(_author, element):
    util = ifcopenshell.util.element
    found = {}
    storey = storey_of(element) if element.is_a("IfcProduct") else None
    storey = None if storey == element else storey
    opening = opening_of(element)
    container = util.get_container(element, should_get_direct=True)
    whole = util.get_aggregate(element)
    one = {
        "container": None if container == storey else container,
        "storey": storey,
        "part_of": None if whole == storey else whole,
        "fills": opening,
        "host": host_of(element) or (host_of(opening) if opening is not None else None),
    }
    found |= {name: brief(other) for name, other in one.items() if other is not None}
    filled_by = filling_of(element)
    many = {
        "parts": util.get_parts(element) or [],
        "contains": util.get_contained(element),
        "openings": [r.RelatedOpeningElement for r in getattr(element, "HasOpenings", ())],
        "filled_by": [filled_by] if filled_by is not None else [],
        "groups": util.get_groups(element),
    }
    for name, others in many.items():
        listed = [brief(other) for other in others[:_SHOWN]]
        for entry, other in zip(listed, others):
            if name == "openings" and (filling := filling_of(other)) is not None:
                entry["filled_by"] = [brief(filling)]
        if len(others) > _SHOWN:
            listed.append(f"and {len(others) - _SHOWN} more")
        if listed:
            found[name] = listed
    return found


def _geometry(author, element):
    if getattr(element, "ObjectPlacement", None) is None:
        return None
    frame = author.frame(element)

    def listed(column):
        return [shown(round(float(c), 9)) for c in frame[:3, column]]

    found = {"origin": [shown(round(float(c), 6)) for c in frame[:3, 3]]}
    if listed(0) != [1, 0, 0] or listed(2) != [0, 0, 1]:
        found |= {"x_axis": listed(0), "z_axis": listed(2)}
    if (bbox := box_of(element)) is not None:
        found["bbox"] = bbox
    found["unit"] = "mm"
    shape = getattr(element, "Representation", None)
    kinds = [
        f"{r.RepresentationIdentifier}: {r.RepresentationType}"
        for r in (shape.Representations if shape else ())
        if r.RepresentationIdentifier and r.RepresentationType
    ]
    if kinds:
        found["representations"] = kinds
    return found
