"""Export to another schema version: as valid afterwards as before by IfcOpenShell's validation, with the same elements and the
same properties.

IfcOpenShell's own Migrator is the peer: where it gets through, nothing that it keeps may be missing here. It stops at the
first class without an equal.
"""

import collections
import re
import urllib.request

import ifcopenshell
import ifcopenshell.util.element
import ifcopenshell.util.schema
import ifcopenshell.validate
import pytest
from compiled_rules import keep_rules
from conftest import models_named
from passed import found_well, is_found_well

SCHEMAS = ("IFC2X3", "IFC4", "IFC4X3")
MODELS = models_named("ExampleHOM", "Text2BIM_sample_model", "TallBuilding", "wall_door_column_4x3")


def findings(model):
    """What the validation says, rules included, by instance: conversions keep the ids, while classes, attributes and rules have
    other names in other schemas."""
    keep_rules()
    log = ifcopenshell.validate.json_logger()
    ifcopenshell.validate.validate(model, log, express_rules=True)
    found = collections.defaultdict(list)
    for statement in log.statements:
        instance = statement.get("instance")
        place = instance.id() if isinstance(instance, ifcopenshell.entity_instance) else re.match(r"#\d+|", str(instance)).group()
        found[place].append(statement["message"].split("\n\n")[0][:200])
    return found


def fresh(before, after):
    """Findings at instances that had fewer before."""
    return {place: messages for place, messages in after.items() if len(messages) > len(before.get(place, ()))}


def properties(model):
    """Plain properties and quantities of every object with a GlobalId, by set and name."""
    found = {}
    for item in model.by_type("IfcObject"):
        for name, members in ifcopenshell.util.element.get_psets(item).items():
            for key, value in members.items():
                if key != "id" and isinstance(value, (str, int, float, bool)):
                    found[item.GlobalId, name, key] = value
    return found


@pytest.mark.parametrize("path", MODELS, ids=[path.stem for path in MODELS])
def test_a_model_is_as_sound_in_another_schema_and_keeps_its_elements_and_properties(path, shared_session, tmp_path):
    before = ifcopenshell.open(str(path))
    model = shared_session.call("load_model", file_path=str(path))["model_id"]
    elements, held = {e.GlobalId for e in before.by_type("IfcProduct")}, properties(before)
    known = None
    for schema in (schema for schema in SCHEMAS if schema != before.schema):
        answer = shared_session.call("export_ifc", model_id=model, schema_version=schema)
        assert answer["schema_version"] == schema
        written = tmp_path / f"{schema}.ifc"
        with urllib.request.urlopen(answer["links"][0]["href"]) as reply:
            written.write_bytes(reply.read())
        after = ifcopenshell.open(str(written))
        assert after.schema == schema
        if not is_found_well(f"converted-{path.stem}", written):
            known = findings(before) if known is None else known
            new = fresh(known, findings(after))
            assert not new, f"{schema}: {new}"
            found_well(f"converted-{path.stem}", written)
        assert elements <= {e.GlobalId for e in after.by_type("IfcProduct")}
        kept = properties(after)
        lost = {key: value for key, value in held.items() if kept.get(key) != value}
        assert not lost, f"{schema}: {list(lost.items())[:5]}"
        migrated = ifcopenshell.file(schema=schema)
        migrator = ifcopenshell.util.schema.Migrator()
        try:
            migrator.preprocess(before, migrated)
            for item in before:
                migrator.migrate(item, migrated)
        except Exception as stop:  # noqa: BLE001 - whatever stops the peer
            print(f"the peer stops: {stop}")
        else:
            assert {e.GlobalId for e in migrated.by_type("IfcElement")} <= {e.GlobalId for e in after.by_type("IfcElement")}
        before = ifcopenshell.open(str(path))
