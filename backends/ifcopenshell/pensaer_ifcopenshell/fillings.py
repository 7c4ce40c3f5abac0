"""Doors and windows: a frame and its leaf or pane as solids, a type shared by those of one size and operation, placed in an
opening and held by the storey of the wall. x runs along the wall, z up, y through it; a door opens toward +y."""

import ifcopenshell.util.element
import numpy

from . import filling_types
from .author import frame_at
from .bodies import storey_of
from .fault import invalid, near_matches
from .filling_types import CASEMENT_DEPTH, DEPTH, LEAF, THRESHOLD
from .lookup import unnamed
from .outlines import given_name

#: Thickness of the glass in mm.
_GLASS = 24.0

QUANTITIES = {"IfcDoor": "Qto_DoorBaseQuantities", "IfcWindow": "Qto_WindowBaseQuantities"}


def inset(depth):
    """How far inside the wall's right face a frame begins."""
    return (depth - min(depth, DEPTH)) / 2


def create(author, host, opening, ifc_class, width, height, depth, operation, name):
    """Makes the door or window of an opening."""
    operation = _operation(author, ifc_class, operation)
    noun = ifc_class[3:]
    window = ifc_class == "IfcWindow"
    external = ifcopenshell.util.element.get_pset(host, "Pset_WallCommon", "IsExternal")
    threshold = bool(external) and not window
    placement = author.placement(opening.ObjectPlacement, frame_at((0, inset(depth), 0)))
    filling = author.root(
        ifc_class,
        given_name("name", name) if name is not None else unnamed(author.model, ifc_class, noun),
        ObjectPlacement=placement,
        Representation=author.shape([body(author, window, width, height, depth, operation, threshold)]),
        OverallHeight=author.length(height),
        OverallWidth=author.length(width),
    )
    author.root("IfcRelFillsElement", RelatingOpeningElement=opening, RelatedBuildingElement=filling)
    container = ifcopenshell.util.element.get_container(host, should_get_direct=True) or storey_of(host)
    if container is not None:
        author.contain(container, filling)
    filling_types.dress(author, filling, width, height, depth, operation, threshold)
    if external is not None:
        author.describe(filling, f"Pset_{noun}Common", IsExternal=("IfcBoolean", bool(external)))
    quantify(author, filling, width, height)
    return filling


def reshape(author, filling, width, height, depth):
    """Writes a door's or window's size, shape, type and quantities anew."""
    window = bool(filling.is_a("IfcWindow"))
    operation = _stated(filling) or _usual(filling.is_a())
    kind = ifcopenshell.util.element.get_type(filling)
    title = (kind.Name or "") if kind is not None else ""
    ours = title.startswith(filling.is_a()[3:]) and " mm" in title
    threshold = ours and title.endswith("threshold")
    author.draw(filling, body(author, window, width, height, depth, operation, threshold))
    filling.OverallHeight, filling.OverallWidth = author.length(height), author.length(width)
    if ours:
        author.leave(filling, "IfcRelDefinesByType")
        filling_types.dress(author, filling, width, height, depth, operation, threshold)
    if author.is_ours(filling, QUANTITIES[filling.is_a()]):
        quantify(author, filling, width, height)


def _stated(filling):
    """How it opens or is parted: its type says it, in older files itself."""
    for owner in (ifcopenshell.util.element.get_type(filling), filling):
        for attribute in ("PartitioningType", "OperationType"):
            value = getattr(owner, attribute, None)
            if value not in (None, "NOTDEFINED"):
                return value
    return None


def _usual(ifc_class):
    return "SINGLE_PANEL" if ifc_class == "IfcWindow" else "SINGLE_SWING_LEFT"


def _operation(author, ifc_class, given):
    """How it opens or is parted, as the schema's enumeration says it."""
    if given is None:
        return _usual(ifc_class)
    given = given.strip().upper().replace(" ", "_").replace("-", "_")
    if author.legacy:
        owner, attribute = ifc_class + "Style", "OperationType"
    else:
        owner = ifc_class
        attribute = "PartitioningType" if ifc_class == "IfcWindow" else "OperationType"
    declared = author.model_schema().declaration_by_name(owner).as_entity().all_attributes()
    kind = next(a for a in declared if a.name() == attribute).type_of_attribute()
    allowed = list(kind.declared_type().as_enumeration_type().enumeration_items())
    if given in allowed:
        return given
    near = near_matches(given, allowed)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise invalid(
        "operation_type", f"`operation_type` {given} is not one of {owner}.{attribute}.{hint}", allowed=allowed
    )


def quantify(author, filling, width, height):
    """Writes its quantities."""
    author.quantify(
        filling,
        QUANTITIES[filling.is_a()],
        {
            "Width": ("length", width),
            "Height": ("length", height),
            "Perimeter": ("length", 2 * (width + height)),
            "Area": ("area", width * height),
        },
    )


def body(author, window, w, h, wall, operation, threshold):
    """Lining and panels as solids, upright in the plane x–z, extruded through the wall."""
    depth = min(wall, DEPTH)
    lining, _ = filling_types.frames(window, w, h)

    def plane(y):
        # the plane's normal is -y, so that its own x and y are the wall's x and z
        frame = numpy.eye(4)
        frame[:3, 1], frame[:3, 2], frame[:3, 3] = (0, 0, 1), (0, -1, 0), (0, y, 0)
        return frame

    def box(x0, z0, x1, z1):
        return [(x0, z0), (x1, z0), (x1, z1), (x0, z1)]

    def middle(outline, thickness, holes=()):
        thickness = min(thickness, depth)
        return author.extrusion(plane((depth + thickness) / 2), outline, thickness, holes)

    if window:
        cells = filling_types.cells(w, h, operation)
        solids = [author.extrusion(plane(depth), box(0.0, 0.0, w, h), depth, [box(*cell) for cell in cells])]
        for cell in cells:
            glass = box(*filling_types.glass_of(cell, w, h))
            solids += [middle(box(*cell), CASEMENT_DEPTH, [glass]), middle(glass, _GLASS)]
        return author.body(solids)
    bottom = min(THRESHOLD, h / 8) if threshold else 0.0
    left, right, top = lining, w - lining, h - lining
    if threshold:
        solids = [author.extrusion(plane(depth), box(0.0, 0.0, w, h), depth, [box(left, bottom, right, top)])]
    else:
        outline = [(0.0, 0.0), (left, 0.0), (left, top), (right, top), (right, 0.0), (w, 0.0), (w, h), (0.0, h)]
        solids = [author.extrusion(plane(depth), outline, depth)]
    leaves = filling_types.leaves(operation)
    part = (right - left) / len(leaves)
    for at in range(len(leaves)):
        x = left + part * at
        solids.append(middle(box(x, bottom, x + part, top), LEAF))
    return author.body(solids)
