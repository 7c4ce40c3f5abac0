"""The rules of their schema that real models break are those that IfcOpenShell finds broken."""

import pytest
from compare_rules import compare
from conftest import ROOT, real_models

#: Models with findings, and one of each schema; the others are for `compare_rules.py` alone, which takes minutes.
NAMES = ["3rooms_with_SB", "B03_hvac_heating", "Vebo", "staal", "wall_door_column_4x3"]
MODELS = [path for path in real_models() if path.stem in NAMES]
if not MODELS:
    pytest.skip("no real models (PENSAER_TEST_DATA or ../shared/data)", allow_module_level=True)


@pytest.fixture(scope="module")
def rules():
    """The example that evaluates rules."""
    path = ROOT / "target" / "debug" / "examples" / "rules"
    assert path.is_file(), f"{path} is missing: cargo build -p ifc --example rules"
    return path


@pytest.mark.parametrize("path", MODELS, ids=[path.stem for path in MODELS])
def test_rules_are_broken_where_ifcopenshell_finds_them_broken(path, rules):
    _, _, unexplained, _, _ = compare(str(rules), str(path))
    assert not unexplained
