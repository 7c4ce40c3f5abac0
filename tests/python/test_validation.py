"""Validation against the schema finds what IfcOpenShell finds, asked through the tool that agents use."""

import collections

import pytest
from compare_validation import OURS_ONLY, VALUE, reference_findings
from conftest import models_named

# several kinds of fault, all three schemas, a few seconds in all
MODELS = models_named("AC20-FZK-Haus", "B01_2_HeatExchanger_Pipes", "B03_hvac_heating", "Duplex_Electrical", "wall_door_column_4x3")


@pytest.mark.parametrize("path", MODELS, ids=[path.stem for path in MODELS])
def test_validation_finds_what_ifcopenshell_finds(path, shared_session):
    model = shared_session.call("load_model", file_path=str(path))["model_id"]
    answer = shared_session.call("validate_model", model_id=model, parts=["schema"], limit=200)
    ours, first = collections.Counter(), collections.defaultdict(list)
    for group in answer["groups"]:
        if group["kind"] not in OURS_ONLY:
            kind = VALUE.get(group["kind"], group["kind"])
            ours[kind] += group["count"]
            first[kind].append(group["first"][0]["message"])
    theirs = collections.Counter(kind for _, kind in reference_findings(path))
    # IfcOpenShell's pairs of instance and kind may stand for several findings on one instance
    assert set(ours) == set(theirs), (ours, theirs, dict(first))
    assert all(ours[kind] >= theirs[kind] for kind in theirs), (ours, theirs)
