"""The peer's side of `cargo xtask bench --authoring`: `ifcopenshell.api` makes and moves what our tools do, in memory."""

import json
import sys
import time

import ifcopenshell
import ifcopenshell.api.aggregate
import ifcopenshell.api.context
import ifcopenshell.api.feature
import ifcopenshell.api.geometry
import ifcopenshell.api.project
import ifcopenshell.api.root
import ifcopenshell.api.spatial
import ifcopenshell.api.unit
import numpy

CALLS = 5
WINDOWS = 10
STOREYS = 10


def spent(work):
    """The milliseconds that `work` takes."""
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1e3


def median(values):
    """The middle one."""
    return sorted(values)[len(values) // 2]


def at(x, y, z, turned=False):
    """A placement in metres."""
    matrix = numpy.eye(4)
    if turned:
        matrix[:2, :2] = [[0, -1], [1, 0]]
    matrix[:3, 3] = (x, y, z)
    return matrix


def body_of(model):
    """A new context of bodies."""
    whole = next(c for c in model.by_type("IfcGeometricRepresentationContext") if c.ContextType == "Model")
    return ifcopenshell.api.context.add_context(
        model, context_type="Model", context_identifier="Body", target_view="MODEL_VIEW", parent=whole
    )


class Author:
    """One model and the context of its bodies."""

    def __init__(self, model):
        self.model = model
        contexts = model.by_type("IfcGeometricRepresentationSubContext")
        bodies = [context for context in contexts if context.ContextIdentifier == "Body"]
        self.body = bodies[0] if bodies else body_of(model)

    def place(self, product, matrix):
        ifcopenshell.api.geometry.edit_object_placement(self.model, product=product, matrix=matrix)

    def show(self, product, representation):
        ifcopenshell.api.geometry.assign_representation(self.model, product=product, representation=representation)

    def product(self, ifc_class, storey, matrix, representation, name):
        product = ifcopenshell.api.root.create_entity(self.model, ifc_class=ifc_class, name=name)
        self.place(product, matrix)
        self.show(product, representation)
        ifcopenshell.api.spatial.assign_container(self.model, products=[product], relating_structure=storey)
        return product

    def wall(self, storey, matrix, length, height=3.0, thickness=0.2, name="Wall"):
        representation = ifcopenshell.api.geometry.add_wall_representation(
            self.model, context=self.body, length=length, height=height, thickness=thickness
        )
        return self.product("IfcWall", storey, matrix, representation, name)

    def slab(self, storey, matrix, width, depth):
        outline = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth), (0.0, 0.0)]
        representation = ifcopenshell.api.geometry.add_slab_representation(
            self.model, context=self.body, depth=0.2, polyline=outline
        )
        return self.product("IfcSlab", storey, matrix, representation, "Floor")

    def filled(self, storey, wall, x, y, z, width, height, ifc_class):
        opening = ifcopenshell.api.root.create_entity(self.model, ifc_class="IfcOpeningElement")
        self.place(opening, at(x, y, z))
        self.show(
            opening,
            ifcopenshell.api.geometry.add_wall_representation(
                self.model, context=self.body, length=width, height=height, thickness=0.4
            ),
        )
        ifcopenshell.api.feature.add_feature(self.model, feature=opening, element=wall)
        make = (
            ifcopenshell.api.geometry.add_window_representation
            if ifc_class == "IfcWindow"
            else ifcopenshell.api.geometry.add_door_representation
        )
        drawn = make(self.model, context=self.body, overall_height=height * 1000, overall_width=width * 1000)
        filling = self.product(ifc_class, storey, at(x, y, z), drawn, ifc_class[3:])
        ifcopenshell.api.feature.add_filling(self.model, opening=opening, element=filling)

    def space(self, storey, x, y, width, depth):
        space = ifcopenshell.api.root.create_entity(self.model, ifc_class="IfcSpace", name="Room")
        outline = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth), (0.0, 0.0)]
        self.place(space, at(x, y, 0.0))
        self.show(
            space,
            ifcopenshell.api.geometry.add_slab_representation(
                self.model, context=self.body, depth=2.8, polyline=outline
            ),
        )
        ifcopenshell.api.aggregate.assign_object(self.model, products=[space], relating_object=storey)


def project():
    """A new model in metres, with one building."""
    model = ifcopenshell.api.project.create_file(version="IFC4")
    whole = ifcopenshell.api.root.create_entity(model, ifc_class="IfcProject", name="House")
    ifcopenshell.api.unit.assign_unit(model, length={"is_metric": True, "raw": "METERS"})
    context = ifcopenshell.api.context.add_context(model, context_type="Model")
    ifcopenshell.api.context.add_context(
        model, context_type="Model", context_identifier="Body", target_view="MODEL_VIEW", parent=context
    )
    building = ifcopenshell.api.root.create_entity(model, ifc_class="IfcBuilding", name="Building")
    ifcopenshell.api.aggregate.assign_object(model, products=[building], relating_object=whole)
    return model, building


def storey(model, building, elevation):
    """A new storey."""
    made = ifcopenshell.api.root.create_entity(model, ifc_class="IfcBuildingStorey", name=f"Level {elevation}")
    ifcopenshell.api.geometry.edit_object_placement(model, product=made, matrix=at(0, 0, elevation))
    ifcopenshell.api.aggregate.assign_object(model, products=[made], relating_object=building)
    return made


def walls(path, size, figures):
    """Bare walls and walls with two windows."""
    author = Author(ifcopenshell.open(path))
    level = author.model.by_type("IfcBuildingStorey")[0]

    def one(n, windows):
        y = -20.0 - 4.0 * n
        wall = author.wall(level, at(0, y, 0), 6.0)
        for x in windows:
            author.filled(level, wall, x, y, 0.9, 1.2, 1.2, "IfcWindow")

    figures[f"wall, {size}"] = median([spent(lambda n=n: one(n, [])) for n in range(CALLS)])
    two = [spent(lambda n=n: one(n + 100, [0.9, 3.9])) for n in range(CALLS)]
    figures[f"wall with two windows, {size}"] = median(two)


def moved(figures):
    """A wall moved with ten windows and their openings."""
    model, building = project()
    author = Author(model)
    level = storey(model, building, 0.0)
    wall = author.wall(level, at(0, 0, 0), 20.0)
    for n in range(WINDOWS):
        author.filled(level, wall, 0.4 + 2.0 * n, 0.0, 0.9, 1.2, 1.2, "IfcWindow")

    def move(n):
        y = 0.5 if n % 2 == 0 else 0.0
        author.place(wall, at(0, y, 0))
        # windows stand in the storey and not in the wall: they are moved by hand
        for number, window in enumerate(model.by_type("IfcWindow")):
            author.place(window, at(0.4 + 2.0 * number, y, 0.9))

    figures["wall moved with 20 dependents"] = median([spent(lambda n=n: move(n)) for n in range(CALLS)])


def tower(figures):
    """A shell of ten storeys; then three rooms with partitions and doors on each."""
    model, building = project()
    author = Author(model)
    levels = []

    def shell():
        for n in range(STOREYS):
            level = storey(model, building, 3.0 * n)
            levels.append(level)
            author.slab(level, at(0, 0, 3.0 * n), 12.0, 9.0)
            for x, y, length, turned in [(0, 0, 12, False), (12, 0, 9, True), (0, 8.8, 12, False), (0.2, 0, 9, True)]:
                author.wall(level, at(x, y, 3.0 * n, turned), float(length))
        author.slab(levels[-1], at(0, 0, 3.0 * STOREYS), 12.0, 9.0)

    def rooms():
        for n, level in enumerate(levels):
            for x in (4.0, 8.0):
                wall = author.wall(level, at(x, 0.2, 3.0 * n, True), 8.6, thickness=0.1)
                author.filled(level, wall, x, 1.0, 3.0 * n, 0.9, 2.1, "IfcDoor")
            for x in (0.2, 4.1, 8.1):
                author.space(level, x, 0.2, 3.7, 8.6)

    bare = spent(shell)
    figures["ten-storey shell"] = bare
    figures["ten-storey shell with rooms"] = bare + spent(rooms)


def main(small, large):
    """Prints the figures as JSON."""
    figures = {}
    walls(small, "2 MB", figures)
    walls(large, "27 MB", figures)
    moved(figures)
    tower(figures)
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:3])
