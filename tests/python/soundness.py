"""Whether a building that was made by hand or by script would do as a building, beyond what a case asks for: measured on the
meshes that IfcOpenShell makes, not on what the file says of itself.

Most bodies here are upright prisms, so a body is its footprint and a range of heights; where one is not (a roof's slab, a gable
wall, a flight of stairs, a wall with openings), level cuts through its mesh say what it shares with another. Lengths are metres.
"""

from dataclasses import dataclass
from functools import cached_property

import ifcopenshell.geom
import ifcopenshell.util.element
import ifcopenshell.util.placement
import ifcopenshell.util.unit
import numpy
import shapely
from shapely import STRtree
from shapely.geometry import MultiPoint, Polygon, box
from shapely.ops import polygonize, unary_union

#: A millimetre of play for coordinates that went through text.
PLAY = 1e-3
#: Bodies that share less than a litre touch.
TOUCH = 1e-3
#: Level cuts through bodies that are no prisms.
CUTS = 12
#: What shares no space with anything but what it is cut into or stands in.
SOLIDS = (
    "IfcWall",
    "IfcSlab",
    "IfcColumn",
    "IfcBeam",
    "IfcMember",
    "IfcPlate",
    "IfcStairFlight",
    "IfcRailing",
    "IfcFurnishingElement",
    "IfcFlowTerminal",
    "IfcTransportElement",
)
#: What bounds rooms; columns, beams, stairs and furniture stand in them.
BOUNDS = ("IfcWall", "IfcSlab", "IfcMember", "IfcPlate")


@dataclass
class Body:
    """A body in world coordinates: a range of heights, its mesh."""

    element: object
    bottom: float
    top: float
    points: numpy.ndarray
    faces: numpy.ndarray

    @property
    def name(self):
        return f"{self.element.is_a()} {self.element.Name or self.element.GlobalId}"

    @cached_property
    def footprint(self):
        """What it covers in plan."""
        triangles = [Polygon(corners) for corners in self.points[self.faces][:, :, :2]]
        flat = [triangle.buffer(0) for triangle in triangles if triangle.area > 1e-9]
        return unary_union(flat) if flat else MultiPoint(self.points[:, :2]).convex_hull

    @cached_property
    def box(self):
        """The rectangle around it in plan."""
        return box(*self.points[:, :2].min(axis=0), *self.points[:, :2].max(axis=0))

    @cached_property
    def is_prism(self):
        """Whether every corner lies at its foot or its top."""
        heights = self.points[:, 2]
        return bool(numpy.all((heights - self.bottom < 1e-5) | (self.top - heights < 1e-5)))

    def shared(self, other):
        """The volume that two prisms share, in cubic metres; of other bodies the most that they could."""
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return 0.0 if height <= 0 else height * self.footprint.intersection(other.footprint).area

    def cut_at(self, height, within):
        """The area that a level plane cuts out of the mesh, as far as it comes near a rectangle."""
        corners = self.points[self.faces]
        z = corners[:, :, 2] - height
        crossing = (z.min(axis=1) < 0) & (z.max(axis=1) > 0)
        corners, z = corners[crossing][:, :, :2], z[crossing]
        # of a triangle on both sides two edges go through the plane
        after, above = numpy.roll(corners, -1, axis=1), numpy.roll(z, -1, axis=1)
        goes_through = (z < 0) != (above < 0)
        drop = numpy.where(goes_through, z - above, 1.0)
        on = numpy.round(corners + (z / drop)[:, :, None] * (after - corners), 6)[goes_through].reshape(-1, 2, 2)
        on = on[numpy.abs(on[:, 0] - on[:, 1]).max(axis=1) > 1e-6]
        if not len(on):
            return Polygon()
        starts, ends = on[:, 0], on[:, 1]
        lines = unary_union(shapely.linestrings(numpy.stack([starts, ends], axis=1)))
        parts = [part for part in polygonize(lines) if part.intersects(within)]
        return unary_union([part for part in parts if is_inside(part.representative_point(), starts, ends)])


def is_inside(point, starts, ends):
    """Whether a ray from a point crosses the lines an odd number of times."""
    met = (starts[:, 1] > point.y) != (ends[:, 1] > point.y)
    (ax, ay), (bx, by) = starts[met].T, ends[met].T
    return numpy.count_nonzero(ax + (point.y - ay) / (by - ay) * (bx - ax) > point.x) % 2 == 1


def settings(cut):
    """World coordinates; openings cut or not."""
    made = ifcopenshell.geom.settings()
    made.set("use-world-coords", True)
    made.set("disable-opening-subtractions", not cut)
    return made


def body(element, cut=False):
    """The body of an element, before openings are cut unless `cut`; none if it has no shape."""
    shapes = element.Representation.Representations if element.Representation else ()
    if not any(shape.RepresentationIdentifier == "Body" for shape in shapes):
        return None
    shape = ifcopenshell.geom.create_shape(settings(cut), element)
    points = numpy.array(shape.geometry.verts).reshape(-1, 3)
    faces = numpy.array(shape.geometry.faces).reshape(-1, 3)
    return Body(element, points[:, 2].min(), points[:, 2].max(), points, faces)


def near(bodies):
    """The pairs of bodies whose boxes share more than touches."""
    if not bodies:
        return
    low, high = (numpy.array([getattr(item.points, end)(axis=0) for item in bodies]) for end in ("min", "max"))
    for at, one in enumerate(bodies):
        shared = numpy.minimum(high[at + 1 :], high[at]) - numpy.maximum(low[at + 1 :], low[at])
        may_overlap = (shared > 0).all(axis=1) & (shared.prod(axis=1) > TOUCH)
        for other in numpy.flatnonzero(may_overlap):
            yield one, bodies[at + 1 + other]


class Building:
    """The bodies of a model."""

    def __init__(self, model):
        self.model, self.cut = model, {}
        self.solids = self.of(*SOLIDS)
        self.spaces = self.of("IfcSpace")
        self.openings = {item.element.id(): item for item in self.of("IfcOpeningElement")}

    def of(self, *classes):
        """The bodies of these classes and their subtypes."""
        found = {item.id(): item for name in classes for item in self.model.by_type(name)}
        return [made for made in (body(item) for item in found.values()) if made]

    def findings(self):
        """Everything that is wrong, in sentences."""
        return [
            *self.overlaps(),
            *self.open_rooms(),
            *self.rooms_out_of_reach(),
            *self.openings_outside(),
            *self.wrong_areas(),
            *self.homeless(),
        ]

    def overlaps(self):
        """Solids in solids, walls and slabs in rooms, rooms in rooms."""
        for one, other in near([*self.solids, *self.spaces]):
            if self.exclude(one, other):
                volume = self.measured(one, other)
                if volume > TOUCH:
                    yield f"{one.name} and {other.name} share {volume:.4f} m3"

    @staticmethod
    def exclude(one, other):
        """Whether two may share no space."""
        spaces = [item.element.is_a("IfcSpace") for item in (one, other)]
        if sum(spaces) != 1:
            return True
        solid = (other if spaces[0] else one).element
        landing = ifcopenshell.util.element.get_predefined_type(solid) == "LANDING"
        return not landing and any(solid.is_a(name) for name in BOUNDS)

    def measured(self, one, other):
        """The volume that two bodies share, their openings cut, in cubic metres."""
        one, other = (self.as_cut(item) for item in (one, other))
        if one.is_prism and other.is_prism:
            return one.shared(other)
        common = one.box.intersection(other.box)
        if common.area < 1e-6:
            return 0.0
        low, high = max(one.bottom, other.bottom), min(one.top, other.top)
        step = (high - low) / CUTS
        levels = [low + (at + 0.4987) * step for at in range(CUTS)]
        return sum(
            one.cut_at(level, common).intersection(other.cut_at(level, common)).area * step for level in levels
        )

    def as_cut(self, item):
        """The body with its openings cut, which takes long: once for all that it may share space with."""
        if not getattr(item.element, "HasOpenings", None):
            return item
        number = item.element.id()
        if number not in self.cut:
            self.cut[number] = body(item.element, cut=True)
        return self.cut[number]

    def open_rooms(self):
        """Rooms that walls do not bound all around, to five centimetres."""
        around = [item for item in self.solids if any(item.element.is_a(name) for name in BOUNDS)]
        tree = STRtree([item.box for item in around])
        for space in self.spaces:
            near = [around[at] for at in tree.query(space.box.buffer(0.05))]
            upright = [item for item in near if min(item.top, space.top) - max(item.bottom, space.bottom) > 0.03]
            bounds = unary_union([item.footprint for item in upright]).buffer(0.02)
            bare = space.footprint.boundary.difference(bounds).length
            if bare > 0.05:
                yield f"{space.name} is open over {bare:.2f} m"

    def rooms_out_of_reach(self):
        """Rooms without a door, and those to which no way leads from outside, through doors and over stairs."""
        ways = {space.element.id(): set() for space in self.spaces}
        start, with_door = set(), set()
        for door in self.doors():
            rooms = {space.element.id() for space in self.spaces if self.reaches(door, space)}
            with_door |= rooms
            if self.leads_outside(door):
                start |= rooms
            for room in rooms:
                ways[room] |= rooms
        climbs = list(self.climbs())
        for rooms in climbs:
            for room in rooms:
                ways[room] |= rooms
        served = with_door.union(*climbs)
        reached, work = set(), list(start)
        while work:
            room = work.pop()
            if room not in reached:
                reached.add(room)
                work.extend(ways[room])
        for space in self.spaces:
            if space.element.id() not in served:
                yield f"{space.name} has no door"
            elif space.element.id() not in reached:
                yield f"{space.name} is not reached from outside"

    def doors(self):
        """The ways that doors open: those of their openings, of doors in curtain walls their own and a little more."""
        for door in self.model.by_type("IfcDoor"):
            fills = [rel.RelatingOpeningElement.id() for rel in door.FillsVoids]
            if fills and fills[0] in self.openings:
                yield self.openings[fills[0]]
            elif ifcopenshell.util.element.get_aggregate(door) is not None:
                made = body(door)
                made.footprint = made.box.buffer(0.1)
                yield made

    def leads_outside(self, door):
        """Whether a door on the lowest storey leads out: a step beyond it there is no floor."""
        floors = [item for item in self.solids if item.element.is_a("IfcSlab")]
        lowest = min((item.top for item in floors), default=door.bottom)
        if door.bottom > lowest + 1.5:
            return False
        below = [item.footprint for item in floors if item.top < door.bottom + 0.3]
        return not outline(unary_union(below)).contains(door.footprint.buffer(0.4))

    def climbs(self):
        """The rooms that each stair joins: where it begins and where it arrives."""
        for stair in self.model.by_type("IfcStair"):
            flights = [body(part) for part in ifcopenshell.util.element.get_parts(stair) if part.is_a("IfcStairFlight")]
            if not flights:
                continue
            ground = unary_union([flight.footprint for flight in flights]).buffer(0.3)
            foot, head = min(flight.bottom for flight in flights), max(flight.top for flight in flights)
            yield {
                space.element.id()
                for space in self.spaces
                if (abs(space.bottom - foot) < 0.1 or 0 <= space.bottom - head < 0.25)
                and space.footprint.intersection(ground).area > 0.1
            }

    @staticmethod
    def reaches(door, space):
        """Whether a door opens into a space at the height of a person."""
        height = min(door.top, space.top) - max(door.bottom, space.bottom)
        return height > 1.5 and door.footprint.buffer(0.1).intersection(space.footprint).area > 0.01

    def openings_outside(self):
        """Openings that reach beyond their host, overlap one another or do not hold their filling."""
        hosts = {}
        for rel in self.model.by_type("IfcRelVoidsElement"):
            hosts.setdefault(rel.RelatingBuildingElement, []).append(rel.RelatedOpeningElement)
        for host, openings in hosts.items():
            to_local = numpy.linalg.inv(ifcopenshell.util.placement.get_local_placement(host.ObjectPlacement))
            scale = ifcopenshell.util.unit.calculate_unit_scale(self.model)
            to_local[:3, 3] *= scale
            bounds = extent(body(host), to_local)
            boxes = []
            for opening in openings:
                box = extent(self.openings[opening.id()], to_local)
                sides = range(2) if host.is_a("IfcSlab") else (0, 2)
                for side in sides:
                    if box[0][side] < bounds[0][side] - PLAY or box[1][side] > bounds[1][side] + PLAY:
                        yield f"{opening.Name} reaches beyond {host.is_a()} {host.Name}"
                for name, other in boxes:
                    if all(min(box[1][s], other[1][s]) - max(box[0][s], other[0][s]) > PLAY for s in sides):
                        yield f"{opening.Name} and {name} overlap in {host.is_a()} {host.Name}"
                boxes.append((opening.Name, box))
                for rel in opening.HasFillings:
                    inside = extent(body(rel.RelatedBuildingElement), to_local)
                    for side in sides:
                        if inside[0][side] < box[0][side] - PLAY or inside[1][side] > box[1][side] + PLAY:
                            yield f"{rel.RelatedBuildingElement.Name} is larger than its opening"

    def wrong_areas(self):
        """Areas that the file states and the meshes do not bear out, in square metres, to a square centimetre."""
        stated = [
            *(("Qto_SpaceBaseQuantities", "NetFloorArea", space, space.footprint.area) for space in self.spaces),
            *(("Qto_SpaceBaseQuantities", "GrossFloorArea", space, None) for space in self.spaces),
            *(
                ("Qto_SlabBaseQuantities", "GrossArea", slab, slab.footprint.area)
                for slab in self.solids
                if slab.element.is_a("IfcSlab") and slab.is_prism
            ),
        ]
        for pset, name, item, measured in stated:
            value = ifcopenshell.util.element.get_pset(item.element, pset, name)
            if value is None and measured is not None:
                yield f"{item.name} states no {name}"
            elif measured is not None and abs(value - measured) > 1e-4:
                yield f"{item.name} states {name} {value}, its mesh has {measured:.4f}"
        yield from self.wrong_storeys()

    def wrong_storeys(self):
        """GrossFloorArea of each storey, and the building's footprint, against the floors and walls that are there."""
        lowest = None
        for storey in sorted(self.model.by_type("IfcBuildingStorey"), key=lambda item: item.Elevation or 0):
            inside = set(ifcopenshell.util.element.get_decomposition(storey))
            bodies = [item for item in self.solids if item.element in inside]
            floors = [
                item.footprint
                for item in bodies
                if item.element.is_a("IfcSlab")
                and ifcopenshell.util.element.get_predefined_type(item.element) in ("FLOOR", "BASESLAB")
            ]
            walls = [item.footprint for item in bodies if item.element.is_a("IfcWall")]
            value = ifcopenshell.util.element.get_pset(storey, "Qto_BuildingStoreyBaseQuantities", "GrossFloorArea")
            if not floors or not walls:
                continue
            measured = outline(unary_union([*floors, *walls])).area
            lowest = measured if lowest is None else lowest
            if value is None:
                yield f"{storey.Name} states no GrossFloorArea"
            elif abs(value - measured) > 1e-4:
                yield f"{storey.Name} states GrossFloorArea {value}, floors and walls cover {measured:.4f}"
        for building in self.model.by_type("IfcBuilding"):
            value = ifcopenshell.util.element.get_pset(building, "Qto_BuildingBaseQuantities", "FootprintArea")
            if value is not None and lowest is not None and abs(value - lowest) > 1e-4:
                yield f"the building states FootprintArea {value}, its lowest storey covers {lowest:.4f}"

    def homeless(self):
        """Elements in no storey, and elements without a shape."""
        for element in self.model.by_type("IfcElement"):
            if element.is_a("IfcFeatureElement"):
                continue
            if ifcopenshell.util.element.get_container(element) is None:
                yield f"{element.is_a()} {element.Name} is in no storey"
            parts = ifcopenshell.util.element.get_parts(element)
            if element.Representation is None and not parts:
                yield f"{element.is_a()} {element.Name} has no shape"


def outline(shape):
    """A footprint without its holes (stairwells belong to the floor's gross area)."""
    parts = getattr(shape, "geoms", [shape])
    return unary_union([Polygon(part.exterior) for part in parts])


def extent(made, to_local):
    """The box around a body in the coordinates of its host."""
    points = numpy.c_[made.points, numpy.ones(len(made.points))] @ to_local.T
    return points[:, :3].min(axis=0), points[:, :3].max(axis=0)
