"""Reading bodies back: the extruded outline of a wall, slab or space, whoever wrote it, and what openings take up.

Coordinates are in mm. A body that is not one upright extrusion of straight edges is not taken apart: what cannot be read
is refused by those who need it, not guessed.
"""

import dataclasses
import math

import ifcopenshell.util.element
import ifcopenshell.util.placement
import numpy
import shapely

from .author import frame_at, into, out_of
from .fault import constraint
from .lookup import id_of, label
from .outlines import bounds


@dataclasses.dataclass
class Prism:
    """A solid that stands upright: an outline in plan within the element's placement, and heights."""

    outline: list
    base: float
    height: float


def representation(element, identifier):
    """The representation of an element with this identifier."""
    shape = getattr(element, "Representation", None)
    for found in shape.Representations if shape else ():
        if found.RepresentationIdentifier == identifier:
            return found
    return None


def prism_of(author, element):
    """The upright body of an element; `None` where it is anything else."""
    body = representation(element, "Body")
    if body is None or len(body.Items) != 1 or not body.Items[0].is_a("IfcExtrudedAreaSolid"):
        return None
    solid = body.Items[0]
    frame = numpy.eye(4)
    if solid.Position is not None:
        frame = numpy.array(ifcopenshell.util.placement.get_axis2placement(solid.Position), dtype=float)
        frame[:3, 3] *= author.length_mm
    way = frame[:3, :3] @ numpy.array(solid.ExtrudedDirection.DirectionRatios, dtype=float)
    way /= numpy.linalg.norm(way)
    if abs(abs(frame[2, 2]) - 1) > 1e-6 or abs(abs(way[2]) - 1) > 1e-6:
        return None
    outline = _outline(author, solid.SweptArea)
    if outline is None:
        return None
    depth = solid.Depth * author.length_mm * (1 if way[2] > 0 else -1)
    base = frame[2, 3]
    flat = [tuple(out_of(frame, (x, y, 0))[:2]) for x, y in outline]
    return Prism(flat, min(base, base + depth), abs(depth))


def _outline(author, profile):
    if profile.is_a() == "IfcRectangleProfileDef":
        x, y = profile.XDim * author.length_mm / 2, profile.YDim * author.length_mm / 2
        frame = numpy.eye(4)
        if profile.Position is not None:
            frame = numpy.array(ifcopenshell.util.placement.get_axis2placement(profile.Position), dtype=float)
            frame[:3, 3] *= author.length_mm
        return [tuple(out_of(frame, (a, b, 0))[:2]) for a, b in ((-x, -y), (x, -y), (x, y), (-x, y))]
    if profile.is_a() == "IfcArbitraryClosedProfileDef":
        points = curve(author, profile.OuterCurve)
        if points and len(points) > 3 and math.dist(points[0], points[-1]) < 1e-6:
            points.pop()
        return points if points and len(points) >= 3 else None
    return None


def curve(author, item):
    """The points of a curve of straight pieces; `None` for another."""
    if item.is_a("IfcPolyline"):
        rows = [point.Coordinates for point in item.Points]
    elif item.is_a("IfcIndexedPolyCurve") and all(s.is_a("IfcLineIndex") for s in item.Segments or ()):
        rows = item.Points.CoordList
    else:
        return None
    return [(row[0] * author.length_mm, row[1] * author.length_mm) for row in rows]


@dataclasses.dataclass
class Wall:
    """A wall as its axis sees it."""

    element: object
    #: The axis in the world: origin at its start on the wall's base, x along it, z up.
    frame: numpy.ndarray
    #: The same within the wall's placement.
    local: numpy.ndarray
    length: float
    height: float
    #: The y of its right and of its left face, seen along the axis.
    faces: tuple
    #: Its outline in plan, seen from the axis.
    outline: list

    @classmethod
    def read(cls, author, element):
        """A wall by its axis representation, else its body; its faces from the body."""

        def unknown(why):
            return constraint(
                f"The wall {label(element)} cannot be worked with by its axis: {why}. Walls with a straight axis and "
                "an upright body can.",
                element_id=id_of(element),
            )

        placed = author.frame(element)
        if abs(placed[2, 2] - 1) > 1e-6:
            raise unknown("it does not stand upright")
        prism = prism_of(author, element)
        if prism is None:
            raise unknown("its body is not one upright extrusion")
        axis = representation(element, "Axis")
        points = curve(author, axis.Items[0]) if axis is not None and axis.Items else _middle(prism.outline)
        if not points or any(_aside(p, points[0], points[-1]) > 1 for p in points):
            raise unknown("its axis is not straight")
        start, end = points[0], points[-1]
        along = author.angle(start, end)
        if along is None:
            raise unknown("its axis has no length")
        local = frame_at((*start, prism.base), along)
        outline = [tuple(into(local, (x, y, prism.base))[:2]) for x, y in prism.outline]
        low, high = bounds(outline)
        return cls(
            element, placed @ local, local, math.dist(start, end), prism.height, (low[1], high[1]), outline
        )

    @property
    def thickness(self):
        """In mm."""
        return self.faces[1] - self.faces[0]

    def reach(self):
        """From where to where along the axis both faces are there."""
        low, high = bounds(self.outline)
        start, end = low[0], high[0]
        for y in self.faces:
            on_face = [p[0] for p in self.outline if abs(p[1] - y) < 0.5]
            if len(on_face) > 1:
                start, end = max(start, min(on_face)), min(end, max(on_face))
        return start, end

    def at(self, along):
        """A point of the axis in the world."""
        return out_of(self.frame, (along, 0, 0))


def _middle(outline):
    low, high = bounds(outline)
    if high[0] - low[0] >= high[1] - low[1]:
        y = (low[1] + high[1]) / 2
        return [(low[0], y), (high[0], y)]
    x = (low[0] + high[0]) / 2
    return [(x, low[1]), (x, high[1])]


def _aside(point, start, end):
    return shapely.LineString([start, end]).distance(shapely.Point(point))


@dataclasses.dataclass
class Slab:
    """A slab as its outline sees it."""

    element: object
    frame: numpy.ndarray
    outline: list
    base: float
    thickness: float

    @classmethod
    def read(cls, author, element):
        """A slab by its body."""
        prism = prism_of(author, element)
        if prism is None:
            raise constraint(
                f"The slab {label(element)} cannot be worked with: its body is not one upright extrusion.",
                element_id=id_of(element),
            )
        return cls(element, author.frame(element), prism.outline, prism.base, prism.height)

    def outline_in_world(self):
        """Its outline in the world."""
        return [tuple(out_of(self.frame, (x, y, 0))[:2]) for x, y in self.outline]


@dataclasses.dataclass
class Extent:
    """A box in the host's frame: lowest and highest corner."""

    low: tuple
    high: tuple

    def overlaps(self, other, directions):
        """Whether both take up space by more than a tenth of a millimetre."""
        return all(
            self.low[i] < other.high[i] - 0.1 and other.low[i] < self.high[i] - 0.1 for i in directions
        )

    def size(self, direction):
        """Its size in one direction."""
        return self.high[direction] - self.low[direction]

    def middle(self, direction):
        """Its middle in one direction."""
        return (self.low[direction] + self.high[direction]) / 2


def openings(author, host, frame):
    """The openings of a host with what they take up, seen from a frame in the world."""
    found = []
    for relation in getattr(host, "HasOpenings", ()):
        opening = relation.RelatedOpeningElement
        prism = prism_of(author, opening)
        if prism is None:
            continue
        placed = author.frame(opening)
        heights = (prism.base, prism.base + prism.height)
        corners = [into(frame, out_of(placed, (x, y, z))) for x, y in prism.outline for z in heights]
        found.append((opening, Extent(*(tuple(map(float, c)) for c in bounds(corners)))))
    return found


def filling_of(opening):
    """The door or window in an opening."""
    relations = getattr(opening, "HasFillings", ())
    return relations[0].RelatedBuildingElement if relations else None


def opening_of(filling):
    """The opening that a door or window is in."""
    relations = getattr(filling, "FillsVoids", ())
    return relations[0].RelatingOpeningElement if relations else None


def host_of(opening):
    """The element that an opening is in."""
    relations = getattr(opening, "VoidsElements", ())
    return relations[0].RelatingBuildingElement if relations else None


def storey_of(element):
    """The storey that an element stands in, also by way of what it is part of, or is in."""
    seen = 0
    while element is not None and seen < 32:
        if element.is_a("IfcBuildingStorey"):
            return element
        seen += 1
        element = (
            ifcopenshell.util.element.get_container(element, should_get_direct=True)
            or ifcopenshell.util.element.get_aggregate(element)
            or host_of(element)
        )
    return None


def above_storey(author, element, point):
    """A point in the world as tools give it: z above the element's storey."""
    storey = storey_of(element)
    zero = author.frame(storey)[2, 3] if storey is not None else 0.0
    return [round(float(point[0]), 3) + 0.0, round(float(point[1]), 3) + 0.0, round(float(point[2] - zero), 3) + 0.0]


def level_name(element):
    """The name of an element's storey."""
    storey = storey_of(element)
    return None if storey is None else label(storey)
