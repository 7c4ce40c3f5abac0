"""Spaces as parts of their storey, extruded over the outline between their walls, and what follows for storeys and
buildings when slabs and spaces change: floor areas, perimeters, footprint."""

import ifcopenshell.util.element
import numpy
import shapely

from . import project
from .author import frame_at, into, out_of
from .bodies import Slab, Wall, level_name, prism_of
from .fault import Fault, constraint
from .lookup import label, unnamed
from .outlines import area, given_name, mm, perimeter, positive, square_metres, union

QUANTITIES = "Qto_SpaceBaseQuantities"
STOREY = "Qto_BuildingStoreyBaseQuantities"
BUILDING = "Qto_BuildingBaseQuantities"


def create(author, storey, outline, height, name, long_name, usage):
    """Makes a space over an outline in the world."""
    positive("height", height)
    frame = author.frame(storey)
    flat = [tuple(into(frame, (x, y, frame[2, 3]))[:2]) for x, y in outline]
    more = {"LongName": long_name or usage} if long_name or usage else {}
    # IFC4X3 deprecates INTERNAL as a predefined type
    more["InteriorOrExteriorSpace" if author.legacy else "PredefinedType"] = "SPACE" if author.is_latest else "INTERNAL"
    placement = author.placement(storey.ObjectPlacement, numpy.eye(4))
    space = author.root(
        "IfcSpace",
        given_name("name", name) if name is not None else unnamed(author.model, "IfcSpace", "Space"),
        ObjectPlacement=placement,
        Representation=author.shape([author.body([author.upright(flat, 0.0, height)])]),
        CompositionType="ELEMENT",
        **more,
    )
    author.aggregate(storey, space)
    # in IFC2X3 the attribute InteriorOrExteriorSpace says it, and the set has no such property
    if not author.legacy:
        author.describe(space, "Pset_SpaceCommon", IsExternal=("IfcBoolean", False))
    if usage:
        author.describe(space, "Pset_SpaceOccupancyRequirements", OccupancyType=("IfcLabel", usage))
    quantify(author, space)
    total(author, storey)
    return space


def quantify(author, space):
    """Writes a space's quantities from its body."""
    prism = prism_of(author, space)
    if prism is None:
        return
    floor, around = area(prism.outline), perimeter(prism.outline)
    author.quantify(
        space,
        QUANTITIES,
        {
            "Height": ("length", prism.height),
            "GrossPerimeter": ("length", around),
            "GrossFloorArea": ("area", floor),
            "NetFloorArea": ("area", floor),
            "GrossCeilingArea": ("area", floor),
            "GrossWallArea": ("area", around * prism.height),
            "GrossVolume": ("volume", floor * prism.height),
            "NetVolume": ("volume", floor * prism.height),
        },
    )


def clear_height(author, storey):
    """The clear height of rooms on a storey: that of its tallest wall, else up to the next storey, else 3000 mm."""
    heights = [wall.height for wall in _walls_on(author, storey)]
    if heights:
        return max(heights)
    here = project.elevation_of(author, storey)
    ways = [project.elevation_of(author, s) - here for s in author.model.by_type("IfcBuildingStorey")]
    return min((way for way in ways if way > 1000), default=3000.0)


def _walls_on(author, storey):
    found = []
    for element in ifcopenshell.util.element.get_contained(storey):
        if element.is_a("IfcWall"):
            try:
                found.append(Wall.read(author, element))
            except Fault:
                continue  # a wall that cannot be read has no height to go by
    return found


def between(author, field, elements):
    """The one room that the walls given enclose."""
    bodies = []
    for element in elements:
        wall = Wall.read(author, element)
        bodies.append([tuple(out_of(wall.frame, (x, y, 0))[:2]) for x, y in wall.outline])
    # bodies that touch within a hundredth of a millimetre meet
    joined = union(bodies).buffer(0.005, join_style="mitre").buffer(-0.005, join_style="mitre")
    parts = joined.geoms if joined.geom_type == "MultiPolygon" else [joined]
    rooms = [ring for part in parts for ring in part.interiors if shapely.Polygon(ring).area > 1e4]
    if not rooms:
        raise constraint(
            "These walls do not enclose a room: somewhere their bodies do not touch. Name all walls around it, or give "
            "boundary_points.",
            field=field,
        )
    if len(rooms) > 1:
        raise constraint(
            f"These walls enclose {len(rooms)} rooms; name only those around one, or give boundary_points.",
            field=field,
            rooms_m2=[square_metres(shapely.Polygon(ring).area) for ring in rooms],
        )
    corners = list(shapely.Polygon(rooms[0]).simplify(0.01).exterior.coords)[:-1]
    outline = [(round(x, 3), round(y, 3)) for x, y in corners]
    return outline if shapely.LinearRing(outline).is_ccw else outline[::-1]


def answer(author, space):
    """A space as it stands."""
    prism = prism_of(author, space)
    if prism is None:
        raise constraint(f"The space {label(space)} has no upright body to read.")
    frame = author.frame(space)
    corners = [out_of(frame, (x, y, 0)) for x, y in prism.outline]
    return {
        "space_id": space.GlobalId,
        "name": label(space),
        "level": level_name(space),
        "area": square_metres(area(prism.outline)),
        "height": mm(prism.height),
        "boundary_points": [[mm(c[0]), mm(c[1])] for c in corners],
        "quantities": author.quantities(space, QUANTITIES),
    }


def total(author, storey):
    """Computes a storey's totals, and then its building's."""
    quantities = {}
    # a height that was stated is no total: it stays
    stated = author.quantities(storey, STOREY).get("GrossHeight")
    if stated is not None:
        quantities["GrossHeight"] = ("length", stated["value"] * author.length_mm)
    if (floors := _floors(author, storey)) is not None:
        quantities["GrossPerimeter"] = ("length", floors[1])
        quantities["GrossFloorArea"] = ("area", floors[0])
    prisms = [prism_of(author, part) for part in _parts(storey) if part.is_a("IfcSpace")]
    prisms = [prism for prism in prisms if prism is not None]
    if prisms:
        quantities["NetFloorArea"] = ("area", sum(area(p.outline) for p in prisms))
        quantities["NetVolume"] = ("volume", sum(area(p.outline) * p.height for p in prisms))
    _write(author, storey, STOREY, quantities)
    building = ifcopenshell.util.element.get_aggregate(storey)
    if building is not None and building.is_a("IfcBuilding"):
        _total_building(author, building)


def _parts(whole):
    return [part for relation in whole.IsDecomposedBy for part in relation.RelatedObjects]


def _floors(author, storey):
    """Area and perimeter of what the floor slabs of a storey cover together; `None` where one cannot be read."""
    floors = [
        element
        for element in ifcopenshell.util.element.get_contained(storey)
        if element.is_a("IfcSlab")
        and ifcopenshell.util.element.get_predefined_type(element) not in ("ROOF", "LANDING")
    ]
    try:
        outlines = [Slab.read(author, slab).outline_in_world() for slab in floors]
    except Fault:
        return None
    if not outlines:
        return None
    if len(outlines) == 1:
        return area(outlines[0]), perimeter(outlines[0])
    joined = union(outlines)
    return joined.area, joined.length


def _total_building(author, building):
    storeys = [part for part in _parts(building) if part.is_a("IfcBuildingStorey")]
    storeys.sort(key=lambda storey: project.elevation_of(author, storey))
    footprint, gross, net, volume = None, 0.0, 0.0, 0.0
    for storey in storeys:
        stored = {name: q["value"] for name, q in author.quantities(storey, STOREY).items()}
        if "GrossFloorArea" in stored:
            # what stands on the ground is the lowest floor there is
            footprint = stored["GrossFloorArea"] if footprint is None else footprint
            gross += stored["GrossFloorArea"]
        net += stored.get("NetFloorArea", 0.0)
        volume += stored.get("NetVolume", 0.0)
    quantities = {}
    if footprint is not None:
        quantities["FootprintArea"] = ("area", footprint * author.area_mm2)
        quantities["GrossFloorArea"] = ("area", gross * author.area_mm2)
    if net > 0:
        quantities["NetFloorArea"] = ("area", net * author.area_mm2)
        quantities["NetVolume"] = ("volume", volume * author.volume_mm3)
    _write(author, building, BUILDING, quantities)


def _write(author, element, name, quantities):
    if quantities:
        author.quantify(element, name, quantities)
    else:
        author.drop_set(element, name)


def redraw(author, space, outline, base, height):
    """Draws a space anew from its outline within its placement."""
    author.draw(space, author.body([author.extrusion(frame_at((0, 0, base)), outline, height)]))
    if author.is_ours(space, QUANTITIES):
        quantify(author, space)
