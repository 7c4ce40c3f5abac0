"""A morning's work on a real house: find the doors of a storey, rename one, set a property, put a window into a wall that is
there, take a wall away with its openings, think better of it. IfcOpenShell finds exactly those changes in the file."""

import client
import ifcopenshell
import ifcopenshell.util.element
import ifcopenshell.util.selector
import pytest


@pytest.fixture
def session(program, data):
    """A client of its own, so that undo is about this work alone."""
    with client.Client(program, data) as made:
        yield made


def rooted(model):
    """GlobalId → everything that is said of an object, references by their GlobalId or text."""

    def plain(value):
        if isinstance(value, ifcopenshell.entity_instance):
            return getattr(value, "GlobalId", None) or str(value)
        if isinstance(value, tuple):
            return tuple(plain(item) for item in value)
        return value

    return {item.GlobalId: {k: plain(v) for k, v in item.get_info().items() if k != "OwnerHistory"} for item in model.by_type("IfcRoot")}


def test_a_morning_on_the_duplex(session, duplex, tmp_path):
    reference = ifcopenshell.open(str(duplex))
    model = session.call("load_model", file_path=str(duplex))["model_id"]

    # the doors of a storey
    selector = 'IfcDoor, location="Level 1"'
    doors = session.call("query_elements", selector=selector, limit=100)
    expected = ifcopenshell.util.selector.filter_elements(reference, selector)
    assert {row["id"] for row in doors["rows"]} == {door.GlobalId for door in expected}
    assert doors["rows"]
    door = doors["rows"][0]["id"]

    # rename one, give it a property
    session.call("modify_parameter", element_id=door, parameter_name="Name", value="Front door", reasoning="as asked")
    session.call("set_properties", element_ids=[door], pset="Pset_DoorCommon", properties={"FireRating": "EI30"})

    # a window into an existing wall of a dwelling that has none yet and is long enough
    inside = ifcopenshell.util.selector.filter_elements(reference, 'IfcWall, location="Level 2"')
    walls = [wall for wall in sorted(inside, key=lambda item: item.id()) if not wall.HasOpenings]
    length = {wall: ifcopenshell.util.element.get_pset(wall, "PSet_Revit_Dimensions", "Length") or 0 for wall in walls}
    host = max(walls, key=lambda wall: length[wall])
    window = session.call(
        "create_opening",
        host_id=host.GlobalId,
        location={"at": "center", "sill": 900},
        width=1000,
        height=1200,
        opening_type="window",
        name="New window",
    )

    # a wall goes, and its openings and what fills them with it
    victim = next(
        wall
        for wall in reference.by_type("IfcWall")
        if wall.HasOpenings and wall != host and wall.HasOpenings[0].RelatedOpeningElement.HasFillings
    )
    openings = [rel.RelatedOpeningElement for rel in victim.HasOpenings]
    fillings = [rel.RelatedBuildingElement for opening in openings for rel in opening.HasFillings]
    head = session.call("list_versions", model_id=model, limit=1)["versions"][0]["version"]
    deleted = session.call("delete_elements", element_ids=[victim.GlobalId])
    gone = {item.GlobalId for item in [victim, *openings, *fillings]}
    assert gone <= {item["id"] for item in deleted["deleted"]}
    assert session.call("query_elements", selector="IfcWall", limit=1)["total"] == len(reference.by_type("IfcWall")) - 1

    # the difference names them; undo brings them back
    difference = session.call("diff_versions", base=head)
    assert victim.GlobalId in str(difference) or (victim.Name or "") in str(difference)
    session.call("undo")
    assert session.call("query_elements", selector="IfcWall", limit=1)["total"] == len(reference.by_type("IfcWall"))

    # and again, for the file
    if door in gone or host.GlobalId in gone:
        pytest.fail("the test picks things that hang together")
    session.call("delete_elements", element_ids=[victim.GlobalId])
    saved = tmp_path / "duplex.ifc"
    written = session.call("save_model", model_id=model, file_path=str(saved))
    assert session.call("export_ifc", model_id=model)["sha256"] == written["sha256"]
    after = ifcopenshell.open(str(saved))

    before, now = rooted(reference), rooted(after)
    removed = {guid for guid in before if guid not in now}
    added = {guid for guid in now if guid not in before}
    assert gone <= removed
    # besides the elements themselves only relations and property sets that were theirs alone
    for guid in removed - gone:
        assert before[guid]["type"].startswith(("IfcRel", "IfcPropertySet", "IfcElementQuantity")), before[guid]
    for guid in added:
        kind = now[guid]["type"]
        ours = {window["opening_id"], window["filling_id"]}
        allowed = ("IfcRel", "IfcPropertySet", "IfcElementQuantity", "IfcWindowType", "IfcWindowStyle", "IfcWindowLiningProperties", "IfcWindowPanelProperties")
        assert guid in ours or kind.startswith(allowed), now[guid]
    assert {window["opening_id"], window["filling_id"]} <= added
    for guid in set(before) & set(now):
        if before[guid] != now[guid]:
            changed = {key for key in now[guid] if now[guid][key] != before[guid].get(key)}
            kind = now[guid]["type"]
            if guid == door:
                assert changed == {"Name"} and now[guid]["Name"] == "Front door"
            else:
                # members of relations, and what follows from the change in derived quantities
                assert kind.startswith(("IfcRel", "IfcPropertySet", "IfcElementQuantity")), (kind, changed)

    renamed = after.by_guid(door)
    assert ifcopenshell.util.element.get_pset(renamed, "Pset_DoorCommon", "FireRating") == "EI30"
    made = after.by_guid(window["filling_id"])
    assert made.is_a("IfcWindow") and made.Name == "New window"
    hosted = made.FillsVoids[0].RelatingOpeningElement.VoidsElements[0].RelatingBuildingElement
    assert hosted.GlobalId == host.GlobalId
    storey = ifcopenshell.util.element.get_container(made)
    assert storey == ifcopenshell.util.element.get_container(after.by_guid(host.GlobalId))
