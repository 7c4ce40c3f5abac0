"""What is made, checked on the resulting file by IfcOpenShell's own readers."""

import ifcopenshell.geom
import ifcopenshell.util.element as element_util
import ifcopenshell.util.shape as shape_util
import ifcopenshell.validate
import pytest
from conftest import GROUND, new_house

from pensaer_ifcopenshell import Fault, FaultCode

SQUARE = [[0, 0], [6000, 0], [6000, 4000], [0, 4000]]


def volume(model, element):
    settings = ifcopenshell.geom.settings()
    return shape_util.get_volume(ifcopenshell.geom.create_shape(settings, element).geometry)


def problems(model):
    logger = ifcopenshell.validate.json_logger()
    ifcopenshell.validate.validate(model, logger)
    return [statement["message"] for statement in logger.statements]


def whole(desk):
    """A building with one of everything."""
    corners = zip(SQUARE, SQUARE[1:] + SQUARE[:1])
    walls = [desk.run("create_wall", start=a, end=b, level_id=GROUND, location_line="right") for a, b in corners]
    ids = [wall["wall_id"] for wall in walls]
    desk.run("create_floor", boundary_points=SQUARE, level_id=GROUND)
    door = desk.run("create_opening", host_id=ids[0], location={"along": 1000}, width=900, height=2100, opening_type="door")
    window = desk.run(
        "create_opening", host_id=ids[0], location={"at": "center"}, width=1200, height=1200, opening_type="window"
    )
    desk.run("create_space", boundary_points=SQUARE, level_id=GROUND, name="Room", usage="living")
    desk.run("create_roof", boundary_points=SQUARE, level_id="Roof", overhang=300)
    return ids, door, window


@pytest.mark.parametrize("units", ["m", "mm"])
def test_a_building_of_every_element_is_valid_in_every_schema_and_unit(schema, units):
    desk = new_house(schema, units)
    whole(desk)
    assert problems(desk.model) == []
    counts = {c: len(desk.model.by_type(c)) for c in ("IfcWall", "IfcSlab", "IfcRoof", "IfcSpace", "IfcDoor", "IfcWindow")}
    assert counts == {"IfcWall": 4, "IfcSlab": 2, "IfcRoof": 1, "IfcSpace": 1, "IfcDoor": 1, "IfcWindow": 1}


def test_a_wall_has_the_length_and_volume_that_were_asked_for(house):
    wall = house.run("create_wall", start=[1000, 2000], end=[8000, 2000], height=2500, thickness=300, level_id=GROUND)
    assert (wall["length"], wall["height"], wall["thickness"]) == (7000, 2500, 300)
    assert wall["quantities"]["Length"] == {"value": 7.0, "unit": "m"}
    model = house.model
    made = model.by_guid(wall["wall_id"])
    assert volume(model, made) == pytest.approx(7 * 2.5 * 0.3)
    assert element_util.get_pset(made, "Pset_WallCommon", "IsExternal") is True
    assert element_util.get_container(made).Name == GROUND
    assert element_util.get_type(made).Name == "Exterior wall 300 mm"


def test_the_location_line_is_the_face_that_it_says(house):
    centre, left, right = (
        house.run("create_wall", start=[0, 0], end=[4000, 0], level_id=GROUND, location_line=line)
        for line in ("center", "left", "right")
    )
    model = house.model
    for wall, low, high in ((centre, -100, 100), (left, -200, 0), (right, 0, 200)):
        box = house.run("get_element", element_id=wall["wall_id"], include=["geometry"])["geometry"]["bbox"]
        assert (box["min"][1], box["max"][1]) == (low, high)
    assert len(model.by_type("IfcWallType")) == 1


def test_an_opening_is_where_it_was_asked_for_and_is_cut_out_of_its_wall(house):
    wall = house.run("create_wall", start=[0, 0], end=[6000, 0], level_id=GROUND)
    window = house.run(
        "create_opening", host_id=wall["name"], location={"along": 2000}, width=1200, height=1000, opening_type="window"
    )
    assert (window["along"], window["sill"], window["class"]) == (2000, 900, "IfcWindow")
    assert window["position"] == [2000, 0, 900]
    model = house.model
    assert volume(model, model.by_guid(wall["wall_id"])) == pytest.approx(6 * 3 * 0.2 - 1.2 * 1.0 * 0.2)
    quantities = element_util.get_pset(model.by_guid(wall["wall_id"]), "Qto_WallBaseQuantities")
    assert quantities["NetSideArea"] == pytest.approx(18 - 1.2)
    filling = model.by_guid(window["filling_id"])
    assert element_util.get_container(filling).Name == GROUND
    assert filling.FillsVoids[0].RelatingOpeningElement.GlobalId == window["opening_id"]


@pytest.mark.parametrize(
    ("location", "width", "field"),
    [({"along": 100}, 1000, "location"), ({"along": 3000}, 9000, "width"), ({"along": 3000, "sill": 2500}, 900, "location.sill")],
)
def test_an_opening_that_leaves_its_wall_is_refused_with_the_room_there_is(house, location, width, field):
    wall = house.run("create_wall", start=[0, 0], end=[6000, 0], level_id=GROUND)
    before = house.text
    with pytest.raises(Fault) as caught:
        house.run("create_opening", host_id=wall["wall_id"], location=location, width=width, height=1000)
    assert caught.value.code == FaultCode.CONSTRAINT_VIOLATION
    assert caught.value.data["field"] == field
    assert house.text == before


def test_openings_do_not_overlap(house):
    wall = house.run("create_wall", start=[0, 0], end=[6000, 0], level_id=GROUND)
    house.run("create_opening", host_id=wall["wall_id"], location={"along": 2000}, width=1000, height=1000)
    with pytest.raises(Fault, match="overlap"):
        house.run("create_opening", host_id=wall["wall_id"], location={"along": 2500}, width=1000, height=1000)


def test_floors_and_spaces_give_storey_and_building_their_areas(house):
    house.run("create_floor", boundary_points=SQUARE, level_id=GROUND)
    house.run("create_floor", boundary_points=[[6000, 0], [8000, 0], [8000, 4000], [6000, 4000]], level_id=GROUND)
    house.run("create_space", boundary_points=SQUARE, level_id=GROUND, height=2500)
    model = house.model
    storey = next(s for s in model.by_type("IfcBuildingStorey") if s.Name == GROUND)
    totals = element_util.get_pset(storey, "Qto_BuildingStoreyBaseQuantities")
    assert (totals["GrossFloorArea"], totals["NetFloorArea"], totals["NetVolume"]) == (32, 24, 60)
    assert totals["GrossPerimeter"] == 24
    building = element_util.get_pset(model.by_type("IfcBuilding")[0], "Qto_BuildingBaseQuantities")
    assert (building["FootprintArea"], building["GrossFloorArea"]) == (32, 32)


def test_a_space_can_be_given_by_the_walls_around_it(house):
    corners = zip(SQUARE, SQUARE[1:] + SQUARE[:1])
    # walls on the outside of the outline, each long enough to meet its neighbours
    ids = []
    for a, b in corners:
        along = [(q - p) / max(abs(b[0] - a[0]), abs(b[1] - a[1])) for p, q in zip(a, b)]
        start, end = ([p - 200 * d for p, d in zip(a, along)], [p + 200 * d for p, d in zip(b, along)])
        ids.append(house.run("create_wall", start=start, end=end, level_id=GROUND, location_line="left")["wall_id"])
    space = house.run("create_space", walls=ids, level_id=GROUND, name="Hall")
    assert space["area"] == 24
    assert space["height"] == 3000
    with pytest.raises(Fault, match="do not enclose"):
        house.run("create_space", walls=ids[:3], level_id=GROUND)


def test_a_roof_stands_out_over_its_outline_by_the_overhang(house):
    roof = house.run("create_roof", boundary_points=SQUARE, level_id="Roof", overhang=500)
    assert roof["area"] == 35
    box = house.run("get_element", element_id=roof["slab_id"], include=["geometry"])["geometry"]["bbox"]
    assert (box["min"], box["max"]) == ([-500, -500, 3000], [6500, 4500, 3200])


def test_a_storey_needs_a_name_and_elevation_of_its_own(house):
    level = house.run("create_level", name="Attic", elevation=6000, height=2500)
    assert level["elevation"] == 6000
    with pytest.raises(Fault, match="elevation already"):
        house.run("create_level", name="Another", elevation=6000)


def test_the_same_call_makes_the_same_file(house):
    texts = set()
    for _ in range(2):
        desk = type(house)(house.text)
        whole(desk)
        texts.add(desk.text.split("DATA;")[1])
    assert len(texts) == 1
