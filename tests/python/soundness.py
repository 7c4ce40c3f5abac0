"""Whether a building that was made by hand or by script would do as a building, beyond what a case asks for: measured on the
meshes that IfcOpenShell makes, not on what the file says of itself.

All bodies here are upright prisms (walls, slabs, spaces, openings), so a body is its footprint and a range of heights.
Lengths are metres.
"""

from dataclasses import dataclass

import ifcopenshell.geom
import ifcopenshell.util.element
import ifcopenshell.util.placement
import ifcopenshell.util.unit
import numpy
from shapely.geometry import MultiPoint, Polygon
from shapely.ops import unary_union

#: A millimetre of play for coordinates that went through text.
PLAY = 1e-3
#: Bodies that share less than a litre touch.
TOUCH = 1e-3


@dataclass
class Body:
    """An upright prism in world coordinates."""

    element: object
    footprint: object
    bottom: float
    top: float
    points: numpy.ndarray

    @property
    def name(self):
        return f"{self.element.is_a()} {self.element.Name or self.element.GlobalId}"

    def shared(self, other):
        """The volume that two bodies share, in cubic metres."""
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return 0.0 if height <= 0 else height * self.footprint.intersection(other.footprint).area


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
    triangles = [Polygon(points[face][:, :2]) for face in faces]
    flat = [triangle.buffer(0) for triangle in triangles if triangle.area > 1e-9]
    footprint = unary_union(flat) if flat else MultiPoint(points[:, :2]).convex_hull
    return Body(element, footprint, points[:, 2].min(), points[:, 2].max(), points)


class Building:
    """The bodies of a model."""

    def __init__(self, model):
        self.model = model
        self.solids = self.of("IfcWall", "IfcSlab", "IfcColumn", "IfcBeam")
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
            *self.rooms_without_doors(),
            *self.openings_outside(),
            *self.wrong_areas(),
            *self.homeless(),
        ]

    def overlaps(self):
        """Solids in solids, solids in rooms, rooms in rooms."""
        every = [*self.solids, *self.spaces]
        for at, one in enumerate(every):
            for other in every[at + 1 :]:
                volume = one.shared(other)
                if volume > TOUCH:
                    yield f"{one.name} and {other.name} share {volume:.4f} m3"

    def rooms_without_doors(self):
        """A room has a door if the opening of one, a hand's breadth wider, reaches into it."""
        doors = [
            self.openings[rel.RelatingOpeningElement.id()]
            for rel in self.model.by_type("IfcRelFillsElement")
            if rel.RelatedBuildingElement.is_a("IfcDoor") and rel.RelatingOpeningElement.id() in self.openings
        ]
        for space in self.spaces:
            if not any(self.reaches(door, space) for door in doors):
                yield f"{space.name} has no door"

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
                if slab.element.is_a("IfcSlab")
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
