"""Slabs and flat roofs: floors, base slabs and landings extruded down from their top, a roof as a whole with a plate that
rests on its storey's level."""

import math

import ifcopenshell.util.element

from .author import frame_at, into, out_of
from .bodies import Slab, above_storey, level_name, openings
from .fault import constraint
from .lookup import label, unnamed
from .outlines import area, enlarged, given_name, mm, perimeter, positive, square_metres, written

QUANTITIES = "Qto_SlabBaseQuantities"
ROOF_QUANTITIES = "Qto_RoofBaseQuantities"
_CONCRETE = "Reinforced concrete"
_TITLES = {"FLOOR": "Floor slab", "ROOF": "Roof slab", "BASESLAB": "Base slab", "LANDING": "Landing"}


def write(author, within, frame, outline, top, thickness, kind, name, material):
    """Writes a slab within a placement whose frame in the world is `frame`; whole and storey are for the caller."""
    positive("thickness", thickness)
    flat = [tuple(into(frame, (x, y, frame[2, 3]))[:2]) for x, y in outline]
    placement = author.placement(within, frame_at((0, 0, top)))
    body = author.body([author.upright(flat, -thickness, thickness)])
    slab = author.root(
        "IfcSlab",
        given_name("name", name) if name is not None else unnamed(author.model, "IfcSlab", _TITLES[kind]),
        ObjectPlacement=placement,
        Representation=author.shape([body]),
    )
    dress(author, slab, kind, thickness, material)
    author.describe(
        slab,
        "Pset_SlabCommon",
        IsExternal=("IfcBoolean", kind in ("ROOF", "BASESLAB")),
        LoadBearing=("IfcBoolean", True),
    )
    quantify(author, slab)
    return slab


def dress(author, slab, kind, thickness, material):
    """Gives a slab its type and layer; layers lie from the underside up."""
    material = material or _CONCRETE
    title = f"{_TITLES[kind]} {written(thickness)} mm" + ("" if material == _CONCRETE else f", {material}")
    author.layered(slab, "IfcSlabType", title, kind, material, thickness, "AXIS3", -thickness)


def quantify(author, element):
    """Writes a slab's quantities from its outline and openings."""
    slab = Slab.read(author, element)
    gross, around = area(slab.outline), perimeter(slab.outline)
    net = gross - sum(e.size(0) * e.size(1) for _, e in openings(author, element, slab.frame))
    sides = sides_of_rectangle(slab.outline)
    author.quantify(
        element,
        QUANTITIES,
        {
            "Width": ("length", slab.thickness),
            **({"Length": ("length", sides[0]), "Depth": ("length", sides[1])} if sides else {}),
            "Perimeter": ("length", around),
            "GrossPerimeter": ("length", around),
            "GrossArea": ("area", gross),
            "NetArea": ("area", net),
            "GrossVolume": ("volume", gross * slab.thickness),
            "NetVolume": ("volume", net * slab.thickness),
        },
    )


def sides_of_rectangle(outline):
    """The longer and the shorter side of an outline that is a rectangle, else None."""
    if len(outline) != 4:
        return None
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = outline
    along, across = (bx - ax, by - ay), (dx - ax, dy - ay)
    lengths = sorted((math.hypot(*along), math.hypot(*across)), reverse=True)
    is_square_on = abs(along[0] * across[0] + along[1] * across[1]) < 1e-6 * lengths[0] * lengths[1]
    return lengths if is_square_on and math.hypot(cx - bx - across[0], cy - by - across[1]) < 0.01 else None


def requantify(author, element):
    """The same where the quantities were computed here."""
    if author.is_ours(element, QUANTITIES):
        quantify(author, element)


def answer(author, element):
    """A slab as it stands."""
    slab = Slab.read(author, element)
    top = out_of(slab.frame, (0, 0, slab.base + slab.thickness))
    return {
        "floor_id": element.GlobalId,
        "name": label(element),
        "predefined_type": ifcopenshell.util.element.get_predefined_type(element),
        "level": level_name(element),
        "top": above_storey(author, element, top)[2],
        "thickness": mm(slab.thickness),
        "area": square_metres(area(slab.outline)),
        "quantities": author.quantities(element, QUANTITIES),
    }


def create_roof(author, storey, outline, base, overhang, thickness, name):
    """Makes a flat roof; answers the roof."""
    positive("thickness", thickness)
    if overhang != 0:
        positive("overhang", overhang)
    outline = enlarged("overhang", outline, overhang)
    placement = author.placement(storey.ObjectPlacement, frame_at((0, 0, base)))
    name = given_name("name", name) if name is not None else unnamed(author.model, "IfcRoof", "Roof")
    kind = "ShapeType" if author.legacy else "PredefinedType"
    roof = author.root("IfcRoof", name, ObjectPlacement=placement, **{kind: "FLAT_ROOF"})
    author.contain(storey, roof)
    plate = write(
        author, placement, author.frame(roof), outline, thickness, thickness, "ROOF", f"{name} slab", None
    )
    author.aggregate(roof, plate)
    author.describe(roof, "Pset_RoofCommon", IsExternal=("IfcBoolean", True))
    quantify_roof(author, roof)
    return roof


def plates(roof):
    """The slabs of a roof."""
    return [part for relation in roof.IsDecomposedBy for part in relation.RelatedObjects if part.is_a("IfcSlab")]


def quantify_roof(author, roof):
    """Writes a roof's quantities from those of its slabs."""
    gross = net = 0.0
    for plate in plates(roof):
        slab = Slab.read(author, plate)
        gross += area(slab.outline)
        net += area(slab.outline) - sum(
            e.size(0) * e.size(1) for _, e in openings(author, plate, slab.frame)
        )
    author.quantify(
        roof,
        ROOF_QUANTITIES,
        {"GrossArea": ("area", gross), "NetArea": ("area", net), "ProjectedArea": ("area", gross)},
    )


def roof_answer(author, roof):
    """A roof as it stands."""
    if not plates(roof):
        raise constraint(f"The roof {label(roof)} has no slab.")
    plate = plates(roof)[0]
    slab = Slab.read(author, plate)
    return {
        "roof_id": roof.GlobalId,
        "slab_id": plate.GlobalId,
        "name": label(roof),
        "level": level_name(roof),
        "area": square_metres(area(slab.outline)),
        "thickness": mm(slab.thickness),
        "quantities": author.quantities(roof, ROOF_QUANTITIES),
    }
