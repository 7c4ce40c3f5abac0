"""Selectors find what IfcOpenShell finds, asked through the tool that agents use."""

import client
import ifcopenshell
import ifcopenshell.util.selector as reference_selector
import pytest
from compare_selectors import SELECTORS
from conftest import models_named

MODELS = models_named("Duplex_A_20110907", "AC20-FZK-Haus", "wall_door_column_4x3")


def name(element):
    """An element as agents name it: by its GlobalId, else by its number."""
    return getattr(element, "GlobalId", None) or f"#{element.id()}"


@pytest.mark.parametrize("path", MODELS, ids=[path.stem for path in MODELS])
def test_selectors_find_what_ifcopenshell_finds(path, shared_session):
    model = shared_session.call("load_model", file_path=str(path))["model_id"]
    reference = ifcopenshell.open(str(path))
    differences = []
    compared = refused = 0
    for query in SELECTORS:
        if query == "IfcNothing":  # a class of no schema is refused, with near matches
            continue
        try:
            expected = {name(element) for element in reference_selector.filter_elements(reference, query)}
        except Exception:  # IfcOpenShell stumbles over kinds of property that it does not expect
            continue
        try:
            answer = shared_session.call(
                "query_elements", model_id=model, selector=query, fields=["class"], limit=200
            )
        except client.Fault as fault:  # a name that nothing has is told; IfcOpenShell finds nothing, or with =NULL everything
            is_about_names = "near_matches" in fault.fault["data"]
            assert is_about_names and (not expected or "NULL" in query), (query, str(fault), len(expected))
            refused += 1
            continue
        compared += 1
        if answer["total"] != len(expected) or not {row["id"] for row in answer["rows"]} <= expected:
            differences.append(f"{query}: {answer['total']} instead of {len(expected)}")
    assert compared > 100 and refused > 0
    assert not differences
