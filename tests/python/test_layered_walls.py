"""Walls of several layers that meet in corners, tees and a cross: what our kernel says their volumes are is what IfcOpenShell's geometry
finds in the file, they take up the plan once and whole, and the connections hold a priority for each layer."""

import ifcopenshell
import ifcopenshell.geom
import ifcopenshell.util.element
import ifcopenshell.util.shape
import ifcopenshell.validate
import pytest

#: Thickness in mm and function, from the right face to the left.
OUTER = [("Brick", 100, "finish"), ("Wool", 140, "insulation"), ("Concrete", 180, "core"), ("Plaster", 15, "finish")]
INNER = [("Plaster", 15, "finish"), ("Concrete", 200, "core"), ("Plaster", 15, "finish")]
LIGHT = [("Gypsum board", 25, "finish"), ("Studs", 75, "core"), ("Gypsum board", 25, "finish")]
PRIORITIES = {"core": 80, "insulation": 40, "finish": 20}

#: Name, start, end, layers, use: a house with a wall across, walls that end on both sides of that,
#: and one outside that ends on the house.
WALLS = [
    ("South", [0, 0], [8000, 0], OUTER, "exterior"),
    ("East", [8000, 0], [8000, 6000], OUTER, "exterior"),
    ("North", [8000, 6000], [0, 6000], OUTER, "exterior"),
    ("West", [0, 6000], [0, 0], OUTER, "exterior"),
    ("Middle", [3000, 0], [3000, 6000], INNER, "interior"),
    ("Left", [3000, 3000], [0, 3000], LIGHT, "partition"),
    ("Right", [3000, 3000], [8000, 3000], INNER, "interior"),
    ("Shed", [8000, 2000], [11000, 2000], [("Timber", 100, "core")], "partition"),
]


def layers(plies):
    return [{"material": name, "thickness": mm, "function": function} for name, mm, function in plies]


@pytest.mark.parametrize("schema", ["IFC2X3", "IFC4", "IFC4X3"])
def test_layers_run_through_at_corners_and_bodies_are_as_large_as_is_said(shared_session, tmp_path, schema):
    storeys = [{"name": "Ground", "elevation": 0}]
    model = shared_session.call("create_project", name=f"Layers {schema}", schema=schema, storeys=storeys)["model_id"]
    for name, start, end, plies, use in WALLS:
        answer = shared_session.call(
            "create_wall",
            model_id=model,
            name=name,
            start=start,
            end=end,
            level_id="Ground",
            layers=layers(plies),
            wall_type=use,
        )
        assert answer["sound"] is True, answer
    saved = tmp_path / "layers.ifc"
    shared_session.call("save_model", model_id=model, file_path=str(saved))
    found = ifcopenshell.open(str(saved))
    total, volumes = 0.0, {}
    settings = ifcopenshell.geom.settings()
    for wall in found.by_type("IfcWall"):
        shape = ifcopenshell.geom.create_shape(settings, wall)
        volumes[wall.Name] = ifcopenshell.util.shape.get_volume(shape.geometry)
        said = ifcopenshell.util.element.get_psets(wall, qtos_only=True)["Qto_WallBaseQuantities"]["NetVolume"]
        assert volumes[wall.Name] == pytest.approx(said, abs=1e-6), wall.Name
        total += volumes[wall.Name]
    # the ring and what stands in it and beside it, each once
    half = 0.435 / 2
    ring = (8 + 2 * half) * (6 + 2 * half) - (8 - 2 * half) * (6 - 2 * half)
    inner = (6 - 2 * half) * 0.23 + (3 - half - 0.115) * 0.125 + (5 - half - 0.115) * 0.23
    assert total == pytest.approx((ring + inner + (3 - half) * 0.1) * 3, abs=1e-6)
    # at its ends the middle wall's core goes on through plaster, and its own plaster lets cores through that end on it
    assert volumes["Middle"] == pytest.approx(((6 - 2 * half) * 0.23 + 0.015 * (2 * 0.2 - 0.075 - 0.2)) * 3, abs=1e-6)
    # outside, studs go on through brick and insulation
    assert volumes["Shed"] == pytest.approx((3 - half + 0.24) * 0.1 * 3, abs=1e-6)
    held = {}
    for relation in found.by_type("IfcRelConnectsPathElements"):
        for wall, priorities in (
            (relation.RelatingElement, relation.RelatingPriorities),
            (relation.RelatedElement, relation.RelatedPriorities),
        ):
            held.setdefault(wall.Name, set()).add(tuple(priorities))
    for name, _, _, plies, use in WALLS:
        strong = 60 if use == "partition" else 80
        wanted = tuple(strong if function == "core" else PRIORITIES[function] for _, _, function in plies)
        assert held[name] == {wanted}, name
    if schema != "IFC2X3":
        assert {layer.Priority for layer in found.by_type("IfcMaterialLayer")} == {20, 40, 60, 80}
    log = ifcopenshell.validate.json_logger()
    ifcopenshell.validate.validate(found, log, express_rules=True)
    assert log.statements == []
