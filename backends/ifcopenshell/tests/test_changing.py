"""Parameters, properties and deletion: what is asked for changes, what follows from it follows, and nothing else does."""

import ifcopenshell.api
import ifcopenshell.util.element as element_util
import pytest
from conftest import GROUND
from test_modelling import SQUARE, problems, volume, whole

from pensaer_ifcopenshell import Fault, FaultCode


@pytest.fixture
def wall(house):
    made = house.run("create_wall", start=[0, 0], end=[6000, 0], level_id=GROUND)
    window = house.run(
        "create_opening", host_id=made["wall_id"], location={"along": 2000}, width=1000, height=1000, opening_type="window"
    )
    return made["wall_id"], window


@pytest.mark.parametrize(
    ("parameter", "value", "expected"),
    [("height", 3500, 6 * 3.5 * 0.2 - 0.2), ("thickness", 300, 6 * 3 * 0.3 - 0.3), ("length", 5000, 5 * 3 * 0.2 - 0.2),
     ("end", [0, 6000], 6 * 3 * 0.2 - 0.2), ("start", [-1000, 0], 7 * 3 * 0.2 - 0.2)],
)
def test_a_wall_keeps_its_openings_when_it_changes(house, wall, parameter, value, expected):
    answer = house.run("modify_parameter", element_id=wall[0], parameter_name=parameter, value=value)
    model = house.model
    assert volume(model, model.by_guid(wall[0])) == pytest.approx(expected)
    assert answer["after"] == (value if isinstance(value, int) else [*value, 0])
    assert wall[1]["filling_id"] in answer["regenerated"]
    assert problems(model) == []
    assert element_util.get_pset(model.by_guid(wall[0]), "Qto_WallBaseQuantities", "NetVolume") == pytest.approx(expected)
    along = house.run("modify_parameter", element_id=wall[1]["filling_id"], parameter_name="along", value=2100)["before"]
    # counted from the start; one that moves its start takes what it holds along
    assert along == (3000 if parameter == "start" else 2000)


def test_a_window_that_is_made_larger_is_larger_in_all_its_places(house, wall):
    house.run("modify_parameter", element_id=wall[1]["filling_id"], parameter_name="OverallWidth", value=1500)
    model = house.model
    window = model.by_guid(wall[1]["filling_id"])
    assert window.OverallWidth == 1.5
    assert element_util.get_pset(window, "Qto_WindowBaseQuantities", "Area") == pytest.approx(1.5)
    assert element_util.get_type(window).Name == "Window 1500 x 1000 mm"
    assert volume(model, model.by_guid(wall[0])) == pytest.approx(6 * 3 * 0.2 - 1.5 * 0.2)


def test_slabs_spaces_and_storeys_change(house):
    floor = house.run("create_floor", boundary_points=SQUARE, level_id=GROUND)
    space = house.run("create_space", boundary_points=SQUARE, level_id=GROUND, height=2500)
    house.run("modify_parameter", element_id=floor["floor_id"], parameter_name="thickness", value=250)
    outline = [[0, 0], [5000, 0], [5000, 4000], [0, 4000]]
    house.run("modify_parameter", element_id=floor["floor_id"], parameter_name="boundary_points", value=outline)
    house.run("modify_parameter", element_id=space["space_id"], parameter_name="height", value=2800)
    house.run("modify_parameter", element_id="Roof", parameter_name="elevation", value=3300)
    model = house.model
    assert volume(model, model.by_guid(floor["floor_id"])) == pytest.approx(5 * 4 * 0.25)
    assert volume(model, model.by_guid(space["space_id"])) == pytest.approx(6 * 4 * 2.8)
    storeys = {s.Name: s.Elevation for s in model.by_type("IfcBuildingStorey")}
    assert storeys == {GROUND: 0.0, "Roof": 3.3}


def test_attributes_and_properties_are_parameters_too(house, wall):
    house.run("modify_parameter", element_id=wall[0], parameter_name="Name", value="North wall")
    answer = house.run("modify_parameter", element_id="North wall", parameter_name="Pset_WallCommon.FireRating", value="F90")
    assert answer["after"] == "F90"
    with pytest.raises(Fault) as caught:
        house.run("modify_parameter", element_id=wall[0], parameter_name="heigth", value=1)
    assert caught.value.data["near_matches"][0] == "height"


def test_a_wall_is_deleted_with_what_is_in_it_and_nothing_is_left_of_it(house):
    empty = len(list(house.model))
    made = house.run("create_wall", start=[0, 0], end=[6000, 0], level_id=GROUND)
    house.run(
        "create_opening", host_id=made["wall_id"], location={"along": 2000}, width=1000, height=1000, opening_type="door"
    )
    deleted = house.run("delete_elements", element_ids=[made["wall_id"]])
    assert [(d["class"], d.get("dependent", False)) for d in deleted["deleted"]] == [
        ("IfcWall", False), ("IfcOpeningElement", True), ("IfcDoor", True),
    ]
    model = house.model
    assert problems(model) == []
    left = {i.is_a() for i in model if i.is_a("IfcProduct")}
    assert left == {"IfcSite", "IfcBuilding", "IfcBuildingStorey"}
    # types, materials and owners are a library and stay
    assert not [i for i in model if i.is_a("IfcShapeRepresentation") or i.is_a("IfcPropertySet")]
    assert len(list(model)) > empty


def test_a_window_that_goes_closes_its_wall(house, wall):
    house.run("delete_elements", element_ids=[wall[1]["filling_id"]])
    model = house.model
    assert volume(model, model.by_guid(wall[0])) == pytest.approx(6 * 3 * 0.2)
    assert element_util.get_pset(model.by_guid(wall[0]), "Qto_WallBaseQuantities", "NetSideArea") == pytest.approx(18)


def test_a_storey_that_holds_something_is_not_deleted_by_the_way(house, wall):
    with pytest.raises(Fault, match="still holds"):
        house.run("delete_elements", element_ids=[GROUND])
    house.run("delete_elements", element_ids=[GROUND], with_contents=True)
    assert not house.model.by_type("IfcWall")


def test_properties_are_set_on_the_elements_named_alone(house):
    ids, _, _ = whole(house)
    answer = house.run("set_properties", element_ids=ids[:2], pset="Pset_WallCommon", properties={"FireRating": "F60", "LoadBearing": False})
    assert answer["properties"] == {"FireRating": "F60", "LoadBearing": False}
    model = house.model
    ratings = [element_util.get_pset(model.by_guid(i), "Pset_WallCommon", "FireRating") for i in ids]
    assert ratings == ["F60", "F60", None, None]
    house.run("set_properties", element_ids=ids[:1], pset="Pset_WallCommon", properties={"FireRating": None})
    model = house.model
    assert element_util.get_pset(model.by_guid(ids[0]), "Pset_WallCommon", "FireRating") is None
    assert problems(model) == []


def test_a_set_that_elements_share_is_not_changed_for_the_others(house):
    ids, _, _ = whole(house)
    model = house.model
    shared = element_util.get_pset(model.by_guid(ids[0]), "Pset_WallCommon")["id"]
    relation = model.by_id(shared).DefinesOccurrence[0]
    relation.RelatedObjects = [model.by_guid(i) for i in ids]
    house.text = model.to_string()
    house.run("set_properties", element_ids=ids[:1], pset="Pset_WallCommon", properties={"AcousticRating": "A"})
    model = house.model
    found = [element_util.get_pset(model.by_guid(i), "Pset_WallCommon", "AcousticRating") for i in ids]
    assert found == ["A", None, None, None]


def test_a_quantity_has_the_class_that_its_template_says(house, wall):
    house.run("set_properties", element_ids=[wall[0]], pset="Qto_WallBaseQuantities", properties={"NetWeight": 1200})
    model = house.model
    found = element_util.get_pset(model.by_guid(wall[0]), "Qto_WallBaseQuantities", "NetWeight", verbose=True)
    assert (found["value"], found["class"]) == (1200, "IfcQuantityWeight")


def test_what_is_not_there_is_said_with_the_nearest_names(house, wall):
    with pytest.raises(Fault) as caught:
        house.run("delete_elements", element_ids=["Wal 1"])
    assert caught.value.code == FaultCode.ELEMENT_NOT_FOUND
    assert caught.value.data["near_matches"] == ["Wall 1"]


@pytest.mark.parametrize("kept", [("IfcStair", {"Risers": 16, "Riser": 0.1875}), ("IfcRamp", {"Height": 3.0})])
def test_a_floor_over_a_stair_and_a_storey_that_it_leads_to_are_refused_by_parameter(house, kept):
    of_class, values = kept
    model = house.model
    ground = next(s for s in model.by_type("IfcBuildingStorey") if s.Name == GROUND)
    climb = ifcopenshell.api.run("root.create_entity", model, ifc_class=of_class, name="Climb")
    ifcopenshell.api.run("geometry.edit_object_placement", model, product=climb)
    ifcopenshell.api.run("spatial.assign_container", model, products=[climb], relating_structure=ground)
    pset = ifcopenshell.api.run("pset.add_pset", model, product=climb, name=of_class[3:] + "Parameters")
    ifcopenshell.api.run("pset.edit_pset", model, pset=pset, properties=values)
    house.text = model.to_string()
    with pytest.raises(Fault) as refused:
        house.run("create_floor", boundary_points=SQUARE, level_id="Roof")
    assert (refused.value.code, refused.value.data["field"]) == (FaultCode.NOT_SUPPORTED, "boundary_points")
    assert refused.value.data["elements"] == [climb.GlobalId]
    with pytest.raises(Fault) as refused:
        house.run("modify_parameter", element_id="Roof", parameter_name="elevation", value=3300)
    assert (refused.value.code, refused.value.data["field"]) == (FaultCode.NOT_SUPPORTED, "parameter_name")
    # a floor below it, and one far away, are no matter of it
    house.run("create_floor", boundary_points=SQUARE, level_id=GROUND)
    far = [[90000, 0], [95000, 0], [95000, 4000], [90000, 4000]]
    house.run("create_floor", boundary_points=far, level_id="Roof")
