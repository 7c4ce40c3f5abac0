"""The description of the Execution Service is OpenAPI 3.1 by the judgement of a foreign validator, and its examples fit."""

import json

from conftest import ROOT
from openapi_spec_validator import OpenAPIV31SpecValidator

DOCUMENT = json.loads((ROOT / "schemas" / "openapi.json").read_text())


def test_the_document_is_openapi():
    problems = [error.message for error in OpenAPIV31SpecValidator(DOCUMENT).iter_errors()]
    assert problems == []


def test_every_operation_says_what_it_takes_and_which_faults_it_answers():
    for path in ("/query", "/create", "/modify"):
        operation = DOCUMENT["paths"][path]["post"]
        assert operation["requestBody"]["required"]
        assert {"200", "400", "401", "409", "413", "501", "503"} <= set(operation["responses"])
