"""Quantities that another program stated, after edits of ours: where they were those of the shape they are so again, by IfcOpenShell's bodies; others
keep their figures to the last digit."""

import ifcopenshell
import ifcopenshell.geom
import ifcopenshell.util.element as elements
import ifcopenshell.util.shape
import pytest
from client import Client
from conftest import models_named

WALL = "Wand-Int-ERDG-2"


@pytest.fixture(scope="module")
def session(program, tmp_path_factory):
    with Client(program, tmp_path_factory.mktemp("data")) as session:
        yield session


def stated(model):
    """The base quantities of all walls, by name of the wall."""
    return {wall.Name: elements.get_pset(wall, "BaseQuantities") for wall in model.by_type("IfcWall")}


def volume(model, name):
    [wall] = [wall for wall in model.by_type("IfcWall") if wall.Name == name]
    return ifcopenshell.util.shape.get_volume(ifcopenshell.geom.create_shape(ifcopenshell.geom.settings(), wall).geometry)


def test_a_wall_without_its_door_and_with_another_opening_states_the_volume_of_its_shape(session, tmp_path):
    [path] = models_named("AC20-FZK-Haus")
    session.call("load_model", file_path=str(path))
    before = stated(ifcopenshell.open(path))
    volumes = [before[WALL]["NetVolume"]]
    opening = {"host_id": WALL, "location": {"fraction": 0.5}, "width": 1200, "height": 2000, "opening_type": "void"}
    for number, (tool, arguments) in enumerate(
        [("delete_elements", {"element_ids": ["Innentuer-1"]}), ("create_opening", opening)]
    ):
        answer = session.call(tool, **arguments)
        told = answer["sound"] if isinstance(answer["sound"], list) else []
        assert not [finding for finding in told if finding["kind"] == "quantity"], told
        file = tmp_path / f"{number}.ifc"
        session.call("save_model", file_path=str(file))
        model = ifcopenshell.open(file)
        now = stated(model)
        assert now[WALL]["NetVolume"] == pytest.approx(volume(model, WALL), rel=1e-3)
        volumes.append(now[WALL]["NetVolume"])
        # what was not touched is what its author wrote
        assert {name: sets for name, sets in now.items() if name != WALL} == {
            name: sets for name, sets in before.items() if name != WALL
        }
        assert now[WALL]["Width"] == before[WALL]["Width"]
    assert volumes[0] < volumes[1] > volumes[2]
