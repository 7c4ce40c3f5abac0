"""The six cases judged by another program: the criteria's selectors, the schema, and whether the buildings are sound."""

import json

import ifcopenshell
import ifcopenshell.util.selector
import ifcopenshell.validate
import pytest
import soundness
from conftest import ROOT

CASES = sorted((ROOT / "evals" / "cases").glob("*.json"))


def criteria(case):
    """Name, selector and count of each criterion; a bare integer means exactly, a missing `min` at least one."""
    wanted = case["success_criteria"]
    for name, count in wanted.get("element_existence", {}).items():
        yield name, name, count
    for name, feature in wanted.get("element_features", {}).items():
        if isinstance(feature, str):
            yield name, feature, {}
        else:
            yield name, feature["selector"], feature


def holds(count, found):
    """Whether so many are as many as were asked for."""
    if isinstance(count, int):
        return found == count
    least, most = count.get("min"), count.get("max")
    return found >= (1 if least is None else least) and (most is None or found <= most)


@pytest.fixture(params=CASES, ids=[path.stem for path in CASES])
def case(request, evaluated):
    """A case and the model that the scripted trace made."""
    ((name, case),) = json.loads(request.param.read_text()).items()
    return name, case, ifcopenshell.open(str(evaluated / f"{name}.ifc"))


def test_there_are_six_cases():
    assert len(CASES) == 6


def test_every_criterion_holds_by_the_selectors_of_another_program(case):
    _, case, model = case
    short = []
    for name, selector, count in criteria(case):
        found = len(ifcopenshell.util.selector.filter_elements(model, selector))
        if not holds(count, found):
            short.append(f"{name} wants {count}, found {found}: {selector}")
    assert not short, "\n".join(short)


def test_the_file_is_valid(case):
    _, _, model = case
    logger = ifcopenshell.validate.json_logger()
    ifcopenshell.validate.validate(model, logger, express_rules=True)
    assert not logger.statements, "\n".join(str(item) for item in logger.statements)


def test_the_building_is_sound(case):
    _, _, model = case
    findings = list(soundness.Building(model).findings())
    assert not findings, "\n".join(findings)
