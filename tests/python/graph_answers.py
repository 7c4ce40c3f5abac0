"""Answers to the questions of crates/graph/tests/queries.json, computed by IfcOpenShell and shapely without any graph.

    python tests/python/graph_answers.py          prints which answers differ from those in the file
    python tests/python/graph_answers.py --write  writes them into the file

Where IfcOpenShell has no notion, as of rooms beside each other, it is computed here by simple means: outlines of spaces on the ground, and
points on both sides of a door.
"""

import json
import os
import pathlib
import sys
from collections import Counter, defaultdict

import ifcopenshell
import ifcopenshell.geom
import ifcopenshell.util.element as element_util
import ifcopenshell.util.placement
import ifcopenshell.util.unit
import shapely
import shapely.affinity
from shapely.geometry import Point, Polygon

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUERIES = ROOT / "crates/graph/tests/queries.json"
DATA = pathlib.Path(os.environ.get("PENSAER_TEST_DATA") or ROOT / "../shared/data")

ANSWERS = {}


def answers(function):
    """Makes a function the answer to the question of its name."""
    ANSWERS[function.__name__] = function
    return function


class Building:
    """A model with the outlines of its spaces."""

    def __init__(self, path):
        self.file = ifcopenshell.open(path)
        self.scale = ifcopenshell.util.unit.calculate_unit_scale(self.file)
        self._spaces = None

    def of(self, name):
        return self.file.by_type(name)

    def related(self, relation, relating, related):
        """Pairs of a relationship, each once."""
        pairs = {}
        for rel in self.of(relation):
            ends = getattr(rel, related)
            for end in ends if isinstance(ends, tuple) else [ends]:
                if end is not None and getattr(rel, relating) is not None:
                    pairs[(getattr(rel, relating).id(), end.id())] = (getattr(rel, relating), end)
        return list(pairs.values())

    def shape(self, product):
        settings = ifcopenshell.geom.settings()
        settings.set("use-world-coords", True)
        made = ifcopenshell.geom.create_shape(settings, product)
        flat = made.geometry.verts
        points = [tuple(flat[i : i + 3]) for i in range(0, len(flat), 3)]
        faces = made.geometry.faces
        return points, [tuple(points[v] for v in faces[i : i + 3]) for i in range(0, len(faces), 3)]

    @property
    def spaces(self):
        """Spaces with outline on the ground, lowest and highest level, floor area and volume."""
        if self._spaces is None:
            self._spaces = {}
            for space in self.of("IfcSpace"):
                points, triangles = self.shape(space)
                flat = [Polygon([p[:2] for p in triangle]) for triangle in triangles]
                outline = shapely.union_all([p.buffer(1e-6) for p in flat if p.area > 1e-9])
                low, high = min(p[2] for p in points), max(p[2] for p in points)
                floor = sum(p.area for p, t in zip(flat, triangles) if max(c[2] for c in t) < low + 0.05)
                volume = abs(sum(volume_below(t) for t in triangles))
                self._spaces[space] = (outline, low, high, floor, volume)
        return self._spaces

    def space_at(self, x, y, z):
        for space, (outline, low, high, _, _) in self.spaces.items():
            if low <= z <= high and outline.contains(Point(x, y)):
                return space
        return None

    def sides(self, door):
        """The spaces on the sides of a door, `None` for what is none."""
        filled = door.FillsVoids[0].RelatingOpeningElement if door.FillsVoids else door
        points, _ = self.shape(filled)
        middle = [(min(p[i] for p in points) + max(p[i] for p in points)) / 2 for i in range(3)]
        matrix = ifcopenshell.util.placement.get_local_placement(door.ObjectPlacement)
        through = matrix[:3, 1]
        found = []
        for sign in (1, -1):
            steps = (0.2 + 0.1 * n for n in range(8))
            spots = ([middle[i] + sign * step * through[i] for i in range(3)] for step in steps)
            spaces = (self.space_at(*spot) for spot in spots)
            found.append(next((space for space in spaces if space), None))
        return found


def volume_below(triangle):
    """The signed volume between a triangle and the origin."""
    a, b, c = triangle
    cross = (b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0])
    return sum(a[i] * cross[i] for i in range(3)) / 6


def counted(things):
    return [[name, count] for name, count in Counter(things).items()]


def psets(element):
    """Sets by name, those without one by their class."""
    sets = {}
    for definition in definitions(element):
        name = definition.Name or definition.is_a()
        own = sets.setdefault(name, {})
        if definition.is_a("IfcPropertySet"):
            for prop in definition.HasProperties:
                own.setdefault(prop.Name, prop)
        elif definition.is_a("IfcElementQuantity"):
            for quantity in definition.Quantities:
                own.setdefault(quantity.Name, quantity)
        else:
            for key, value in definition.get_info().items():
                own.setdefault(key, value)
    return sets


def definitions(element):
    own = [rel.RelatingPropertyDefinition for rel in getattr(element, "IsDefinedBy", ()) if rel.is_a("IfcRelDefinesByProperties")]
    of_type = element_util.get_type(element)
    return own + list((of_type.HasPropertySets or ()) if of_type and of_type != element else ())


def single(element, name, prop):
    found = psets(element).get(name, {}).get(prop)
    return None if found is None or found.NominalValue is None else found.NominalValue.wrappedValue


def quantity(element, name, prop):
    found = psets(element).get(name, {}).get(prop)
    return None if found is None else found[3]


def set_of(element):
    """The material of an element, a usage's set."""
    material = element_util.get_material(element, should_inherit=True)
    return material.ForLayerSet if material and material.is_a("IfcMaterialLayerSetUsage") else material


def storey_of(element):
    container = element
    while container is not None and not container.is_a("IfcBuildingStorey"):
        container = parent(container)
    return container


def parent(element):
    for inverse, attribute in (
        ("ContainedInStructure", "RelatingStructure"),
        ("Decomposes", "RelatingObject"),
        ("FillsVoids", "RelatingOpeningElement"),
        ("VoidsElements", "RelatingBuildingElement"),
    ):
        relations = getattr(element, inverse, ())
        if relations:
            return getattr(relations[0], attribute)
    return None


@answers
def spaces_per_storey(model):
    rows = []
    for storey in model.of("IfcBuildingStorey"):
        parts = [part for rel in storey.IsDecomposedBy for part in rel.RelatedObjects if part.is_a("IfcSpace")]
        rows.append([storey.Name, len(parts)])
    return rows


@answers
def doors_of_a_storey(model):
    pairs = model.related("IfcRelContainedInSpatialStructure", "RelatingStructure", "RelatedElements")
    doors = [door for storey, door in pairs if storey.Name == "Level 1" and door.is_a("IfcDoor")]
    return [[d.GlobalId, d.OverallWidth * model.scale, d.OverallHeight * model.scale] for d in doors]


@answers
def external_walls(model):
    return [[w.GlobalId] for w in model.of("IfcWall") if single(w, "Pset_WallCommon", "IsExternal") is True]


@answers
def fire_rating_of_doors(model):
    ratings = [single(d, "Pset_DoorCommon", "FireRating") for d in model.of("IfcDoor")]
    return counted(r for r in ratings if r is not None)


def host(filling):
    return filling.FillsVoids[0].RelatingOpeningElement.VoidsElements[0].RelatingBuildingElement


@answers
def windows_by_wall(model):
    return counted(host(w).GlobalId for w in model.of("IfcWindow") if w.FillsVoids)


@answers
def materials_of_walls(model):
    found = {m.Name for wall in model.of("IfcWall") for m in element_util.get_materials(wall)}
    return [[name] for name in found]


@answers
def thickness_of_build_ups(model):
    # layers that lie twice in a build-up at one thickness are two nodes with one value each
    sets = model.of("IfcMaterialLayerSet")
    return [[s.LayerSetName, sum(l.LayerThickness for l in s.MaterialLayers) * model.scale] for s in sets]


@answers
def large_rooms(model):
    areas = [(s, quantity(s, "GSA Space Areas", "GSA BIM Area")) for s in model.of("IfcSpace")]
    return [[s.GlobalId, area] for s, area in areas if area is not None and area > 20]


@answers
def occurrences_of_types(model):
    pairs = model.related("IfcRelDefinesByType", "RelatingType", "RelatedObjects")
    return counted(of_type.GlobalId for of_type, _ in pairs)


@answers
def classes_on_a_storey(model):
    products = [p for p in model.of("IfcProduct") if not p.is_a("IfcBuildingStorey")]
    on = [p for p in products if (storey_of(p) or p).is_a("IfcBuildingStorey") and storey_of(p).Name == "Level 2"]
    return counted("ifc:" + p.is_a() for p in on)


@answers
def openings_without_filling(model):
    return [[o.GlobalId] for o in model.of("IfcOpeningElement") if not o.HasFillings]


@answers
def walls_with_many_connections(model):
    others = defaultdict(set)
    for a, b in model.related("IfcRelConnectsElements", "RelatingElement", "RelatedElement"):
        others[a].add(b)
        others[b].add(a)
    return [[w.GlobalId, len(o)] for w, o in others.items() if w.is_a("IfcWall") and len(o) >= 5]


@answers
def boundaries_of_a_room(model):
    pairs = model.related("IfcRelSpaceBoundary", "RelatingSpace", "RelatedBuildingElement")
    return [[element.GlobalId] for space, element in pairs if space.Name == "A101"]


@answers
def doors_between_rooms(model):
    both = [(door, model.sides(door)) for door in model.of("IfcDoor")]
    return [[d.GlobalId, *sorted(s.Name for s in sides)] for d, sides in both if all(sides) and sides[0] != sides[1]]


@answers
def doors_to_the_outside(model):
    both = [(door, model.sides(door)) for door in model.of("IfcDoor")]
    return [[d.GlobalId, (a or b).Name] for d, (a, b) in both if bool(a) != bool(b)]


@answers
def measured_floor_areas(model):
    return [[space.GlobalId, measured[3]] for space, measured in model.spaces.items()]


@answers
def rooms_within_three_doors(model):
    ways = [model.sides(door) for door in model.of("IfcDoor")]
    reached = {None}
    while True:
        further = {x for way in ways if set(way) & reached for x in way} | reached
        if further == reached:
            return [[space.Name] for space in reached if space]
        reached = further


@answers
def everything_in_the_building(model):
    pairs = model.related("IfcRelContainedInSpatialStructure", "RelatingStructure", "RelatedElements")
    return [[len({e.id() for s, e in pairs if e.is_a("IfcElement") and not s.is_a("IfcSite") and not s.is_a("IfcBuilding")})]]


@answers
def no_columns(model):
    return bool(model.of("IfcColumn"))


@answers
def rooms_beside_each_other(model):
    on = [s for s in model.of("IfcSpace") if storey_of(s).Name == "Level 1"]
    return [sorted([a.Name, b.Name]) for i, a in enumerate(on) for b in on[i + 1 :] if beside(model, a, b)]


# the thickest wall between two rooms, and the least length that they share, in metres
WALL, SHARED = 0.75, 0.15


def beside(model, a, b):
    """True if two spaces look at each other through a wall: their outlines meet when each is swept along one axis."""
    (one, low, high, *_), (other, bottom, top, *_) = model.spaces[a], model.spaces[b]
    if min(high, top) - max(low, bottom) < 0.5 or one.distance(other) > WALL:
        return False
    for dx, dy in ((WALL, 0), (-WALL, 0), (0, WALL), (0, -WALL)):
        swept = shapely.union_all([shapely.affinity.translate(one, dx * n / 25, dy * n / 25) for n in range(26)])
        met = swept.intersection(other)
        if met.is_empty:
            continue
        left, lower, right, upper = met.bounds
        if (upper - lower if dx else right - left) > SHARED:
            return True
    return False


@answers
def rooms_above_each_other(model):
    levels = {"Level 1": [], "Level 2": []}
    for space in model.of("IfcSpace"):
        levels.get(storey_of(space).Name, []).append(space)
    rows = []
    for below in levels["Level 1"]:
        for above in levels["Level 2"]:
            (one, _, high, *_), (other, low, *_) = model.spaces[below], model.spaces[above]
            beside_too = min(high, model.spaces[above][2]) - max(model.spaces[below][1], low) > 0.5
            if one.intersection(other).area > 0.05 or (beside_too and beside(model, below, above)):
                rows.append([below.Name, above.Name])
    return rows


ANSWERS["spaces_per_storey_german"] = spaces_per_storey


@answers
def lining_of_doors(model):
    depths = [psets(d).get("IfcDoorLiningProperties", {}).get("LiningDepth") for d in model.of("IfcDoor")]
    return counted(depth * model.scale for depth in depths if depth is not None)


@answers
def volumes_of_slabs(model):
    volumes = [(s, quantity(s, "IfcElementQuantity", "volume")) for s in model.of("IfcSlab")]
    return [[s.GlobalId, volume] for s, volume in volumes if volume is not None]


@answers
def classified_spaces(model):
    pairs = model.related("IfcRelAssociatesClassification", "RelatingClassification", "RelatedObjects")
    return [[s.GlobalId, c.ItemReference, c.Name] for c, s in pairs if s.is_a("IfcSpace")]


@answers
def colours(model):
    rows = []
    for element in model.of("IfcObject"):
        colour = psets(element).get("PSet_Draughting", {}).get("Color")
        if colour is not None:
            parts = {part.Name: part.NominalValue.wrappedValue for part in colour.HasProperties}
            rows.append((parts["Red"], parts["Green"], parts["Blue"]))
    return [[*colour, count] for colour, count in Counter(rows).items()]


@answers
def large_windows(model):
    areas = [(w, w.OverallWidth * w.OverallHeight * model.scale**2) for w in model.of("IfcWindow")]
    return [[w.GlobalId, area] for w, area in areas if area > 1.5]


@answers
def wall_volume_by_material(model):
    volumes = defaultdict(float)
    for wall in model.of("IfcWall"):
        volume = quantity(wall, "IfcElementQuantity", "volume")
        for material in set(element_util.get_materials(wall)):
            volumes[material.Name] += volume or 0
    return [list(pair) for pair in volumes.items()]


@answers
def rooms_of_one_name(model):
    return [row for row in counted(s.LongName for s in model.of("IfcSpace")) if row[1] > 1]


@answers
def virtual_boundaries(model):
    virtual = [b for b in model.of("IfcRelSpaceBoundary") if b.PhysicalOrVirtualBoundary == "VIRTUAL"]
    return counted(b.RelatingSpace.GlobalId for b in virtual)


@answers
def doors_between_rooms_german(model):
    both = [(door, model.sides(door)) for door in model.of("IfcDoor")]
    return [[d.GlobalId, *sorted(s.GlobalId for s in sides)] for d, sides in both if all(sides) and sides[0] != sides[1]]


@answers
def doors_to_the_outside_german(model):
    both = [(door, model.sides(door)) for door in model.of("IfcDoor")]
    return [[d.GlobalId, (a or b).GlobalId] for d, (a, b) in both if bool(a) != bool(b)]


@answers
def measured_volumes(model):
    return [[space.GlobalId, measured[4]] for space, measured in model.spaces.items()]


@answers
def openings_per_wall_class(model):
    pairs = model.related("IfcRelVoidsElement", "RelatingBuildingElement", "RelatedOpeningElement")
    return counted("ifc:" + element.is_a() for element, _ in pairs)


@answers
def layers_of_a_wall(model):
    rows = []
    for wall in model.of("IfcWall"):
        layers = getattr(set_of(wall), "MaterialLayers", ())
        thin = {l.LayerThickness * model.scale for l in layers if l.LayerThickness * model.scale < 0.2}
        rows.extend([wall.GlobalId, thickness] for thickness in thin)
    return rows


def answer_of(case, models):
    """The answer to one case; models are opened once."""
    name = case["model"]
    if name not in models:
        models[name] = Building(DATA / "models" / name)
    answer = ANSWERS[case["name"]](models[name])
    return answer if isinstance(answer, bool) else sorted(answer, key=lambda row: [str(cell) for cell in row])


def same(one, other, tolerance):
    """True if two answers are the same, numbers within a relative tolerance."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one == other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= tolerance * max(abs(one), abs(other), 1e-9)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b, tolerance) for a, b in zip(one, other))
    return one == other


def main():
    cases, models = json.loads(QUERIES.read_text()), {}
    for case in cases:
        answer = answer_of(case, models)
        if not same(case.get("answer"), answer, case.get("tolerance", 1e-6)):
            print(case["name"], "differs")
        case["answer"] = answer
    if "--write" in sys.argv:
        lines = ",\n".join(" " + json.dumps(case, ensure_ascii=False) for case in cases)
        QUERIES.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
