"""What has changed between two unrelated files of one model, edited by another program and under other ids, is what IfcOpenShell
sees in both."""

import pytest
from compare_diff import compare
from conftest import example, models_named

#: The smaller ones of each schema; the others are for `compare_diff.py` alone.
MODELS = models_named("B01_2_HeatExchanger_Pipes", "Duplex_A_20110907", "IfcOpenHouse_IFC4", "Text2BIM_sample_model", "wall_door_column_4x3")


@pytest.mark.parametrize("path", MODELS, ids=[path.stem for path in MODELS])
def test_unrelated_files_differ_in_what_was_edited_and_nothing_else(path):
    mine, theirs, _, _ = compare(example("ifc", "compare"), str(path))
    assert theirs
    assert mine == theirs
