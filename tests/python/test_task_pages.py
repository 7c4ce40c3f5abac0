"""The pages of docs/tasks are played as they stand: from a clean data folder every call succeeds, and every answer that a page shows is in the real one."""

import json
import math
import os
import re
import shutil
from pathlib import Path

import needs
import pytest
from client import Client
from conftest import ROOT, needed_models

PAGES = ROOT / "docs" / "tasks"
NAMES = sorted(path.name for path in PAGES.glob("*.md") if path.name != "README.md")
BLOCK = re.compile(r"^```json (start|call|answer)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANYTHING = "…"
# tools that need the program EnergyPlus
SIMULATE = {"run_simulation"}


def blocks(name):
    """The blocks of a page that are played, in order: their kind and what they hold."""
    return [(kind, json.loads(text)) for kind, text in BLOCK.findall((PAGES / name).read_text(encoding="utf-8"))]


def looked_up(value, steps):
    """What a path leads to: members, numbers in lists, `*` for all of a list, `[key=value]` for one of it."""
    for at, step in enumerate(steps):
        if step == "*":
            return [looked_up(item, steps[at + 1 :]) for item in value]
        if step.startswith("["):
            key, wanted = step[1:-1].split("=", 1)
            [value] = [item for item in value if str(item.get(key)) == wanted]
        else:
            value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def filled(arguments, answers):
    """Arguments with what they refer to: texts such as `$name.path` are what an earlier call answered."""
    if isinstance(arguments, dict):
        return {key: filled(value, answers) for key, value in arguments.items()}
    if isinstance(arguments, list):
        return [filled(value, answers) for value in arguments]
    if isinstance(arguments, str) and (found := re.fullmatch(r"\$([a-z_]\w*)((?:\..+)?)", arguments)):
        # a step in brackets may hold dots
        steps = re.findall(r"\[[^\]]*\]|[^.]+", found[2])
        return looked_up(answers[found[1]], steps)
    return arguments


def called(session, tool, arguments):
    """The structured answer of a tool; an argument may be named as a parameter of `Client.call` is."""
    result = session.request("tools/call", {"name": tool, "arguments": arguments})
    assert not result.get("isError"), f"{tool}: {result.get('structuredContent') or result}"
    return result["structuredContent"]


def differences(shown, real, at=""):
    """Where a shown answer is not contained in the real one."""
    if isinstance(shown, dict):
        if not isinstance(real, dict):
            return [f"{at}: {real!r} is no object"]
        missing = [f"{at}/{key}: is not in the answer" for key in shown if key not in real]
        return missing + [
            line for key in shown if key in real for line in differences(shown[key], real[key], f"{at}/{key}")
        ]
    if isinstance(shown, list):
        if not isinstance(real, list) or len(real) < len(shown):
            return [f"{at}: {real!r} has not the {len(shown)} entries shown"]
        return [line for number, item in enumerate(shown) for line in differences(item, real[number], f"{at}/{number}")]
    if isinstance(shown, str) and ANYTHING in shown:
        pattern = ".*".join(map(re.escape, shown.split(ANYTHING)))
        same = shown == ANYTHING or (isinstance(real, str) and re.fullmatch(pattern, real, re.DOTALL))
    elif isinstance(shown, bool) or isinstance(real, bool):
        same = shown is real
    elif isinstance(shown, (int, float)) and isinstance(real, (int, float)):
        same = math.isclose(shown, real, rel_tol=1e-6, abs_tol=1e-9)
    else:
        same = shown == real
    return [] if same else [f"{at}: {shown!r} is shown, {real!r} is answered"]


def begun(session, models, folder):
    """Loads the models that a page starts with, under the names that it gives them."""
    data = needed_models()[0].parent.parent
    for name, file in models.items():
        copy = folder / f"{name}.ifc"
        shutil.copyfile(data / file, copy)
        session.call("load_model", file_path=str(copy))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_says_what_happens(program, data, tmp_path, name):
    (first, start), *steps = blocks(name)
    assert first == "start", "a page says first which models it starts with"
    tools = {block["tool"] for kind, block in steps if kind == "call"}
    options = ["--energyplus-dir", needs.energyplus()] if tools & SIMULATE else []
    answers, answer = {}, None
    with Client(program, data, options=options) as session:
        begun(session, start.get("models", {}), tmp_path)
        for number, (kind, block) in enumerate(steps):
            if kind == "call":
                assert set(block) <= {"tool", "as", "arguments"}, block
                answer = called(session, block["tool"], filled(block.get("arguments", {}), answers))
                answers[block.get("as", number)] = answer
            else:
                assert steps[number - 1][0] == "call", "an answer follows its call"
                wrong = differences(block, answer)
                assert not wrong, "\n".join([f"{steps[number - 1][1]} of {name}:", *wrong])


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_its_form(name):
    text = (PAGES / name).read_text(encoding="utf-8")
    kinds = [kind for kind, _ in blocks(name)]
    assert kinds.count("start") == 1 and kinds.count("call") >= 2, kinds
    assert len(kinds) == text.count("```json "), "a block of JSON is a start, a call or an answer"
    assert "\n## Where to go on\n" in text
    broken = [link for link in re.findall(r"\]\(([^)#]+)", text) if ":" not in link and not target(link).exists()]
    assert not broken, f"links of {name} that lead nowhere: {broken}"


def target(link):
    """The file that a relative link of a page leads to; the reference pages are those of the repository."""
    return (ROOT / "docs" / link.removeprefix("../")) if link.startswith("../") else PAGES / link


def test_every_page_is_in_the_index():
    assert NAMES, f"{PAGES} has no pages"
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(([\w-]+\.md)\)", index)
    assert sorted(linked) == NAMES
