"""`pensaer eval --agent` against a server on this machine that replays a conversation: it answers each turn with the next call
of a scripted trace, as a language model would, and counts tokens."""

import http.server
import json
import re
import subprocess
import threading

import pytest
from conftest import ROOT


def look_up(path, answers):
    """What a reference of a trace, such as `$project.storeys.0.storey_id`, means."""
    name, *parts = re.findall(r"[^.\[\]]+(?:=[^\]]*)?|\[[^\]]*\]", path)
    value = answers[name]
    for part in parts:
        if "=" in part:
            key, wanted = part.strip("[]").split("=", 1)
            value = next(item for item in value if str(item.get(key)) == wanted)
        else:
            value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def resolve(value, answers):
    """The arguments of a call with every reference replaced."""
    if isinstance(value, str) and value.startswith("$"):
        return look_up(value[1:], answers)
    if isinstance(value, list):
        return [resolve(item, answers) for item in value]
    if isinstance(value, dict):
        return {key: resolve(item, answers) for key, item in value.items()}
    return value


class Replay(http.server.BaseHTTPRequestHandler):
    """An OpenAI-compatible endpoint that knows one trace by heart, and begins with a mistake."""

    calls = []
    seen = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append((self.path, self.headers.get("Authorization"), body))
        answers = {}
        told = [message["content"] for message in body["messages"] if message["role"] == "tool"][1:]
        for number, (call, text) in enumerate(zip(self.calls, told, strict=False), 1):
            answers[str(number)] = answers[call.get("as", str(number))] = json.loads(text)
        turn = sum(message["role"] == "assistant" for message in body["messages"])
        if turn == 0:
            message = self.asks("create_wall", '{"start": [0, 0]')
        elif turn <= len(self.calls):
            call = self.calls[turn - 1]
            message = self.asks(call["tool"], json.dumps(resolve(call.get("arguments", {}), answers)))
        else:
            message = {"role": "assistant", "content": "The wall stands."}
        answer = {"choices": [{"message": message}], "usage": {"total_tokens": 1000}}
        text = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    @staticmethod
    def asks(tool, arguments):
        """A turn that calls one tool."""
        call = {"id": f"call-{tool}", "type": "function", "function": {"name": tool, "arguments": arguments}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    def log_message(self, *_):
        """Says nothing."""


@pytest.fixture
def endpoint():
    """The address of a running replay."""
    Replay.calls = json.loads((ROOT / "evals" / "traces" / "tc_new_1.json").read_text())["calls"]
    Replay.seen = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Replay)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()


def test_an_agent_is_driven_measured_and_judged(program, endpoint, tmp_path):
    command = [program, "eval", "tc_new_1", "--cases", ROOT / "evals", "--out", tmp_path, "--agent", endpoint]
    command += ["--model", "replayed", "--runs", "2", "--agent-key", "secret"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    path, key, first = Replay.seen[0]
    assert path == "/v1/chat/completions" and key == "Bearer secret"
    assert first["model"] == "replayed" and first["messages"][1]["content"].startswith("Create a wall")
    assert {"create_wall", "create_opening"} <= {tool["function"]["name"] for tool in first["tools"]}

    steps = len(Replay.calls) + 2
    row = next(line for line in done.stdout.splitlines() if line.startswith("tc_new_1"))
    cells = row.split()
    success = 100 * len(Replay.calls) / (len(Replay.calls) + 1)
    assert cells[1:5] == [f"{steps:.1f}", f"{steps - 1:.1f}", f"{success:.1f}", f"{steps:.3f}"]
    assert "not measured" in done.stdout and "2 of 2" in done.stdout and "100.0" in done.stdout

    record = json.loads((tmp_path / "tc_new_1-run1.json").read_text())
    assert record["kind"] == "agent" and record["tokens"] == 1000 * steps and record["failed_calls"] == 1
    assert all(criterion["met"] for criterion in record["criteria"])
    assert (tmp_path / "tc_new_1-run2.ifc").stat().st_size > 1000


class Messages(Replay):
    """The same trace behind an endpoint of Anthropic's form, which first makes a wall with a mistake in its model and mends it when told."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append((self.path, self.headers.get("x-api-key"), body))
        turn = sum(message["role"] == "assistant" for message in body["messages"])
        told = [block for message in body["messages"] if isinstance(message["content"], list) for block in message["content"]]
        told = [json.loads(block["content"]) for block in told if block["type"] == "tool_result"]
        answers = {str(number): answer for number, answer in enumerate(told, 1)}
        answers |= {call["as"]: answers[str(n)] for n, call in enumerate(self.calls, 1) if "as" in call and str(n) in answers}
        if turn < len(self.calls):
            call = self.calls[turn]
            use = {"type": "tool_use", "id": f"use-{turn}", "name": call["tool"], "input": resolve(call.get("arguments", {}), answers)}
            content = [{"type": "text", "text": "Next."}, use]
        else:
            content = [{"type": "text", "text": "The wall stands."}]
        text = json.dumps({"role": "assistant", "content": content, "usage": {"input_tokens": 900, "output_tokens": 100}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


@pytest.fixture
def messages():
    """The address of an endpoint of Anthropic's form."""
    Messages.calls = json.loads((ROOT / "evals" / "traces" / "tc_new_1.json").read_text())["calls"]
    Messages.seen = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Messages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()


def test_messages_are_spoken_runs_go_side_by_side_and_reports_are_written_compared_and_replayed(program, messages, tmp_path):
    def run(*words):
        command = [program, "eval", *words]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    cases = ["--cases", ROOT / "evals"]
    (tmp_path / "reviews.json").write_text('{"tc_new_1-run1": 4, "tc_new_1-run2": 5, "tc_new_1-run3": 3}')
    agent = ["--agent", messages, "--api", "anthropic", "--model", "spoken", "--agent-key", "secret", "--runs", "3", "--parallel", "2"]
    reports = [word for end in ("md", "html", "json") for word in ("--report", tmp_path / f"report.{end}")]
    out = ["--out", tmp_path, "--reviews", tmp_path / "reviews.json", "--mend", "2"]
    said = run("tc_new_1", *cases, *agent, *out, *reports)
    path, key, first = Messages.seen[0]
    assert path == "/v1/messages" and key == "secret" and first["system"].startswith("You are")
    assert "input_schema" in first["tools"][0] and first["messages"][0]["content"].startswith("Create a wall")
    assert "4.0" in said and "3 of 3" in said and "as published" in said
    report = json.loads((tmp_path / "report.json").read_text())
    assert [run["run"] for run in report["runs"]] == ["tc_new_1-run1", "tc_new_1-run2", "tc_new_1-run3"]
    for record in report["runs"]:
        assert record["schema"] is True and record["practice"] is True and record["mended"] == 0
        assert [call["tool"] for call in record["each_call"]] == [call["tool"] for call in Messages.calls]
        assert record["tokens"] == 1000 * record["steps"]
    assert (tmp_path / "report.md").read_text().count("| tc_new_1 |") == 2
    assert "<td>tc_new_1</td>" in (tmp_path / "report.html").read_text()

    again = run("tc_new_1", *cases, "--replay", tmp_path / "tc_new_1-run2.json", "--report", tmp_path / "again.json")
    assert "1 of 1" in again and "tc_new_1" in again
    compared = run("--compare", tmp_path / "report.json", tmp_path / "again.json")
    calls = next(line for line in compared.splitlines() if line.startswith("tool calls"))
    assert "+0.00 to +0.00" in calls and calls.split()[-1] == "no"
