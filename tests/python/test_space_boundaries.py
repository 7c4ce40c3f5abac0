"""Space boundaries that are written: the schema and its rules hold by `ifcopenshell.validate`, each surface lies in the plane of a face of
its room, and as much of every room is covered as IfcOpenShell's geometry says it has surface."""

import collections
import re

import ifcopenshell
import ifcopenshell.geom
import ifcopenshell.util.placement
import ifcopenshell.util.shape
import ifcopenshell.util.unit
import ifcopenshell.validate
import numpy
import pytest
from compiled_rules import keep_rules
from conftest import models_named

#: Models with spaces of other programs.
MODELS = models_named("3rooms_with_SB", "AC20-FZK-Haus", "Duplex_A_20110907", "ExampleHOM", "Niedri")


def corners(curve):
    """The corners of a polyline that is closed."""
    points = [point.Coordinates for point in curve.Points]
    assert points[0] == points[-1] and len(points) > 3, curve
    return numpy.array(points[:-1])


def area(points):
    """By the shoelace formula; positive counter-clockwise."""
    x, y = points[:, 0], points[:, 1]
    return float(x @ numpy.roll(y, -1) - numpy.roll(x, -1) @ y) / 2


def surface(boundary):
    """Area in the file's unit, outward normal, and a corner in the world, of a boundary."""
    plane = boundary.ConnectionGeometry.SurfaceOnRelatingElement
    frame = ifcopenshell.util.placement.get_local_placement(boundary.RelatingSpace.ObjectPlacement)
    frame = frame @ ifcopenshell.util.placement.get_axis2placement(plane.BasisSurface.Position)
    outer = corners(plane.OuterBoundary)
    assert area(outer) > 0, boundary
    size = area(outer) - sum(abs(area(corners(hole))) for hole in plane.InnerBoundaries)
    corner = (frame @ numpy.array([*outer[0], 0, 1]))[:3]
    return size, frame[:3, 2], corner


def faces(space):
    """The triangles of a room's body in metres, by IfcOpenShell: origin, outward normal and area of each."""
    settings = ifcopenshell.geom.settings()
    settings.set("use-world-coords", True)
    geometry = ifcopenshell.geom.create_shape(settings, space).geometry
    points = ifcopenshell.util.shape.get_vertices(geometry)
    triangles = points[ifcopenshell.util.shape.get_faces(geometry)]
    cross = numpy.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    size = numpy.linalg.norm(cross, axis=1)
    kept = size > 1e-9
    # a file may have a body inside out
    outward = 1 if numpy.einsum("ij,ij->i", triangles[:, 0], cross).sum() > 0 else -1
    return triangles[kept, 0], outward * cross[kept] / size[kept, None], size[kept] / 2


def findings(path):
    """What `ifcopenshell.validate` says of a file, counted by its words without numbers."""
    keep_rules()
    logger = ifcopenshell.validate.json_logger()
    ifcopenshell.validate.validate(ifcopenshell.open(str(path)), logger, express_rules=True)
    told = (str(entry.get("message", "")) for entry in logger.statements)
    # the header is that of the program that saved the file
    return collections.Counter(re.sub(r"\d+", "", text)[:60] for text in told if "FILE_" not in text)


@pytest.mark.parametrize("path", MODELS, ids=[path.stem for path in MODELS])
def test_boundaries_cover_rooms_and_keep_the_schema(path, shared_session, tmp_path):
    bare = ifcopenshell.open(str(path))
    for boundary in bare.by_type("IfcRelSpaceBoundary"):
        bare.remove(boundary)
    dropped = tmp_path / "dropped.ifc"
    bare.write(str(dropped))
    model = shared_session.call("load_model", file_path=str(dropped))["model_id"]
    answers = {
        name: shared_session.call("create_space_boundaries", model_id=model, level=level)
        for name, level in {"1stLevel": "first", "2ndLevel": "second"}.items()
    }
    saved = tmp_path / "saved.ifc"
    shared_session.call("save_model", model_id=model, file_path=str(saved))
    worse = findings(saved) - findings(dropped)
    assert not worse, worse
    found = ifcopenshell.open(str(saved))
    for name, answer in answers.items():
        boundaries = [boundary for boundary in found.by_type("IfcRelSpaceBoundary") if boundary.Name == name]
        assert len(boundaries) == answer["created"] > 0
        if found.schema != "IFC2X3":
            assert {boundary.is_a() for boundary in boundaries} == {f"IfcRelSpaceBoundary{name}"}
        cover_rooms(found, boundaries, answer)


def cover_rooms(found, boundaries, answer):
    """Each boundary lies in a face of its room, together they are as large as the room's surface, and both sides are tied."""
    metre = ifcopenshell.util.unit.calculate_unit_scale(found)
    sums, covered = collections.Counter(), collections.Counter()
    shapes = {space: faces(space) for space in {boundary.RelatingSpace for boundary in boundaries}}
    openings = ("IfcDoor", "IfcWindow", "IfcOpeningElement")
    for boundary in boundaries:
        size, normal, corner = surface(boundary)
        origins, normals, sizes = shapes[boundary.RelatingSpace]
        beside = numpy.abs(numpy.einsum("ij,ij->i", corner * metre - origins, normals)) < 1e-3
        turned = normals @ normal
        # of a body with faces that look in as well as out, which some files have, nothing is said of the side
        is_closed = numpy.linalg.norm(sizes @ normals) < 1e-3 * sizes.sum()
        assert (beside & ((turned if is_closed else numpy.abs(turned)) > 0.999)).any(), boundary
        element = boundary.RelatedBuildingElement
        if element is not None and any(element.is_a(name) for name in openings):
            continue
        sums[boundary.InternalOrExternalBoundary[:8]] += size * metre**2
        covered[boundary.RelatingSpace] += size * metre**2
    # in IFC2X3 an opening that nothing fills has no element, and counts among the surfaces
    unfilled = collections.Counter()
    told = collections.Counter()
    for row in answer["by_side"]:
        told[row["side"][:8]] += row["area"]
        unfilled[row["side"][:8]] += row["opening_area"] if found.schema == "IFC2X3" else 0
    for space, size in covered.items():
        whole = shapes[space][2].sum()
        assert 0.99 * whole < size < 1.01 * whole + sum(unfilled.values()), space
    for side, size in told.items():
        assert size - 0.01 < sums[side] < size + unfilled[side] + 0.01, side
    for boundary in boundaries:
        other = getattr(boundary, "CorrespondingBoundary", None)
        if other is not None:
            assert other.CorrespondingBoundary == boundary
            assert other.RelatingSpace != boundary.RelatingSpace
