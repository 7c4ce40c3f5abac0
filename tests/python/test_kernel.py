"""What the kernel reads in a file is what IfcOpenShell reads: instances, attributes, inverses, property sets, placements, types,
containers, materials, paths, units, georeference, and which classes property-set templates are for."""

import pytest
from compare_kernel import compare, compare_templates
from conftest import example, models_named

#: One or two of each schema; the others, and the suites of cases, are for `compare_kernel.py` alone, which takes minutes.
MODELS = models_named("B01_2_HeatExchanger_Pipes", "Text2BIM_sample_model", "Vebo", "SampleHouse4", "wall_door_column_4x3")
SAMPLES = sorted((MODELS[0].parents[1] / "ifc43_samples").rglob("*.ifc"))


@pytest.mark.parametrize("path", MODELS + SAMPLES, ids=[path.stem for path in MODELS + SAMPLES])
def test_a_file_holds_what_ifcopenshell_finds_in_it(path):
    found, _ = compare(example("ifc", "dump"), str(path))
    assert sum(found.compared.values()) > 100
    assert not found.kinds, dict(found.kinds)


def test_templates_are_for_the_classes_that_ifcopenshell_says():
    found, _ = compare_templates(example("ifc", "dump"))
    assert found.compared["templates"] > 2000
    assert not found.kinds, dict(found.kinds)
