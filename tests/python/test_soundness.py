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
