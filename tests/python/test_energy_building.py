"""Buildings as energy models, held against what IfcOpenShell finds in their files, and results of a run in them afterwards."""

import json
import math
import urllib.request

import ifcopenshell
import ifcopenshell.util.element
import ifcopenshell.util.placement
import ifcopenshell.util.unit
import ifcopenshell.validate
import needs
import numpy
import pytest
from client import Client
from conftest import models_named

ENERGYPLUS = needs.energyplus()
WEATHER = "WeatherData/USA_CO_Golden-NREL.724666_TMY3.epw"
HOUSE, ROW_HOUSE = (models_named(name) for name in ("AC20-FZK-Haus", "ExampleHOM"))
SECTORS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


@pytest.fixture
def session(program, data):
    with Client(program, data, options=["--energyplus-dir", ENERGYPLUS]) as client:
        yield client


def convert(session, path, **asked):
    """The energy model of a building, now the session's."""
    building = session.call("load_model", file_path=str(path))["model_id"]
    made = session.call("ifc_to_energy_model", weather_file=f"{ENERGYPLUS}/{WEATHER}", **asked)
    return building, made


def report(made):
    """The whole report that an answer links to."""
    with urllib.request.urlopen(made["links"][0]["href"]) as reply:
        return json.load(reply)


def stated(space, *names):
    """The first of these quantities that a space has."""
    sets = ifcopenshell.util.element.get_psets(space, qtos_only=True)
    return next(own[name] for name in names for own in sets.values() if name in own)


def points(curve):
    """The corners of a curve in a plane; those of its pieces one after another."""
    if curve.is_a("IfcPolyline"):
        corners = [point.Coordinates[:2] for point in curve.Points]
        return corners[:-1] if corners[0] == corners[-1] else corners
    assert curve.is_a("IfcCompositeCurve"), curve
    return [corner for piece in curve.Segments for corner in points(piece.ParentCurve)]


def area(curve):
    """By the shoelace formula; signed."""
    corners = points(curve)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, corners[1:] + corners[:1], strict=True)) / 2


def facades(model):
    """Square metres of outer walls by where they face, windows and doors in them included: the external boundaries of spaces, as
    the file states them."""
    metre = ifcopenshell.util.unit.calculate_unit_scale(model)
    contexts = [c for c in model.by_type("IfcGeometricRepresentationContext", False) if c.ContextType == "Model"]
    north = next((c.TrueNorth.DirectionRatios for c in contexts if c.TrueNorth), (0.0, 1.0))
    found = dict.fromkeys(SECTORS, 0.0)
    for boundary in model.by_type("IfcRelSpaceBoundary"):
        element = boundary.RelatedBuildingElement
        if boundary.InternalOrExternalBoundary != "EXTERNAL" or element is None or not element.is_a("IfcWall"):
            continue
        if not boundary.RelatingSpace.is_a("IfcSpace"):
            continue
        plane = boundary.ConnectionGeometry.SurfaceOnRelatingElement
        frame = ifcopenshell.util.placement.get_local_placement(boundary.RelatingSpace.ObjectPlacement)
        frame = frame @ ifcopenshell.util.placement.get_axis2placement(plane.BasisSurface.Position)
        normal = frame[:3, 2]
        if abs(normal[2]) > 0.5:
            continue
        # away from the space: from the middle of its body to the boundary
        corner = (frame @ numpy.array([*points(plane.OuterBoundary)[0], 0, 1]))[:3]
        outward = normal if normal @ (corner - middle(boundary.RelatingSpace)) > 0 else -normal
        azimuth = math.degrees(math.atan2(outward[0], outward[1]) - math.atan2(north[0], north[1]))
        size = abs(area(plane.OuterBoundary)) - sum(abs(area(inner)) for inner in plane.InnerBoundaries or ())
        found[SECTORS[round(azimuth / 45) % 8]] += size * metre**2
    return {name: size for name, size in found.items() if size}


def middle(space):
    """The middle of a space's body, by IfcOpenShell's geometry."""
    import ifcopenshell.geom

    settings = ifcopenshell.geom.settings()
    settings.set("use-world-coords", True)
    shape = ifcopenshell.geom.create_shape(settings, space)
    corners = numpy.array(shape.geometry.verts).reshape(-1, 3)
    metre = ifcopenshell.util.unit.calculate_unit_scale(space.file)
    return (corners.min(0) + corners.max(0)) / 2 / metre


@pytest.mark.parametrize("path", HOUSE, ids=[path.stem for path in HOUSE])
def test_outer_walls_are_as_large_as_the_file_states_in_every_direction(path, session):
    convert(session, path)
    seen = {name: wall for name, (wall, _) in session.call("view_geometry")["facades"].items()}
    stated = facades(ifcopenshell.open(str(path)))
    assert seen.keys() == stated.keys(), (seen, stated)
    for name, size in stated.items():
        assert seen[name] == pytest.approx(size, rel=0.02), (name, seen, stated)


@pytest.mark.parametrize("path", HOUSE, ids=[path.stem for path in HOUSE])
def test_rooms_and_constructions_are_those_of_the_file(path, session):
    _, made = convert(session, path)
    model = ifcopenshell.open(str(path))
    told = report(made)
    assert len(told["zones"]) == len(model.by_type("IfcSpace"))
    for zone in told["zones"]:
        space = model.by_guid(zone["space"])
        assert zone["volume"] == pytest.approx(stated(space, "NetVolume"), rel=0.01), zone
        assert zone["floor_area"] == pytest.approx(stated(space, "NetFloorArea"), rel=0.035) or zone["zone"].endswith("Galerie"), zone
    compared = 0
    for row in told["constructions"]:
        # a construction of several elements has no stated value of its own
        if not row["element"] or row["stated_transmittance"] is None:
            continue
        sets = ifcopenshell.util.element.get_psets(model.by_guid(row["element"]))
        own = next((s["ThermalTransmittance"] for s in sets.values() if "ThermalTransmittance" in s), None)
        if own is not None:
            assert row["transmittance"] == pytest.approx(own, rel=0.02), row
            compared += 1
    assert compared >= 4


@pytest.mark.parametrize("path", HOUSE, ids=[path.stem for path in HOUSE])
def test_a_storey_as_a_zone_gives_its_results_to_all_its_spaces(path, session):
    corrections = [
        {"what": "infiltration", "where": ["IfcSpace"], "value": 0.5},
        {"what": "thermal transmittance", "where": ["IfcWall"], "value": "0.2 W/(m²·K)"},
    ]
    building, made = convert(session, path, zoning="storey", corrections=corrections)
    model = ifcopenshell.open(str(path))
    assert {zone["zone"] for zone in made["zones"]} == {storey.Name for storey in model.by_type("IfcBuildingStorey")}
    corrected = [row for row in report(made)["assumptions"] if row["source"] == "a correction"]
    assert {row["what"] for row in corrected} == {"infiltration", "thermal transmittance"}
    run = session.call("run_simulation", design_day=True)
    assert (run["status"], run["severe"]) == ("completed", 0), run
    assert session.call("results_to_ifc")["spaces"] == len(model.by_type("IfcSpace"))


def findings(model):
    """What the validation says of instances against the schema; of the header it says the same of both, with their times in it."""
    log = ifcopenshell.validate.json_logger()
    ifcopenshell.validate.validate(model, log)
    of_instances = (s for s in log.statements if isinstance(s.get("instance"), ifcopenshell.entity_instance))
    return {str(statement["message"]) for statement in of_instances}


@pytest.mark.parametrize("path", ROW_HOUSE, ids=[path.stem for path in ROW_HOUSE])
def test_results_stand_in_the_spaces_and_nothing_else_changes(path, session, tmp_path):
    building, made = convert(session, path)
    run = session.call("run_simulation", design_day=True)
    assert (run["status"], run["severe"]) == ("completed", 0), run
    session.call("results_to_ifc")
    answer = session.call("export_ifc", model_id=building)
    written = tmp_path / "results.ifc"
    with urllib.request.urlopen(answer["links"][0]["href"]) as reply:
        written.write_bytes(reply.read())
    before, after = ifcopenshell.open(str(path)), ifcopenshell.open(str(written))
    assert findings(after) <= findings(before)
    spaces = {zone["space"]: zone for zone in made["zones"]}
    assert {space.GlobalId for space in after.by_type("IfcSpace")} == set(spaces)
    sets = ifcopenshell.util.element.get_psets
    results = {guid: sets(after.by_guid(guid)).pop("EnergyPlus_Results") for guid in spaces}
    assert any("HeatingDesignLoad_W" in own for own in results.values())
    for own in results.values():
        assert own["Run"] == run["job_id"] and own["EnergyModel"] == made["model_id"]
        assert own["AirTemperatureLowest_C"] < own["AirTemperatureHighest_C"]
        # what is not conditioned has no design load
        assert own.get("HeatingDesignLoad_W", 0) >= 0
    # every other object has what it had
    for element in before.by_type("IfcObject"):
        kept = {name: values for name, values in sets(after.by_guid(element.GlobalId)).items() if name != "EnergyPlus_Results"}
        assert {n: v.keys() for n, v in kept.items()} == {n: v.keys() for n, v in sets(element).items()}, element
    old = {line.partition("=")[0]: line for line in before.to_string().splitlines() if line.startswith("#")}
    new = {line.partition("=")[0]: line for line in after.to_string().splitlines() if line.startswith("#")}
    assert all(new.get(number) == line for number, line in old.items())
    added = {after.by_id(int(number[1:])).is_a() for number in new.keys() - old.keys()}
    assert added <= {"IfcPropertySet", "IfcPropertySingleValue", "IfcRelDefinesByProperties", "IfcOwnerHistory",
                     "IfcPerson", "IfcOrganization", "IfcPersonAndOrganization", "IfcApplication"}, added
