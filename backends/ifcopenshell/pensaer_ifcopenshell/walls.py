"""Walls: a straight axis, a body extruded from its outline in plan, a layer set used along the axis, a type shared by
walls of one kind and thickness, base quantities by the definitions of Qto_WallBaseQuantities."""

import math

from .author import frame_at, into
from .bodies import Wall, above_storey, level_name, openings
from .fault import invalid
from .lookup import label, unnamed
from .outlines import area, given_name, mm, positive, written

QUANTITIES = "Qto_WallBaseQuantities"

#: By wall_type: the words its types are named by, its predefined type, its material.
KINDS = {
    "exterior": ("Exterior wall", "SOLIDWALL", "Masonry"),
    "interior": ("Interior wall", "SOLIDWALL", "Masonry"),
    "partition": ("Partition wall", "PARTITIONING", "Gypsum board on studs"),
}


def faces_of(line, thickness):
    """The y of the right and the left face, seen along the line."""
    if line == "left":
        return (-thickness, 0.0)
    if line == "right":
        return (0.0, thickness)
    return (-thickness / 2, thickness / 2)


def create(author, storey, start, end, base, height, thickness, kind, line, name, material):
    """Makes a wall; points in the world, `base` above the storey, all in mm."""
    positive("height", height)
    positive("thickness", thickness)
    length = math.dist(start, end)
    if length < 1:
        raise invalid(
            "end",
            "`start` and `end` are in the same place; a wall needs a length of at least 1 mm. Points are mm.",
        )
    positive("end", length)
    placed = author.frame(storey)
    x, y, _ = into(placed, (*start, placed[2, 3]))
    u, v, _ = into(placed, (*end, placed[2, 3]))
    frame = frame_at((x, y, base), ((u - x) / length, (v - y) / length))
    faces = faces_of(line, thickness)
    ifc_class = "IfcWallStandardCase" if author.legacy else "IfcWall"
    placement = author.placement(storey.ObjectPlacement, frame)
    axis = author.axis((0.0, 0.0), (length, 0.0))
    body = author.body([author.upright(rectangle(length, faces), 0.0, height)])
    wall = author.root(
        ifc_class,
        given_name("name", name) if name is not None else unnamed(author.model, "IfcWall", "Wall"),
        ObjectPlacement=placement,
        Representation=author.shape([axis, body]),
    )
    author.contain(storey, wall)
    dress(author, wall, kind, thickness, material, faces)
    common = {"IsExternal": ("IfcBoolean", kind == "exterior")}
    if kind != "interior":
        common["LoadBearing"] = ("IfcBoolean", kind == "exterior")
    author.describe(wall, "Pset_WallCommon", **common)
    quantify(author, wall)
    return wall


def rectangle(length, faces):
    """The outline of a wall with square ends, seen from its axis."""
    return [(0.0, faces[0]), (length, faces[0]), (length, faces[1]), (0.0, faces[1])]


def dress(author, wall, kind, thickness, material, faces):
    """Gives a wall its type and layer."""
    noun, predefined, usual = KINDS[kind]
    material = material or usual
    title = f"{noun} {written(thickness)} mm" + ("" if material == usual else f", {material}")
    predefined = "STANDARD" if author.legacy else predefined
    author.layered(wall, "IfcWallType", title, predefined, material, thickness, "AXIS2", faces[0])


def quantify(author, element):
    """Writes a wall's quantities from its shape and its openings."""
    wall = Wall.read(author, element)
    length, width, height = wall.length, wall.thickness, wall.height
    footprint = area(wall.outline)
    cut_area = cut_volume = 0.0
    for _, extent in openings(author, element, wall.frame):
        depth = min(extent.high[1], wall.faces[1]) - max(extent.low[1], wall.faces[0])
        face = max(min(extent.high[2], height) - max(extent.low[2], 0.0), 0.0) * extent.size(0)
        cut_area += face
        cut_volume += face * max(depth, 0.0)
    author.quantify(
        element,
        QUANTITIES,
        {
            "Length": ("length", length),
            "Width": ("length", width),
            "Height": ("length", height),
            "GrossFootprintArea": ("area", length * width),
            "NetFootprintArea": ("area", footprint),
            "GrossSideArea": ("area", length * height),
            "NetSideArea": ("area", length * height - cut_area),
            "GrossVolume": ("volume", length * width * height),
            "NetVolume": ("volume", footprint * height - cut_volume),
        },
    )


def requantify(author, element):
    """The same where the quantities were computed here."""
    if author.is_ours(element, QUANTITIES):
        quantify(author, element)


def answer(author, element):
    """A wall as it stands."""
    wall = Wall.read(author, element)
    return {
        "wall_id": element.GlobalId,
        "name": label(element),
        "level": level_name(element),
        "start": above_storey(author, element, wall.at(0)),
        "end": above_storey(author, element, wall.at(wall.length)),
        "length": mm(wall.length),
        "height": mm(wall.height),
        "thickness": mm(wall.thickness),
        "quantities": author.quantities(element, QUANTITIES),
    }
