"""Queries, differences, scripts, and the contract's own rules."""

import ifcopenshell
import pytest
from conftest import GROUND
from test_modelling import whole

from pensaer_ifcopenshell import BaseAdapter, Call, Effect, Fault, FaultCode, IfcOpenShellAdapter
from pensaer_ifcopenshell.changes import replay


def test_rows_hold_the_fields_asked_for_with_their_units(house):
    whole(house)
    answer = house.run("query_elements", selector="IfcWall", fields=["Qto_WallBaseQuantities.Length", "storey"], sort="-Qto_WallBaseQuantities.Length", limit=2)
    assert answer["total"] == 4
    assert [row["Qto_WallBaseQuantities.Length"] for row in answer["rows"]] == [6, 6]
    assert answer["rows"][0]["storey"] == GROUND
    assert answer["units"] == {"Qto_WallBaseQuantities.Length": "m"}
    rest = house.run("query_elements", selector="IfcWall", limit=2, cursor=answer["next_cursor"])
    assert len(rest["rows"]) == 2 and "next_cursor" not in rest


def test_aggregates_are_over_all_that_is_found(house):
    whole(house)
    answer = house.run("query_elements", selector="IfcWall", aggregate=["count", "sum Qto_WallBaseQuantities.Length by storey"])
    length = "sum Qto_WallBaseQuantities.Length"
    assert answer["groups"] == [{"count": 4}, {"storey": GROUND, length: 20, f"share of {length}": 100}]
    assert answer["units"] == {"count": "elements", length: "m", f"share of {length}": "%"}


def test_a_comparison_of_what_only_shapes_tell_is_refused_by_name(house):
    whole(house)
    for selector, name in [("IfcWall, volume>2", "volume"), ("IfcDoor + IfcWall, facing = south", "facing")]:
        with pytest.raises(Fault) as fault:
            house.run("query_elements", selector=selector)
        assert fault.value.code == FaultCode.NOT_SUPPORTED
        assert (fault.value.data["field"], fault.value.data["computed"]) == ("selector", name)
    assert house.run("query_elements", selector='IfcWall, Name="a, volume>2"')["total"] == 0


def test_an_element_is_told_whole(house):
    ids, door, _ = whole(house)
    wall = house.run("get_element", element_id=ids[0])
    assert wall["psets"]["Pset_WallCommon"]["IsExternal"] is True
    assert wall["quantities"]["Qto_WallBaseQuantities"]["Height"] == {"value": 3, "unit": "m"}
    assert wall["material"]["layers"] == [{"material": "Masonry", "thickness": 0.2}]
    assert wall["relations"]["storey"]["name"] == GROUND
    assert {o["filled_by"][0]["class"] for o in wall["relations"]["openings"]} == {"IfcDoor", "IfcWindow"}
    leaf = house.run("get_element", element_id=door["filling_id"], include=["relations"])
    assert leaf["relations"]["host"]["id"] == ids[0]
    assert "psets" not in leaf


def test_a_difference_names_what_was_added_removed_and_modified(house):
    before = house.model
    wall = house.run("create_wall", start=[0, 0], end=[6000, 0], level_id=GROUND)
    between = house.model
    house.run("modify_parameter", element_id=wall["wall_id"], parameter_name="Name", value="A")
    house.run("delete_elements", element_ids=[wall["wall_id"]])
    assert house.run("diff", base=before, target=between, detail="summary")["added"]["IfcWall"] == 1
    raw = house.run("diff", base=between)
    assert wall["wall_id"] in [entry.get("global_id") for entry in raw["removed"]]


def test_what_a_call_did_makes_the_same_file_elsewhere(house):
    whole(house)
    base = house.model
    for name, arguments in (
        ("create_wall", {"start": [0, 9000], "end": [5000, 9000], "level_id": GROUND}),
        ("delete_elements", {"element_ids": ["Wall 1"]}),
        ("set_properties", {"element_ids": [base.by_type("IfcDoor")[0].GlobalId], "pset": "My", "properties": {"A": 1.5}}),
        ("modify_parameter", {"element_id": "Wall 2", "parameter_name": "height", "value": 3300}),
    ):
        at_work = ifcopenshell.file.from_string(base.to_string())
        adapter = IfcOpenShellAdapter(at_work, Call("x"))
        adapter.run(name, arguments)
        done = adapter.changes()
        touched = [int(line[1:].split("=")[0]) for line in done["added"] + done["changed"]]
        elsewhere = ifcopenshell.file.from_string(base.to_string())
        replay(elsewhere, {"removed": done["removed"], "set": [instance(at_work.by_id(n)) for n in touched]})
        assert lines(elsewhere) == lines(at_work), name
        # what is left out of the answer did not change
        left_out = set(lines(base)) - set(lines(at_work))
        told = {*done["removed"], *touched}
        assert {int(line[1:].split("=")[0]) for line in left_out} <= told, name


def lines(model):
    return sorted(i.to_string(True) for i in model)


def instance(element):
    declared = element.declaration.as_entity().all_attributes()
    derived = element.declaration.as_entity().derived()
    values = []
    for at, attribute in enumerate(declared):
        if derived[at]:
            values.append({"derived": True})
        else:
            values.append(value(element[at], "enumeration" in str(attribute.type_of_attribute())))
    return {"id": element.id(), "class": element.is_a(), "attributes": values}


def value(given, is_enumeration=False):
    if isinstance(given, tuple):
        return [value(member) for member in given]
    if isinstance(given, ifcopenshell.entity_instance):
        return {"ref": given.id()} if given.id() else {"type": given.is_a(), "value": value(given[0])}
    return {"enum": given} if is_enumeration and given is not None else given


def test_a_script_changes_many_things_at_once_and_says_what_it_found(house):
    code = f"""
for i in range(3):
    adapter.create_wall([0, i * 1000], [5000, i * 1000], level_id="{GROUND}", height=2500)
print("made", len(model.by_type("IfcWall")))
[wall.Name for wall in adapter.select("IfcWall")]
"""
    answer = house.run("run_code", code=code)
    assert answer == {"value": ["Wall 1", "Wall 2", "Wall 3"], "printed": "made 3\n"}
    assert len(house.model.by_type("IfcWall")) == 3


def test_a_script_makes_the_same_elements_when_it_is_run_again(house):
    code = "import ifcopenshell.api.root\nifcopenshell.api.root.create_entity(model, ifc_class='IfcWall').GlobalId"
    twice = []
    for _ in range(2):
        desk = type(house)(house.text)
        twice.append(desk.run("run_code", code=code)["value"])
    assert twice[0] == twice[1]


@pytest.mark.parametrize(
    ("code", "line", "fault"),
    [
        ("a = 1\nb = a / 0", 2, FaultCode.INVALID_PARAMS),
        ("def f():\n    return f()\nf()", 2, FaultCode.LIMIT_REACHED),
        ("x = (", 1, FaultCode.INVALID_PARAMS),
        ("\n\nraise SystemExit(0)", 3, FaultCode.INVALID_PARAMS),
        ("adapter.create_wall([0, 0], [1, 0, 0, 0], 'Nowhere')", 1, FaultCode.ELEMENT_NOT_FOUND),
        ("adapter.create_wall([0, 0], [1, 0], level='Ground Floor')", 1, FaultCode.INVALID_PARAMS),
    ],
)
def test_what_goes_wrong_in_a_script_is_said_with_its_line(house, code, line, fault):
    before = house.text
    with pytest.raises(Fault) as caught:
        house.run("run_code", code=code)
    assert (caught.value.code, caught.value.data.get("line")) == (fault, line)
    assert house.text == before


def test_a_query_by_script_may_not_change_anything(house):
    with pytest.raises(Fault, match="mode=query"):
        house.run("run_code", mode="query", code=f"adapter.create_wall([0, 0], [5000, 0], '{GROUND}')")
    assert house.run("run_code", mode="query", code="1 + 1")["value"] == 2


def test_a_transaction_of_the_scripts_own_is_refused(house):
    with pytest.raises(Fault, match="transaction"):
        house.run("run_code", code="model.begin_transaction(); model.create_entity('IfcWall')")


@pytest.mark.parametrize(
    ("name", "arguments", "field"),
    [
        ("create_wall", {"start": [0, 0], "end": [1, float("nan")], "level_id": GROUND}, "end[1]"),
        ("create_wall", {"start": [0, 0], "end": [1e12, 0], "level_id": GROUND}, "end"),
        ("create_wall", {"start": [0, 0], "end": [5000, 0], "level_id": GROUND, "thickness": -5}, "thickness"),
        ("create_wall", {"start": [0, 0], "end": [5000, 0], "level_id": GROUND, "heigth": 3}, "heigth"),
        ("create_wall", {"start": [0, 0], "end": [5000, 0], "level_id": GROUND, "wall_type": "curtain"}, "wall_type"),
        ("create_floor", {"boundary_points": [[0, 0], [1, 1]], "level_id": GROUND}, "boundary_points"),
        ("create_floor", {"boundary_points": [[0, 0], [9, 9], [9, 0], [0, 9]], "level_id": GROUND}, "boundary_points"),
        ("query_elements", {"selector": "IfcWall, ((("}, "selector"),
        ("create_opening", {"host_id": "Wall 1", "location": {"beside": 1}, "width": 1, "height": 1}, "location.beside"),
    ],
)
def test_parameters_that_cannot_be_used_are_refused_with_their_field(house, name, arguments, field):
    house.run("create_wall", start=[0, 0], end=[6000, 0], level_id=GROUND)
    with pytest.raises(Fault) as caught:
        house.run(name, **arguments)
    assert (caught.value.code, caught.value.data["field"]) == (FaultCode.INVALID_PARAMS, field)


def test_an_adapter_offers_what_it_overrides_and_refuses_the_rest():
    class Reader(BaseAdapter):
        name = "reader"

        @classmethod
        def open(cls, path):
            return path

        blank = open

        def text(self):
            return b""

        def changes(self):
            return {"added": [], "changed": [], "removed": []}

        def get_element(self, element_id, include=None):
            return {"id": element_id}

    assert {name: about.effect for name, about in Reader.operations().items()} == {"get_element": Effect.QUERY}
    assert Reader("file").run("get_element", {"element_id": "a"}) == {"id": "a"}
    with pytest.raises(Fault) as caught:
        Reader("file").run("get_elements", {})
    assert (caught.value.code, caught.value.data["near_matches"]) == (FaultCode.NOT_SUPPORTED, ["get_element"])
    with pytest.raises(Fault, match="Missing field"):
        Reader("file").run("get_element", {})


def test_every_operation_of_the_contract_is_resolved():
    declared = {name for name in dir(BaseAdapter) if hasattr(getattr(BaseAdapter, name), "operation")}
    assert set(IfcOpenShellAdapter.operations()) == declared
    assert len(declared) == 14
