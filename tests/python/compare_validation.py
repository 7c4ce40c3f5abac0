"""Holds what Pensaer finds wrong with files against the schema beside what `ifcopenshell.validate` finds (without rules).

    cargo build -p ifc --example ifc
    python tests/python/compare_validation.py target/debug/examples/ifc FILE.ifc …

Findings are compared as pairs of an instance and the kind of fault. Every difference that is not explained is shown and
makes the exit code 1. What is explained, and why the two differ there:

- Pensaer also tells of what comes twice in a set or a list of unique members, of texts longer than their type allows
  (STRING(255)), of doubled ids and of header entries that ISO 10303-21 does not know; IfcOpenShell looks at none of these.
- Of two instances with one GlobalId Pensaer blames the one that stands later in the file, IfcOpenShell that with the
  higher id.
- IfcOpenShell drops a reference to nowhere and a word that an enumeration does not have while it reads, and then finds the
  attribute missing where it is not optional; Pensaer tells of the reference or the word.
- The UNIQUE rules of IfcApplication are rules to Pensaer (`--rules`); IfcOpenShell always checks them.
"""

import collections
import json
import re
import subprocess
import sys

import ifcopenshell
import ifcopenshell.validate

# kinds of Pensaer's that IfcOpenShell does not tell apart
VALUE = {"type": "value", "bounds": "value", "enumeration": "value", "reference": "value"}
OURS_ONLY = {"unique", "syntax", "schema", "unknown-class"}


def kind_of(message):
    """The kind of fault that a message of IfcOpenShell's tells of; none for what is explained above."""
    if "IfcApplication.UR" in message:
        return None
    patterns = [
        (r"GlobalId should", "global-id"),
        (r"[Nn]ot optional", "missing"),
        (r"erived in subtype", "derived"),
        (r"is abstract", "abstract"),
        (r"^With inverse", "inverse"),
        (r"^With attribute|Invalid attribute value|^Instance reference|^An enumeration literal", "value"),
        (r"has invalid type|for header entity", "header"),
        (r"xpected \d+ attribute values", "attribute-count"),
    ]
    return next((kind for pattern, kind in patterns if re.search(pattern, message)), f"other: {message[:80]}")


def reference_findings(path):
    """What IfcOpenShell finds: pairs of instance id (none for the header) and kind."""
    logger = ifcopenshell.validate.json_logger()
    ifcopenshell.validate.validate(str(path), logger)
    found = set()
    for row in logger.statements:
        message, instance = row["message"], row.get("instance")
        kind = kind_of(message)
        number = instance.id() if isinstance(instance, ifcopenshell.entity_instance) else None
        if dropped := re.match(r"Instance reference #\d+ used by instance #(\d+)", message):
            number = int(dropped.group(1))
        elif number is None and (named := re.search(r"#(\d+)\s*=", f"{instance} {message}")):
            number = int(named.group(1))
        if kind == "header":
            number = None
        elif number is None and kind == "value":
            continue  # a word that was dropped while reading, told of once more below
        if kind:
            found.add((number, kind))
    return found


def differences(ours, theirs):
    """What one finds and the other does not, less what is explained."""
    mine = {(number, VALUE.get(kind, kind)) for number, kind in ours if kind not in OURS_ONLY}
    dropped = {(number, "missing") for number, kind in mine if kind == "value"}
    only_theirs = theirs - mine - dropped
    only_mine = mine - theirs
    count = collections.Counter(kind for _, kind in only_theirs)
    if count["global-id"] == sum(kind == "global-id" for _, kind in only_mine):
        only_theirs = {one for one in only_theirs if one[1] != "global-id"}
        only_mine = {one for one in only_mine if one[1] != "global-id"}
    return only_theirs, only_mine


def main():
    program, *files = sys.argv[1:]
    output = subprocess.run([program, "validate", *files], capture_output=True, text=True, check=True).stdout
    found = collections.defaultdict(set)
    refused = {}
    for line in output.splitlines():
        row = json.loads(line)
        if "refused" in row:
            refused[row["file"]] = row["refused"]
        elif "(STRING(255))" not in row["message"] and "is no header entry" not in row["message"]:
            found[row["file"]].add((row["id"], row["code"]))
    wrong = equal = 0
    for file in files:
        if file in refused:
            print(f"{file}: refused: {refused[file]}")
            continue
        try:
            theirs = reference_findings(file)
        except Exception as error:  # noqa: BLE001 - what the reference cannot open is not compared
            print(f"{file}: IfcOpenShell: {error}")
            continue
        only_theirs, only_mine = differences(found[file], theirs)
        equal += len(theirs)
        if only_theirs or only_mine:
            wrong += 1
            print(f"{file}: only IfcOpenShell {sorted(only_theirs, key=str)[:9]}, only Pensaer {sorted(only_mine, key=str)[:9]}")
    print(f"{len(files)} files, {equal} findings of IfcOpenShell, {wrong} files differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
