"""Shapes measure what IfcOpenShell says wherever its two kernels agree: volume and bounding box, product by product."""

import pytest
from compare_geometry import compare
from conftest import ROOT, real_models

#: Small ones with openings, clippings, mapped items and bodies given by faces; the others are for `compare_geometry.py` alone.
NAMES = ["B01_2_HeatExchanger_Pipes", "IfcOpenHouse_IFC4", "Text2BIM_sample_model", "Vebo", "staal"]
MODELS = [path for path in real_models() if path.stem in NAMES]
if not MODELS:
    pytest.skip("no real models (PENSAER_TEST_DATA or ../shared/data)", allow_module_level=True)


@pytest.fixture(scope="module")
def shapes():
    """The example that measures every product of a file."""
    path = ROOT / "target" / "debug" / "examples" / "shapes"
    assert path.is_file(), f"{path} is missing: cargo build -p geometry --example shapes"
    return str(path)


@pytest.mark.parametrize("path", MODELS, ids=[path.stem for path in MODELS])
def test_products_have_the_volume_and_the_box_that_both_kernels_of_ifcopenshell_give_them(path, shapes):
    figures = compare(shapes, str(path))
    assert figures["undisputed"] > 3
    assert not [miss for miss in figures["misses"] if not miss["known"]]
