"""The cases judged by another program: the criteria's selectors, the schema, and whether the buildings are sound. Models are judged
in processes of their own, so that all processors have something to do."""

import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import ifcopenshell
import ifcopenshell.util.selector
import ifcopenshell.validate
import pytest
import soundness
from compiled_rules import keep_rules
from conftest import ROOT
from passed import found_well, is_found_well

# those that begin with nothing, one to a file; what is done to real models is judged by `pensaer eval`
CASES = [path for path in sorted((ROOT / "evals" / "cases").glob("*.json")) if path.stem in json.loads(path.read_text())]


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


def judged(path):
    """What is invalid in a file, and what is unsound."""
    if is_found_well("judged", Path(path)):
        return [], []
    keep_rules()
    model = ifcopenshell.open(path)
    logger = ifcopenshell.validate.json_logger()
    ifcopenshell.validate.validate(model, logger, express_rules=True)
    invalid, unsound = [str(item) for item in logger.statements], list(soundness.Building(model).findings())
    if not invalid and not unsound:
        found_well("judged", Path(path))
    return invalid, unsound


@pytest.fixture(scope="module")
def judgements(evaluated):
    """The judgements of all files, as they are done; the largest file first."""
    paths = sorted((evaluated / path.with_suffix(".ifc").name for path in CASES), key=lambda path: -path.stat().st_size)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        yield {path.stem: pool.submit(judged, str(path)) for path in paths}


@pytest.fixture(params=CASES, ids=[path.stem for path in CASES])
def case(request, evaluated):
    """A case by its name."""
    ((name, case),) = json.loads(request.param.read_text()).items()
    return name, case


def test_there_are_the_six_of_a_study_thirteen_wishes_a_house_and_an_office():
    names = [path.stem for path in CASES]
    assert len([name for name in names if name.startswith("tc_")]) == 6
    assert len([name for name in names if name.startswith("text2bim_")]) == 13
    assert {"gable_house", "office"} < set(names)


def test_every_criterion_holds_by_the_selectors_of_another_program(case, evaluated):
    name, case = case
    model = ifcopenshell.open(str(evaluated / f"{name}.ifc"))
    short = []
    for name, selector, count in criteria(case):
        found = len(ifcopenshell.util.selector.filter_elements(model, selector))
        if not holds(count, found):
            short.append(f"{name} wants {count}, found {found}: {selector}")
    assert not short, "\n".join(short)


def test_every_change_is_sound_and_the_model_clean_by_our_own_rules(case, evaluated):
    record = json.loads((evaluated / f"{case[0]}.json").read_text())
    assert record["problems"] == []
    assert record["failure"] is None


def test_the_file_is_valid(case, judgements):
    invalid, _ = judgements[case[0]].result()
    assert not invalid, "\n".join(invalid)


def test_the_building_is_sound(case, judgements):
    _, unsound = judgements[case[0]].result()
    assert not unsound, "\n".join(unsound)
