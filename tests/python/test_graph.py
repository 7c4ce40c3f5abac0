"""The answers that crates/graph is tested against are those that IfcOpenShell gives today."""

import json

import needs
import pytest

graph_answers = pytest.importorskip("graph_answers", reason="IfcOpenShell and shapely", exc_type=ImportError)

CASES = json.loads(graph_answers.QUERIES.read_text())
MODELS = {}


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_answer_in_the_file_is_that_of_ifcopenshell(case):
    if not (graph_answers.DATA / "models" / case["model"]).exists():
        needs.missing(case["model"], needs.DATA)
    answer = graph_answers.answer_of(case, MODELS)
    assert graph_answers.same(case["answer"], answer, case.get("tolerance", 1e-6)), answer


def test_every_question_is_answered():
    assert {case["name"] for case in CASES} == set(graph_answers.ANSWERS)
    assert len(CASES) >= 30
