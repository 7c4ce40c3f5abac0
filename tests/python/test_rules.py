"""The rules of their schema that real models break are those that IfcOpenShell finds broken."""

import pytest
from compare_rules import compare
from conftest import example, models_named

#: Models with findings, and one of each schema; the others are for `compare_rules.py` alone, which takes minutes.
MODELS = models_named("3rooms_with_SB", "B03_hvac_heating", "Vebo", "staal", "wall_door_column_4x3")


@pytest.mark.parametrize("path", MODELS, ids=[path.stem for path in MODELS])
def test_rules_are_broken_where_ifcopenshell_finds_them_broken(path):
    _, _, unexplained, _, _ = compare(example("ifc", "rules"), str(path))
    assert not unexplained
