"""Booleans of elements, as IfcOpenShell's two kernels measure the files that they are written to."""

import ifcopenshell
import ifcopenshell.geom
import numpy
import pytest
from compare_geometry import KERNELS, measure

#: What two walls of 6 by 0.2 by 3 m and 4 by 0.2 by 3 m that cross come to, in m³, and what the second's opening leaves of that.
WALLS = {"union": (5.88, 5.72), "difference": (3.48, 3.52), "intersection": (0.12, 0.08)}


def volumes(path, guid):
    """The volume of an element by each kernel."""
    model = ifcopenshell.open(str(path))
    found = []
    for kernel in KERNELS:
        shape = ifcopenshell.geom.create_shape(ifcopenshell.geom.settings(), model.by_guid(guid), geometry_library=kernel).geometry
        vertices, triangles = numpy.array(shape.verts).reshape(-1, 3), numpy.array(shape.faces).reshape(-1, 3)
        measured = measure(vertices, triangles, numpy.zeros(len(triangles), int))
        assert measured["closed"], kernel
        found.append(measured["volume"])
    return found


@pytest.mark.parametrize("opened", [False, True], ids=["parametric", "faces"])
@pytest.mark.parametrize("schema", ["IFC2X3", "IFC4", "IFC4X3"])
@pytest.mark.parametrize("operation", WALLS)
def test_combined_walls_measure_what_both_kernels_of_ifcopenshell_say(shared_session, tmp_path, operation, schema, opened):
    storeys = [{"name": "Ground Floor", "elevation": 0}]
    model = shared_session.call("create_project", name=f"{operation} {schema} {opened}", schema=schema, storeys=storeys)["model_id"]

    def wall(start, end):
        return shared_session.call("create_wall", model_id=model, level_id="Ground Floor", start=start, end=end)["wall_id"]

    a, b = wall([1000, 1000], [7000, 1000]), wall([3000, -1000], [3000, 3000])
    if opened:
        place = {"along": 2000, "sill": 1000}
        shared_session.call("create_opening", model_id=model, host_id=b, location=place, width=1000, height=1000)
    answer = shared_session.call("boolean_operation", model_id=model, element_a=a, element_b=b, operation_type=operation)
    assert (answer["representation"] == "IfcBooleanResult") == (not opened)
    saved = tmp_path / "combined.ifc"
    shared_session.call("save_model", model_id=model, file_path=str(saved))
    expected = WALLS[operation][opened]
    assert answer["volume"] == pytest.approx(expected, abs=1e-6)
    assert volumes(saved, answer["result_id"]) == pytest.approx([expected] * 2, abs=1e-6)
