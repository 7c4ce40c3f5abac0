"""Intersection volumes of building elements by other people's programs, on IfcOpenShell's shapes.

- IfcOpenShell itself: the triangles of both become an `IfcBooleanResult` of two `IfcFacetedBrep`, which OpenCascade resolves. It wants one closed
  body for each element and takes longer with the product of their triangles.
- The library Manifold, in milliseconds; where an element is of several bodies, too. It refuses what is not manifold.
"""

import functools
import os
from typing import NamedTuple

import ifcopenshell
import ifcopenshell.geom
import ifcopenshell.guid
import manifold3d
import numpy

#: The most that the two numbers of triangles may come to, multiplied, for IfcOpenShell to be asked: up to a fifth of a second.
PATIENCE = 5_000


class Shape(NamedTuple):
    """An element's triangles in metres of the world."""

    type: str
    vertices: numpy.ndarray
    triangles: numpy.ndarray
    bodies: int

    @property
    def low(self):
        """The least corner of its box."""
        return self.vertices.min(axis=0)

    @property
    def high(self):
        """The greatest corner of its box."""
        return self.vertices.max(axis=0)

    def is_closed(self):
        """True if every edge is passed as often one way as the other."""
        places = numpy.unique(numpy.round(self.vertices * 1e6).astype(numpy.int64), axis=0, return_inverse=True)[1].ravel()
        corners = places[self.triangles]
        edges = numpy.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
        edges = edges[edges[:, 0] != edges[:, 1]]
        turn = numpy.where(edges[:, 0] < edges[:, 1], 1, -1)
        _, number = numpy.unique(numpy.sort(edges, axis=1), axis=0, return_inverse=True)
        return not numpy.bincount(number.ravel(), turn).any()


@functools.cache
def shapes(path):
    """The shapes of a file's elements by GlobalId: no openings, no spaces."""
    model = ifcopenshell.open(path)
    wanted = [e for e in model.by_type("IfcElement") if e.Representation and not e.is_a("IfcFeatureElement")]
    settings = ifcopenshell.geom.settings()
    settings.set("use-world-coords", True)
    iterator = ifcopenshell.geom.iterator(settings, model, os.cpu_count(), include=wanted)
    found = {}
    more = iterator.initialize()
    while more:
        shape = iterator.get()
        vertices = numpy.array(shape.geometry.verts, dtype=float).reshape(-1, 3)
        triangles = numpy.array(shape.geometry.faces, dtype=int).reshape(-1, 3)
        if len(triangles):
            found[shape.guid] = Shape(shape.type, vertices, triangles, len(set(shape.geometry.item_ids)))
        more = iterator.next()
    return found


def near(first, second, by):
    """Pairs of GlobalIds of two files' shapes (or one's) whose boxes share more than `by` metres each way."""
    boxes = [(guid, shape.low, shape.high) for guid, shape in second.items()]
    for a, shape in first.items():
        low, high = shape.low, shape.high
        for b, other_low, other_high in boxes:
            if a != b or first is not second:
                if (numpy.minimum(high, other_high) - numpy.maximum(low, other_low) > by).all() and (first is not second or a < b):
                    yield a, b


def manifold(shape, origin):
    """A shape as Manifold has it; nothing where it is not manifold."""
    mesh = manifold3d.Mesh64(shape.vertices - origin, shape.triangles.astype(numpy.uint64))
    mesh.merge()
    body = manifold3d.Manifold(mesh)
    return body if body.status() == manifold3d.Error.NoError else None


def by_manifold(a, b):
    """The shared volume in m³; nothing where one of the shapes is not manifold."""
    bodies = [manifold(shape, a.low) for shape in (a, b)]
    return None if None in bodies else (bodies[0] ^ bodies[1]).volume()


def brep(model, vertices, triangles):
    """Triangles as an IfcFacetedBrep."""
    points = [model.createIfcCartesianPoint(point) for point in vertices.tolist()]
    loops = [model.createIfcPolyLoop([points[corner] for corner in triangle]) for triangle in triangles.tolist()]
    faces = [model.createIfcFace([model.createIfcFaceOuterBound(loop, True)]) for loop in loops]
    return model.createIfcFacetedBrep(model.createIfcClosedShell(faces))


def by_ifcopenshell(a, b):
    """The shared volume in m³ by IfcOpenShell and OpenCascade; nothing where they make none."""
    model = ifcopenshell.file(schema="IFC4")
    axes = model.createIfcAxis2Placement3D(model.createIfcCartesianPoint((0.0, 0.0, 0.0)))
    context = model.createIfcGeometricRepresentationContext(None, "Model", 3, 1e-6, axes)
    units = model.createIfcUnitAssignment([model.createIfcSIUnit(None, "LENGTHUNIT", None, "METRE")])
    model.createIfcProject(ifcopenshell.guid.new(), RepresentationContexts=[context], UnitsInContext=units)
    both = [brep(model, shape.vertices - a.low, shape.triangles) for shape in (a, b)]
    body = model.createIfcShapeRepresentation(context, "Body", "CSG", [model.createIfcBooleanResult("INTERSECTION", *both)])
    definition = model.createIfcProductDefinitionShape(Representations=[body])
    product = model.createIfcBuildingElementProxy(ifcopenshell.guid.new(), Representation=definition)
    try:
        shape = ifcopenshell.geom.create_shape(ifcopenshell.geom.settings(), product, geometry_library="opencascade").geometry
    except RuntimeError:
        return None
    corners = numpy.array(shape.verts, dtype=float).reshape(-1, 3)[numpy.array(shape.faces, dtype=int).reshape(-1, 3)]
    return abs(float(numpy.einsum("ij,ij->", corners[:, 0], numpy.cross(corners[:, 1], corners[:, 2])) / 6))


def is_quick(a, b):
    """True if IfcOpenShell can be asked: one body each, and not too many triangles."""
    return a.bodies == b.bodies == 1 and len(a.triangles) * len(b.triangles) <= PATIENCE
