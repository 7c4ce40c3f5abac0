"""Evaluates the rules of the schema over models with Pensaer and with IfcOpenShell and compares what is broken.

    cargo build -p ifc --example ifc
    python tests/python/compare_rules.py target/debug/examples/ifc [MODEL.ifc …]

Without models all those of the test data are compared, which takes some minutes. A finding is an instance and a rule;
every difference that none of REASONS explains is shown and makes the exit code 1. CPU seconds of both are shown too;
IfcOpenShell's include compiling its rules, which it does for each file.
"""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import ifcopenshell
import ifcopenshell.express.rule_executor
import ifcopenshell.validate

#: Findings about rules that do not hold; UNIQUE rules and what could not be evaluated have no counterpart.
CODES = {"where-rule", "global-rule"}


def refers_twice(instance):
    """Whether an inverse attribute of the instance has another one twice."""
    if instance is None:
        return False
    declared = instance.file.schema_identifier
    entity = ifcopenshell.schema_by_name(declared).declaration_by_name(instance.is_a())
    for inverse in entity.all_inverse_attributes():
        found = getattr(instance, inverse.name())
        if isinstance(found, tuple) and len(found) != len(set(found)):
            return True
    return False


def has_unknown_item(instance, text):
    """Whether the instance has an enumeration item in the file where IfcOpenShell reads nothing."""
    line = re.search(rf"^#{instance.id()}\s*=[^;]*;", text, re.MULTILINE)
    entity = ifcopenshell.schema_by_name(instance.file.schema_identifier).declaration_by_name(instance.is_a())
    enumerations = [at for at, of in enumerate(entity.all_attributes()) if "enumeration" in str(of.type_of_attribute())]
    lost = [at for at in enumerations if instance[at] is None]
    return bool(lost) and len(re.findall(r"\.\w+\.", line[0])) > len(enumerations) - len(lost)


#: Why a finding of IfcOpenShell alone is none: words of its message, or of what it met; then the reason.
THEIRS = [
    (
        lambda message, instance: re.search("NoneType|indeterminate_type|Attribute not set|list index out of range", message),
        "a Python error over a value that is not given, which makes the rule unknown and not false (ISO 10303-11, 9.2.2.2)",
    ),
    (
        lambda message, instance: refers_twice(instance),
        "who refers twice is counted twice in an inverse attribute that is a SET (ISO 10303-11, 9.2.1.3)",
    ),
    (
        lambda message, instance: message.startswith("(isdifferent == False)"),
        "instances compared by value where the rule says :<>:, and without a third truth value (ISO 10303-11, 12.2.2)",
    ),
]

#: Why a finding of Pensaer alone is one.
OURS = [
    (
        lambda instance, text: refers_twice(instance),
        "who refers twice is counted twice in an inverse attribute that is a SET (ISO 10303-11, 9.2.1.3)",
    ),
    (has_unknown_item, "an enumeration item that the schema does not have is read as not given"),
]


def ours(program, path):
    """Our findings, with their messages, and the CPU seconds taken."""
    answer = subprocess.run([*program, path], capture_output=True, text=True, check=True).stdout
    *rows, last = [json.loads(line) for line in answer.splitlines()]
    return {(row["id"], row["rule"]): row["message"] for row in rows if row["code"] in CODES}, last["cpu"]


def theirs(model):
    """IfcOpenShell's findings, with their messages, and the CPU seconds taken."""
    logger = ifcopenshell.validate.json_logger()
    before = time.process_time()
    ifcopenshell.express.rule_executor.run(model, logger)
    taken = time.process_time() - before
    rows = [row for row in logger.statements if row["level"] == "error"]
    found = {(row["instance"].id() if row.get("instance") else None, row["attribute"]): row["message"] for row in rows}
    return found, taken


def compare(program, path):
    """How many findings agree, the differences with a reason, those without, and the CPU seconds of both."""
    model = ifcopenshell.open(path)
    text = Path(path).read_text(encoding="latin-1")
    found, cpu = ours(program, path)
    expected, reference_cpu = theirs(model)
    explained, unexplained = [], []
    for identity, rule in sorted(found.keys() ^ expected.keys(), key=str):
        instance = model.by_id(identity) if identity else None
        if (identity, rule) in expected:
            message = expected[identity, rule]
            reason = next((why for when, why in THEIRS if when(message, instance)), None)
            line = f"#{identity} {rule}: found by IfcOpenShell alone"
        else:
            message = found[identity, rule]
            reason = next((why for when, why in OURS if instance and when(instance, text)), None)
            line = f"#{identity} {rule}: found by Pensaer alone"
        if reason:
            explained.append(f"{line}: {reason}")
        else:
            unexplained.append(f"{line}: {message}")
    return len(found.keys() & expected.keys()), explained, unexplained, cpu, reference_cpu


def main(program, *paths):
    if not paths:
        from conftest import ROOT, real_models

        models = real_models()
        paths = models + sorted((models[0] if models else ROOT).parents[1].glob("ifc43_samples/**/*.ifc"))
    agreed, differences, seconds, reference_seconds = 0, 0, 0.0, 0.0
    for path in paths:
        same, explained, unexplained, cpu, reference_cpu = compare(program, str(path))
        agreed, differences = agreed + same, differences + len(unexplained)
        seconds, reference_seconds = seconds + cpu, reference_seconds + reference_cpu
        print(f"{path}: {same} agree, {cpu:.3f} s beside {reference_cpu:.2f} s")
        for line in explained[:3] + unexplained:
            print(f"  {line}")
        if len(explained) > 3:
            print(f"  … {len(explained)} differences with a reason")
    print(f"all: {agreed} findings agree with IfcOpenShell {ifcopenshell.version}, {differences} do not", end="; ")
    print(f"{seconds:.2f} s of CPU time beside {reference_seconds:.2f} s: {reference_seconds / seconds:.0f} times faster")
    return differences != 0


if __name__ == "__main__":
    sys.exit(main([sys.argv[1], "rules"], *sys.argv[2:]))
