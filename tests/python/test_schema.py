"""The tables of the three schemas are those that IfcOpenShell was generated from: every entity, attribute, inverse and type."""

import json
import re
import subprocess

import ifcopenshell
import pytest
from conftest import example

wrapper = ifcopenshell.ifcopenshell_wrapper
SIMPLE = {"string": "STRING", "real": "REAL", "integer": "INTEGER", "number": "NUMBER", "boolean": "BOOLEAN", "logical": "LOGICAL", "binary": "BINARY"}
AGGREGATES = ["ARRAY", "BAG", "LIST", "SET"]


def declared(of):
    """A type as EXPRESS writes it, without UNIQUE, FIXED and the lengths of strings, which IfcOpenShell does not keep."""
    if aggregate := of.as_aggregation_type():
        low, high = aggregate.bound1(), aggregate.bound2()
        kind = AGGREGATES[aggregate.type_of_aggregation()]
        return f"{kind} [{low}:{'?' if high == -1 else high}] OF {declared(aggregate.type_of_element())}"
    if named := of.as_named_type():
        return named.declared_type().name()
    return SIMPLE[of.as_simple_type().declared_type()]


def plain(text):
    """The same from our side: a bound may be an expression that only rules evaluate."""
    return re.sub(r"\bUNIQUE |\([0-9]+\)| FIXED", "", text).replace("(", "").replace(")", "")


@pytest.fixture(scope="module")
def dump():
    program = example("ifc", "schema")
    return lambda name: json.loads(subprocess.run([*program, name], check=True, capture_output=True).stdout)


@pytest.mark.parametrize("name", ["IFC2X3", "IFC4", "IFC4X3"])
def test_the_tables_are_those_of_ifcopenshell(name, dump):
    ours = dump(name)
    reference = wrapper.schema_by_name(ours["name"])
    differences = []

    def same(where, mine, theirs):
        if mine != theirs:
            differences.append(f"{where}: {mine} instead of {theirs}")

    entities = {entity.name(): entity for entity in reference.entities()}
    same("entities", sorted(ours["entities"]), sorted(entities))
    for entity_name, entity in entities.items():
        mine = ours["entities"].get(entity_name)
        if mine is None:
            continue
        supertype = entity.supertype()
        same(f"{entity_name} supertype", mine["supertype"], supertype.name() if supertype else None)
        same(f"{entity_name} abstract", mine["abstract"], entity.is_abstract())
        attributes = [
            {"name": a.name(), "declared": declared(a.type_of_attribute()), "optional": a.optional(), "derived": derived}
            for a, derived in zip(entity.all_attributes(), entity.derived(), strict=True)
        ]
        for attribute in mine["attributes"]:
            attribute["declared"] = plain(attribute["declared"])
        same(f"{entity_name} attributes", mine["attributes"], attributes)
        inverses = [
            {
                "name": inverse.name(),
                "entity": inverse.entity_reference().name(),
                "attribute": inverse.attribute_reference().name(),
                # an inverse without SET is exactly one
                "min": 1 if inverse.bound1() == -1 else inverse.bound1(),
                "max": (1 if inverse.bound1() == -1 else None) if inverse.bound2() == -1 else inverse.bound2(),
            }
            for inverse in entity.all_inverse_attributes()
        ]
        same(f"{entity_name} inverses", mine["inverses"], sorted(inverses, key=lambda inverse: inverse["name"]))

    types = {}
    for declaration in reference.declarations():
        if defined := declaration.as_type_declaration():
            types[declaration.name()] = {"type": declared(defined.declared_type())}
        elif enumeration := declaration.as_enumeration_type():
            types[declaration.name()] = {"enumeration": list(enumeration.enumeration_items())}
        elif select := declaration.as_select_type():
            types[declaration.name()] = {"select": sorted(member.name() for member in select.select_list())}
    same("types", sorted(ours["types"]), sorted(types))
    for type_name, theirs in types.items():
        mine = ours["types"].get(type_name, {})
        if "type" in mine:
            mine["type"] = plain(mine["type"])
        if "select" in mine:
            mine["select"] = sorted(mine["select"])
        if "enumeration" in mine:
            mine["enumeration"], theirs["enumeration"] = sorted(mine["enumeration"]), sorted(theirs["enumeration"])
        same(type_name, mine, theirs)
    assert not differences, "\n".join(differences[:40])
