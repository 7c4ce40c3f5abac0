"""What the kernel reads in a file is what IfcOpenShell reads: instances, attributes, inverses, property sets, placements, types,
containers, materials, paths, units, georeference, and which classes property-set templates are for."""

import pytest
from compare_kernel import compare, compare_templates
from conftest import ROOT, real_models

#: One or two of each schema; the others, and the suites of cases, are for `compare_kernel.py` alone, which takes minutes.
NAMES = ["B01_2_HeatExchanger_Pipes", "Text2BIM_sample_model", "Vebo", "SampleHouse4", "wall_door_column_4x3"]
MODELS = [path for path in real_models() if path.stem in NAMES]
if not MODELS:
    pytest.skip("no real models (PENSAER_TEST_DATA or ../shared/data)", allow_module_level=True)
SAMPLES = sorted((MODELS[0].parents[1] / "ifc43_samples").rglob("*.ifc"))


@pytest.fixture(scope="module")
def dump():
    """The example that writes down what the kernel makes of a file."""
    path = ROOT / "target" / "debug" / "examples" / "dump"
    assert path.is_file(), f"{path} is missing: cargo build -p ifc --example dump"
    return str(path)


@pytest.mark.parametrize("path", MODELS + SAMPLES, ids=[path.stem for path in MODELS + SAMPLES])
def test_a_file_holds_what_ifcopenshell_finds_in_it(path, dump):
    found, _ = compare(dump, str(path))
    assert sum(found.compared.values()) > 100
    assert not found.kinds, dict(found.kinds)


def test_templates_are_for_the_classes_that_ifcopenshell_says(dump):
    found, _ = compare_templates(dump)
    assert found.compared["templates"] > 2000
    assert not found.kinds, dict(found.kinds)
