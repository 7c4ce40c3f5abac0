"""Real models: each loads, is counted as IfcOpenShell counts it, and is saved with every untouched line as it was."""

import collections
import zipfile

import ifcopenshell
import pytest
from conftest import needed_models

MODELS = needed_models()


def load(session, path):
    """Loads a file and returns the model's id."""
    return session.call("load_model", file_path=str(path))["model_id"]


@pytest.mark.parametrize("path", MODELS, ids=[path.stem for path in MODELS])
def test_a_real_model_is_counted_as_another_program_counts_it_and_saved_as_it_was(path, shared_session, tmp_path):
    model = load(shared_session, path)
    summary = shared_session.call("model_summary", model_id=model, counts="all")
    reference = ifcopenshell.open(str(path))
    assert reference.schema_identifier.startswith(summary["schema"])
    assert summary["instance_count"] == sum(1 for _ in reference)
    for root in ("IfcObjectDefinition", "IfcPropertyDefinition", "IfcRelationship"):
        counts = collections.Counter(item.is_a() for item in reference.by_type(root))
        answer = shared_session.call("query_elements", model_id=model, selector=root, aggregate="count by class")
        assert {group["class"]: group["count"] for group in answer["groups"]} == counts
    saved = tmp_path / path.name
    shared_session.call("save_model", model_id=model, file_path=str(saved))
    assert saved.read_bytes() == path.read_bytes()


def values(model):
    """Every instance of a model as IfcOpenShell reads it."""
    return {item.id(): (item.is_a(), str(item)) for item in model}


def test_an_edit_leaves_every_other_line_as_it_was(duplex, shared_session, tmp_path):
    model = load(shared_session, duplex)
    wall = shared_session.call("query_elements", model_id=model, selector="IfcWall", limit=1)["rows"][0]["id"]
    shared_session.call("modify_parameter", model_id=model, element_id=wall, parameter_name="Name", value="Renamed")
    saved = tmp_path / "edited.ifc"
    shared_session.call("save_model", model_id=model, file_path=str(saved))
    before, after = duplex.read_bytes().split(b"\n"), saved.read_bytes().split(b"\n")
    data = before.index(next(line for line in before if line.startswith(b"DATA;")))
    changed = [(old, new) for old, new in zip(before[data:], after[data:], strict=True) if old != new]
    assert len(changed) == 1, changed
    assert wall.encode() in changed[0][0] and b"'Renamed'" in changed[0][1]
    # the header says who wrote the file and when, and keeps the rest
    old, new = ifcopenshell.open(str(duplex)), ifcopenshell.open(str(saved))
    was, now = old.header.file_name, new.header.file_name
    assert now.preprocessor_version.startswith("Pensaer") and now.time_stamp > was.time_stamp
    for field in ("name", "author", "organization", "originating_system", "authorization"):
        assert getattr(was, field) == getattr(now, field), field
    assert str(old.header.file_description) == str(new.header.file_description)
    differ = {key for key, value in values(new).items() if values_of(old, key) != value}
    assert differ == {old.by_guid(wall).id()}


def values_of(model, key):
    """One instance as IfcOpenShell reads it."""
    item = model.by_id(key)
    return item.is_a(), str(item)


def test_a_model_goes_through_a_zip_archive_as_it_is(duplex, shared_session, tmp_path):
    archive = tmp_path / "duplex.ifczip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.write(duplex, "some/folder/duplex.ifc")
    model = load(shared_session, archive)
    again = tmp_path / "again.ifczip"
    for name in ("again.ifc", "again.ifczip"):
        shared_session.call("save_model", model_id=model, file_path=str(tmp_path / name))
    assert (tmp_path / "again.ifc").read_bytes() == duplex.read_bytes()
    with zipfile.ZipFile(again) as packed:
        assert packed.testzip() is None and len(packed.namelist()) == 1
        assert packed.read(packed.namelist()[0]) == duplex.read_bytes()
