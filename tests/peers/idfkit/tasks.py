"""Plays the tasks of `tasks.json` with Pensaer and with idfkit-mcp, and writes how long and how right the answers are.

    python tasks.py --pensaer target/debug/pensaer --energyplus DIR --prototypes DIR [--idfkit FILE] [--record] [--answers FOLDER]

What is counted are the characters that a client reads: of the text of an answer with the links beside it, and of its structured
content, which most clients leave out where there is text. A refusal counts as an answer. A run that goes on as a job counts by what is
answered at its end. With `--record` what idfkit-mcp answered is written into `tasks.json`, where tests/python/test_energy_tasks.py reads
it; without `--idfkit` the recorded figures stand for it.
"""

import argparse
import datetime
import itertools
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TASKS = HERE / "tasks.json"
sys.path.insert(0, str(HERE.parents[1] / "python"))
from client import Client, Fault  # noqa: E402

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def read_tasks():
    """The tasks, with the models they are on and what was recorded of the peer."""
    return json.loads(TASKS.read_text())


def counted(task):
    """True of a task that counts: both can do it on any machine, and what they send is read, not drawn."""
    return "apart" not in task


@dataclass
class Played:
    """The answers of one side to a task."""

    text: int
    structured: int
    calls: int
    missing: list
    answer: str

    @property
    def correct(self):
        return not self.missing


class Peer(Client):
    """A session with another server than Pensaer."""

    def __init__(self, command, environment, folder):
        process = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        self.process = subprocess.Popen(command, env={**os.environ, **environment}, cwd=folder, **process)
        self.numbers = itertools.count(1)
        client = {"name": "tasks", "version": "1"}
        self.hello = self.request(
            "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        )
        self.send({"method": "notifications/initialized"})


class Player:
    """Plays tasks in their order in one session, as they build on each other."""

    def __init__(self, session, side, places):
        self.session = session
        self.side = side
        self.places = places

    def play(self, task):
        """The answer to a task's calls, held against what it must have."""
        for step in task.get("before", []):
            self.step(step)
        answers = [self.step(step) for step in task.get(self.side) or task["calls"]]
        text = "\n".join(answer for answer, _ in answers)
        missing = [wanted for wanted in task["must"] if not holds(text, wanted)]
        if "file" in task and not Path(self.placed(task["file"])).is_file():
            missing.append(task["file"])
        lengths = (sum(len(answer) for answer, _ in answers), sum(structured for _, structured in answers))
        return Played(*lengths, len(answers), missing, text)

    def step(self, step):
        """One call, or one resource read: its text, and the characters of its structured content."""
        try:
            if "read" in step:
                contents = self.session.request("resources/read", {"uri": step["read"]})["contents"]
                return self.named("\n".join(read(content) for content in contents)), 0
            result = self.session.request("tools/call", self.request(step))
            while self.goes_on(result):
                time.sleep(1)
                status = {"name": "get_simulation_status", "arguments": {"job_id": result["structuredContent"]["job_id"]}}
                result = self.session.request("tools/call", status)
        except Fault as fault:
            return self.named(str(fault)), 0
        structured = result.get("structuredContent")
        whole = "" if structured is None else json.dumps(structured, ensure_ascii=False, separators=(",", ":"))
        return self.named("\n".join(read(content) for content in result["content"])), len(self.named(whole))

    def request(self, step):
        return {"name": step["tool"], "arguments": self.placed(step.get("arguments", {}))}

    @staticmethod
    def goes_on(result):
        structured = result.get("structuredContent") or {}
        return structured.get("status") in ("queued", "running") and "job_id" in structured

    def named(self, text):
        """The text with `$names` in the places of this machine's folders, so that their lengths do not count."""
        for name, path in sorted(self.places.items(), key=lambda place: -len(str(place[1]))):
            text = text.replace(str(path), f"${name}")
        return text

    def placed(self, value):
        """The value with the files of this machine in the places of `$names`."""
        if isinstance(value, dict):
            return {name: self.placed(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.placed(item) for item in value]
        if isinstance(value, str) and value.startswith("$"):
            name, _, rest = value[1:].partition("/")
            return str(Path(self.places[name]) / rest) if rest else str(self.places[name])
        return value


def read(content):
    """The text of a block of an answer; of a link its name and address, which clients show."""
    return content.get("text") or " ".join(content[part] for part in ("name", "uri") if part in content)


def holds(text, wanted):
    """True of an answer that has a text (or one of several), or a number (or one of several, in other units) within a share of it."""
    if isinstance(wanted, dict):
        numbers = [float(number) for number in NUMBER.findall(text)]
        close = wanted["within"]
        return any(abs(found - number) <= close * abs(number) for number in wanted["number"] for found in numbers)
    if isinstance(wanted, list):
        return any(holds(text, one) for one in wanted)
    return wanted.lower() in text.lower()


def places(tasks, energyplus, prototypes, out):
    """The files that the tasks name, by their names there."""
    models = {name: Path(prototypes) / file for name, file in tasks["models"].items()}
    return {**models, "weather": Path(energyplus) / tasks["weather"], "energyplus": Path(energyplus), "out": Path(out)}


def play_all(session, side, tasks, where):
    """The answers of a side to each task, by its id."""
    player = Player(session, side, where)
    return {task["id"]: player.play(task) for task in tasks}


def keep_answers(folder, **sides):
    """Writes every answer into a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for side, played in sides.items():
        for name, one in played.items():
            (folder / f"{name}.{side}.txt").write_text(one.answer)


def recorded(task):
    """The recorded answer of the peer, as if it had been played."""
    peer = task["peer"]
    return Played(peer["text"], peer["structured"], peer["calls"], [] if peer["correct"] else ["recorded as missing"], "")


def record(tasks, theirs):
    """Writes what the peer answered into the file of the tasks."""
    for task in tasks["tasks"]:
        played = theirs[task["id"]]
        task["peer"] = {
            "text": played.text,
            "structured": played.structured,
            "calls": played.calls,
            "correct": played.correct,
        }
    tasks["peer"]["recorded"] = datetime.date.today().isoformat()
    TASKS.write_text(written(tasks))


def written(tasks):
    """The file of the tasks: JSON with a line for each part of a task."""

    def lines(parts, indent):
        inner = ",\n".join(f"{indent}  {json.dumps(key)}: {json.dumps(part, ensure_ascii=False)}" for key, part in parts.items())
        return f"{{\n{inner}\n{indent}}}"

    head = {key: part for key, part in tasks.items() if key != "tasks"}
    each = ",\n".join(f"    {lines(task, '    ')}" for task in tasks["tasks"])
    return lines(head, "")[:-2] + f',\n  "tasks": [\n{each}\n  ]\n}}\n'


def table(tasks, ours, theirs):
    """The lines of the table, in Markdown, and what the tasks that count come to."""
    yield "| task | Pensaer | idfkit-mcp | ratio | calls | correct | in substance |"
    yield "| --- | ---: | ---: | ---: | --- | --- | --- |"
    for task in tasks["tasks"]:
        mine, other = ours[task["id"]], theirs[task["id"]]
        name = task["id"] + (f" ({task['apart']})" if "apart" in task else "")
        calls = f"{mine.calls} / {other.calls}"
        correct = " / ".join("yes" if one.correct else "no" for one in (mine, other))
        lengths = [f"{one.text}" + (f" + {one.structured}" if one.structured not in (0, one.text) else "") for one in (mine, other)]
        ratio = f"{mine.text / max(other.text, 1):.2f}"
        yield f"| {name} | {lengths[0]} | {lengths[1]} | {ratio} | {calls} | {correct} | {task.get('substance', '')} |"
    names = [task["id"] for task in tasks["tasks"] if counted(task)]
    sums = [sum(side[name].text for name in names) for side in (ours, theirs)]
    structured = [sum(side[name].structured for name in names) for side in (ours, theirs)]
    ratios = [ours[name].text / max(theirs[name].text, 1) for name in names]
    right = [sum(side[name].correct for name in names) for side in (ours, theirs)]
    yield ""
    yield f"{len(names)} tasks that count: text {sums[0]} to {sums[1]} ({sums[0] / sums[1]:.2f})"
    yield f"their structured content: {structured[0]} to {structured[1]}"
    yield f"median of the ratios {statistics.median(ratios):.2f}; longer by more than a fifth: {sum(ratio > 1.2 for ratio in ratios)}"
    yield f"correct: {right[0]} to {right[1]}"
    for side, played in (("Pensaer", ours), ("idfkit-mcp", theirs)):
        for name, one in played.items():
            if one.missing:
                yield f"{side} lacks in `{name}`: {one.missing}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pensaer", required=True)
    parser.add_argument("--energyplus", required=True)
    parser.add_argument("--prototypes", required=True)
    parser.add_argument("--idfkit", help="the program idfkit-mcp")
    parser.add_argument("--record", action="store_true", help="write what idfkit-mcp answers into tasks.json")
    parser.add_argument("--answers", type=Path, help="a folder for the answers, whole")
    given = parser.parse_args()
    tasks = read_tasks()
    with tempfile.TemporaryDirectory() as folder:
        data, mine, other = (Path(folder) / name for name in ("data", "mine", "other"))
        for made in (data, mine, other):
            made.mkdir()
        options = ["--energyplus-dir", given.energyplus]
        with Client(given.pensaer, data, "energy", options=options) as session:
            ours = play_all(session, "ours", tasks["tasks"], places(tasks, given.energyplus, given.prototypes, mine))
        if given.idfkit:
            environment = {"ENERGYPLUS_DIR": given.energyplus, "IDFKIT_MCP_OUTPUT_DIRS": str(other)}
            with Peer([given.idfkit], environment, other) as session:
                where = places(tasks, given.energyplus, given.prototypes, other)
                theirs = play_all(session, "theirs", tasks["tasks"], where)
        else:
            theirs = {task["id"]: recorded(task) for task in tasks["tasks"]}
    if given.answers:
        keep_answers(given.answers, ours=ours, theirs=theirs)
    if given.record and given.idfkit:
        record(tasks, theirs)
    print("\n".join(table(tasks, ours, theirs)))


if __name__ == "__main__":
    main()
