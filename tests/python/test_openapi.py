"""The descriptions of the Execution Service and of the tools are OpenAPI 3.1 by the judgement of a foreign validator, and calls go as they say."""

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest
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


@pytest.fixture(scope="module")
def address(program, tmp_path_factory):
    """The address of a server that asks callers on this machine for no key."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("served")
    command = [str(program), "--data-dir", str(folder), "--listen", f"127.0.0.1:{port}", "serve", "--open-loopback"]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    for _ in range(300):
        try:
            urllib.request.urlopen(address + "/healthz", timeout=5)
            break
        except OSError:
            time.sleep(0.1)
    yield address
    server.terminate()
    server.wait(timeout=30)


def ask(address, path, body=None):
    """The status and the JSON of a request; a body is posted."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address + path, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_the_tools_are_openapi_for_programs_that_do_not_speak_mcp(address):
    status, usual = ask(address, "/tools/openapi.json")
    assert status == 200
    _, every = ask(address, "/tools/openapi.json?toolsets=all")
    for document in (usual, every):
        assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []
        assert "x-seldom" not in json.dumps(document)
    assert 25 <= len(usual["paths"]) < len(every["paths"])
    wall = usual["paths"]["/tools/create_wall"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert {"start", "end", "level_id"} <= set(wall["required"]) and "session" in wall["properties"]
    status, fault = ask(address, "/tools/openapi.json?toolsets=nonsense")
    assert status == 400 and "structure" in fault["data"]["allowed"]


def test_calls_are_posts_and_a_session_carries_the_model(address):
    status, project = ask(address, "/tools/create_project", {"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]})
    assert status == 200, project
    wall = {"start": [0, 0], "end": [4000, 0], "level_id": "Ground", "session": project["session"]}
    status, made = ask(address, "/tools/create_wall", wall)
    assert status == 200 and made["sound"] is True, made
    status, fault = ask(address, "/tools/create_wall", {**wall, "height": "high"})
    assert status == 400 and fault["data"]["field"] == "height", fault
    status, fault = ask(address, "/tools/create_wal", {})
    assert status == 400 and "create_wall" in fault["message"], fault
    status, seen = ask(address, "/tools/render_view", {"session": project["session"]})
    assert status == 200 and seen["pictures"][0]["media_type"] == "image/png", list(seen)
