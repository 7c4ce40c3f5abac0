"""What has changed between two unrelated files of one model, edited by another program and under other ids, is what IfcOpenShell
sees in both."""

import pytest
from compare_diff import compare
from conftest import ROOT, real_models

#: The smaller ones of each schema; the others are for `compare_diff.py` alone.
NAMES = ["B01_2_HeatExchanger_Pipes", "Duplex_A_20110907", "IfcOpenHouse_IFC4", "Text2BIM_sample_model", "wall_door_column_4x3"]
MODELS = [path for path in real_models() if path.stem in NAMES]
if not MODELS:
    pytest.skip("no real models (PENSAER_TEST_DATA or ../shared/data)", allow_module_level=True)


@pytest.fixture(scope="module")
def differ():
    """The example that compares two files."""
    path = ROOT / "target" / "debug" / "examples" / "compare"
    assert path.is_file(), f"{path} is missing: cargo build -p ifc --example compare"
    return str(path)


@pytest.mark.parametrize("path", MODELS, ids=[path.stem for path in MODELS])
def test_unrelated_files_differ_in_what_was_edited_and_nothing_else(path, differ):
    mine, theirs, _, _ = compare(differ, str(path))
    assert theirs
    assert mine == theirs
