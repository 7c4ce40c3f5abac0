"""A house to work on, and the adapter at work on it."""

import ifcopenshell
import pytest

from pensaer_ifcopenshell import Actor, Call, IfcOpenShellAdapter

GROUND = "Ground Floor"


class Desk:
    """Runs operations on a file as a host does, one call after another; a call that fails changes nothing."""

    def __init__(self, text):
        self.text = text
        self.calls = 0

    @property
    def model(self):
        return ifcopenshell.file.from_string(self.text)

    def run(self, name, /, **arguments):
        self.calls += 1
        adapter = IfcOpenShellAdapter(self.model, Call(f"call-{self.calls}", 1_700_000_000_000, Actor("test")))
        answer = adapter.run(name, arguments)
        adapter.changes()
        self.text = adapter.model.to_string()
        return answer


@pytest.fixture(params=["IFC2X3", "IFC4", "IFC4X3"])
def schema(request):
    return request.param


@pytest.fixture
def house():
    return new_house("IFC4")


def new_house(schema, units="m"):
    adapter = IfcOpenShellAdapter(None, Call("begin", 1_700_000_000_000, Actor("test")))
    storeys = [{"name": GROUND, "elevation": 0}, {"name": "Roof", "elevation": 3000}]
    adapter.run("create_project", {"name": "House", "schema": schema, "storeys": storeys, "units": units})
    return Desk(adapter.text().decode())
