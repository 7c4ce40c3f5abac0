"""A house whose rooms are laid out on several storeys around one stair is sound by what IfcOpenShell finds in the file: rooms are bounded all
around, nothing overlaps, and every room of every storey is reached from outside through doors and over the stair."""

import ifcopenshell
import ifcopenshell.validate
import pytest
from soundness import Building

UPPER = [
    {"name": "bedroom_1", "area": 16, "outer_wall": True},
    {"name": "bedroom_2", "area": 13, "outer_wall": True},
    {"name": "bathroom", "area": 8},
    {"name": "hallway", "area": 10},
]
LOWER = [
    {"name": "living_room", "area": 30, "outer_wall": True},
    {"name": "kitchen", "area": 12, "outer_wall": True},
    {"name": "wc", "area": 4},
    {"name": "hall", "area": 11, "outer_wall": True},
]
OUTLINES = {
    "rectangle": [[0, 0], [12000, 0], [12000, 8500], [0, 8500]],
    "l": [[0, 0], [14000, 0], [14000, 7000], [8000, 7000], [8000, 11000], [0, 11000]],
}


@pytest.mark.parametrize("schema", ["IFC2X3", "IFC4", "IFC4X3"])
@pytest.mark.parametrize("shape", OUTLINES)
def test_every_room_is_reached_over_the_stair(shared_session, tmp_path, shape, schema):
    model = shared_session.call("create_project", name=f"Storeys {shape} {schema}", schema=schema)["model_id"]
    made = shared_session.call(
        "create_building_shell", model_id=model, footprint=OUTLINES[shape], storeys=3, wall_thickness=300
    )
    levels = [level["name"] for level in made["storeys"]]
    rooms = shared_session.call(
        "create_rooms",
        model_id=model,
        level_id=levels[0],
        rooms=LOWER,
        storeys=[{"level_id": level, "rooms": UPPER} for level in levels[1:3]],
    )
    for storey in (rooms, *rooms["storeys"]):
        assert "unmet" not in storey, storey["unmet"]
    entrance = {"hosts": "south", "count": 1, "width": 1000, "height": 2100, "opening_type": "door"}
    shared_session.call("create_openings", model_id=model, openings=[entrance])
    saved = tmp_path / "storeys.ifc"
    shared_session.call("save_model", model_id=model, file_path=str(saved))
    found = ifcopenshell.open(str(saved))
    assert len(found.by_type("IfcStair")) == 2
    assert Building(found).findings() == []
    log = ifcopenshell.validate.json_logger()
    ifcopenshell.validate.validate(found, log, express_rules=True)
    assert log.statements == []
