"""The judge is judged: a sound house that is spoilt in one way has findings of just that kind."""

import ifcopenshell
import ifcopenshell.util.element
import ifcopenshell.util.placement
import pytest
import soundness


@pytest.fixture
def house(evaluated):
    """The evaluation's house with rooms, to be spoilt."""
    return ifcopenshell.open(str(evaluated / "tc_du-et-al_4.ifc"))


def findings(model):
    """What is wrong with it, as one text."""
    return "\n".join(soundness.Building(model).findings())


def shift(element, by):
    """Moves an element along its own x axis, by metres."""
    point = element.ObjectPlacement.RelativePlacement.Location
    x, *rest = point.Coordinates
    element.ObjectPlacement.RelativePlacement.Location = element.file.create_entity("IfcCartesianPoint", (x + by, *rest))


def test_a_room_without_a_door_is_found(house):
    for door in house.by_type("IfcDoor"):
        for rel in door.FillsVoids:
            house.remove(rel)
    text = findings(house)
    assert text.count("has no door") == len(house.by_type("IfcSpace"))


def test_a_wall_in_a_room_is_found(house):
    wall = max(house.by_type("IfcWall"), key=lambda item: soundness.body(item).footprint.area)
    shift(wall, 0.7)
    assert f"IfcWall {wall.Name} and" in findings(house)


def test_an_opening_beyond_its_wall_is_found(house):
    opening = house.by_type("IfcOpeningElement")[0]
    shift(opening, 50.0)
    assert f"{opening.Name} reaches beyond" in findings(house)


def test_an_area_that_was_typed_in_is_found(house):
    storey = next(item for item in house.by_type("IfcBuildingStorey") if ifcopenshell.util.element.get_psets(item))
    for definition in storey.IsDefinedBy:
        for quantity in definition.RelatingPropertyDefinition.Quantities:
            if quantity.Name == "GrossFloorArea":
                quantity.AreaValue += 1
    assert f"{storey.Name} states GrossFloorArea" in findings(house)


@pytest.fixture
def storeys(evaluated):
    """A house of two storeys with rooms, a stair and a gable roof, to be spoilt."""
    return ifcopenshell.open(str(evaluated / "text2bim_11.ifc"))


def test_rooms_above_are_not_reached_without_the_stair(storeys):
    for stair in storeys.by_type("IfcStair"):
        storeys.remove(stair)
    upper = next(item for item in storeys.by_type("IfcBuildingStorey") if item.Name == "First Floor")
    rooms = [part for part in ifcopenshell.util.element.get_parts(upper) if part.is_a("IfcSpace")]
    assert findings(storeys).count("is not reached from outside") == len(rooms) == 3


def test_a_house_without_a_way_in_is_found(storeys):
    door = next(item for item in storeys.by_type("IfcDoor") if item.Name == "Front door")
    storeys.remove(door.FillsVoids[0])
    assert findings(storeys).count("is not reached from outside") == len(storeys.by_type("IfcSpace"))


def test_a_room_that_a_wall_is_missing_of_is_open(storeys):
    wall = next(item for item in storeys.by_type("IfcWall") if item.Name.startswith("Partition"))
    shift(wall, 3.0)
    assert "is open over" in findings(storeys)


def test_what_reaches_into_a_leaning_roof_is_found(storeys):
    slab = next(item for item in storeys.by_type("IfcSlab") if "Roof" in item.Name)
    point = slab.ObjectPlacement.RelativePlacement.Location
    x, y, z = point.Coordinates
    slab.ObjectPlacement.RelativePlacement.Location = storeys.create_entity("IfcCartesianPoint", (x, y, z - 0.3))
    text = findings(storeys)
    assert f"IfcSlab {slab.Name}" in text and "share" in text
