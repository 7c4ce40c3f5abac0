"""Shapes measure what IfcOpenShell says wherever its two kernels agree: volume and bounding box, product by product."""

import pytest
from compare_geometry import compare
from conftest import example, models_named

#: Small ones with openings, clippings, mapped items and bodies given by faces; the others are for `compare_geometry.py` alone.
MODELS = models_named("B01_2_HeatExchanger_Pipes", "IfcOpenHouse_IFC4", "Text2BIM_sample_model", "Vebo", "staal")


@pytest.mark.parametrize("path", MODELS, ids=[path.stem for path in MODELS])
def test_products_have_the_volume_and_the_box_that_both_kernels_of_ifcopenshell_give_them(path):
    figures = compare(example("geometry", "shapes"), str(path))
    assert figures["undisputed"] > 3
    assert not [miss for miss in figures["misses"] if not miss["known"]]
