"""The files of checks that passed, and with what: one that would do the same again is not run again.

`cargo xtask test` names a folder for what is known of them in `PENSAER_PASSED`, and a number for all that every check can see in
`PENSAER_SEEN`: the files beside the crates, the test data, what is installed. Without these everything is run. A file that looks at the
repository by itself (`ROOT`), or at what the evaluation left, may see anything and is always run; others see the programs that they
start. Of models that `pensaer` made, what takes long to judge is not judged again where it was found well.
"""

import hashlib
import os
import re
from collections import defaultdict
from pathlib import Path

import pytest

GLOBAL_ID = re.compile(r"'[0-3][0-9A-Za-z_$]{21}'")
TEXT_OR_ID = re.compile(r"'(?:[^']|'')*'|#\d+")
HISTORY = re.compile(r"^(#\d+)=IFCOWNERHISTORY\((.*)\);$\n", re.MULTILINE)
EXAMPLE = re.compile(r"\bexample\(\s*\"([a-z0-9-]+)\"")


def state(path, items, target, seen):
    """A number for all that the checks of a file see; none where that may be anything."""
    text = path.read_text(encoding="utf-8")
    fixtures = {name for item in items for name in item.fixturenames}
    if "evaluated" in fixtures or re.search(r"\bROOT\b", text):
        return None
    programs = [target / "debug" / "examples" / name for name in sorted(set(EXAMPLE.findall(text)))]
    if "program" in fixtures:
        programs.append(Path(os.environ.get("PENSAER", target / "debug" / "pensaer")))
    looks = []
    for program in programs:
        if not program.is_file():
            return None
        found = program.stat()
        looks.append((program.name, found.st_size, found.st_mtime_ns))
    checks = sorted(item.nodeid for item in items)
    return hashlib.sha256(repr((path.name, checks, seen, looks)).encode()).hexdigest()


def alike(path):
    """A number for a model: the same for those that differ in nothing but GlobalIds, the times that are written into them, and the ids
    of instances, which depend on how many seconds there were to write down."""
    header, _, data = path.read_text(encoding="utf-8").partition("DATA;")
    schema = re.search(r"FILE_SCHEMA.*", header)
    guids, ids, histories = {}, {}, set()
    for found in HISTORY.finditer(data):
        ids[found.group(1)] = "#0"
        histories.add(re.sub(r"\b\d{9,}\b", "0", found.group(2)))
    kept = len(ids)

    def renamed(found):
        word = found.group()
        if word.startswith("#"):
            return ids.setdefault(word, f"#+{len(ids) - kept}")
        return guids.setdefault(word, f"'{len(guids)}'") if GLOBAL_ID.fullmatch(word) else word

    data = TEXT_OR_ID.sub(renamed, HISTORY.sub("", data))
    told = (schema and schema.group(), sorted(histories), data)
    return hashlib.sha256(repr(told).encode()).hexdigest()


def is_found_well(what, path):
    """Whether this was looked for in a model that is alike, by checks as they are now, and nothing was found."""
    folder, seen = os.environ.get("PENSAER_PASSED"), os.environ.get("PENSAER_SEEN")
    return bool(folder and seen) and (Path(folder) / "models" / f"{what}-{seen}-{alike(path)}").exists()


def found_well(what, path):
    """Writes down that a model was looked at and nothing was found."""
    folder, seen = os.environ.get("PENSAER_PASSED"), os.environ.get("PENSAER_SEEN")
    if folder and seen:
        stamp = Path(folder) / "models" / f"{what}-{seen}-{alike(path)}"
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()


class Passed:
    """The plugin: leaves out files of checks that are known, and writes down those that pass."""

    def __init__(self, folder, seen, target):
        self.folder, self.seen, self.target = Path(folder), seen, target
        self.states, self.due, self.left_out = {}, {}, []
        self.passed, self.failed = defaultdict(set), set()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        files = defaultdict(list)
        for item in items:
            files[item.path].append(item)
        gone = []
        for path, its in files.items():
            number = state(path, its, self.target, self.seen)
            stamp = self.folder / path.name
            if number and stamp.is_file() and stamp.read_text(encoding="ascii") == number:
                self.left_out.append(path.name)
                gone.extend(its)
            elif number:
                self.states[path.name] = number
                self.due[path.name] = {item.nodeid for item in its}
        if gone:
            config.hook.pytest_deselected(items=gone)
            items[:] = [item for item in items if item.path.name not in self.left_out]

    def pytest_runtest_logreport(self, report):
        name = Path(report.nodeid.split("::")[0]).name
        if report.failed:
            self.failed.add(name)
        elif report.when == "call" and report.passed:
            self.passed[name].add(report.nodeid)

    def pytest_sessionfinish(self, session):
        for name, due in self.due.items():
            # beside others a process runs some files, and each of these whole
            if name not in self.failed and self.passed[name] == due:
                self.folder.mkdir(parents=True, exist_ok=True)
                (self.folder / name).write_text(self.states[name], encoding="ascii")
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["left_out"] = self.left_out

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        self.left_out.extend(getattr(node, "workeroutput", {}).get("left_out", []))

    def pytest_terminal_summary(self, terminalreporter):
        if self.left_out:
            names = ", ".join(sorted(set(self.left_out)))
            terminalreporter.write_line(f"passed before and nothing they see has changed: {names}")
