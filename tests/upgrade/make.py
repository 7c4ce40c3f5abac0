"""Makes the data folder of a version, for the test that later versions open it: `make.py PENSAER`, with the program of that version.

It works as people do, through the program alone: a house with branches, a merge, undo and what is kept beside a model; an energy
model; documents; keys. Then it writes down what that version says of it all, and packs both as `VERSION.tar.gz` beside this file.
"""

import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/python"))

import client  # noqa: E402

# what every process makes anew
LEFT_OUT = ("indexes", "scratch", "start.lock", "daemon.lock", "daemon.log", "daemon.json", "daemon.sock", "local-key")


def run(program, data, *arguments):
    """The output of a subcommand."""
    places = ["--data-dir", data, "--write-dir", data.parent, "--listen", "127.0.0.1:0"]
    command = [program, *places, *arguments]
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def history(program, data, model, folder):
    """The hash of every version's instances, by version; the header names the program that wrote the file."""
    run(program, data, "admin", "export-history", model, "--out", folder)
    entries = [json.loads(line) for line in (folder / "history.jsonl").read_text().splitlines()]
    _, instances = zip(*((folder / entry["file"]).read_bytes().split(b"DATA;", 1) for entry in entries))
    return {
        entry["version"]: hashlib.sha256(data).hexdigest() for entry, data in zip(entries, instances, strict=True)
    }


def told(program, data, model, scratch):
    """What a version of the program says of the house."""
    with client.Client(program, data, "all") as session:
        walls = session.call("query_elements", model_id=model, selector="IfcWall", fields=["Name", "Qto_WallBaseQuantities.NetVolume"])
        versions = session.call("list_versions", model_id=model, limit=200)
        topics = session.call("list_topics", model_id=model)
        energy = session.call("list_models", limit=50)["models"]
    return {
        "history": history(program, data, model, scratch),
        "walls": walls["rows"],
        "branches": versions["branches"],
        "versions": [[version["version"], version["tool"], version["author"]] for version in versions["versions"]],
        "topics": [topic["title"] for topic in topics["topics"]],
        "models": sorted([model["name"], model["kind"]] for model in energy),
    }


def make(program, data):
    """Works in the folder; answers the id of the house."""
    run(program, data, "eval", "--once", "--trace", ROOT / "samples/house.json")
    notes = data.parent / "notes.md"
    notes.write_text("# Fire\n\nDoors to the hall are EI30.\n")
    with client.Client(program, data, "all") as session:
        house = session.call("list_models")["models"][0]["model_id"]
        here = {"model_id": house, "reasoning": "for the versions that come"}
        session.call("set_properties", **here, element_ids=["IfcWall"], pset="Pset_WallCommon", properties={"FireRating": "REI 60"})
        session.call("create_branch", model_id=house, name="wider")
        door = session.call("query_elements", model_id=house, selector="IfcDoor")["rows"][0]["id"]
        session.call("modify_parameter", **here, element_id=door, parameter_name="width", value=1010)
        session.call("switch_branch", model_id=house, name="main")
        session.call("create_column", **here, level_id="Ground Floor", at=[[3000, 2000]], section="HEB200")
        session.call("merge_branch", model_id=house, source="wider")
        session.call("create_branch", model_id=house, name="open", switch=True)
        session.call("delete_elements", **here, element_ids=["IfcColumn"])
        session.call("switch_branch", model_id=house, name="main")
        session.call("set_properties", **here, element_ids=["IfcSlab"], pset="Pset_SlabCommon", properties={"FireRating": "REI 90"})
        session.call("undo", model_id=house)
        session.call("keep_topics", **here, topics=[{"title": "Which walls carry?", "elements": "IfcWall"}])
        session.call("add_documents", files=[str(notes)], corpus="standards")
        energy = session.call("new_model", kind="energyplus", name="Office", version="25.2")["model_id"]
        session.call("add_object", model_id=energy, object_type="Zone", name="North office")
        session.call("add_object", model_id=energy, object_type="Zone", name="South office")
        session.call("undo", model_id=energy)
    run(program, data, "admin", "key", "create", "--principal", "ada", "--role", "viewer")
    return house


def main(program):
    """Makes and packs."""
    version = re.search(r"[0-9][0-9.]*\S*", run(program, pathlib.Path("unused"), "--version"))[0]
    with tempfile.TemporaryDirectory() as scratch:
        data = pathlib.Path(scratch) / "data"
        data.mkdir()
        house = make(program, data)
        expected = {"version": version, "house": house, **told(program, data, house, pathlib.Path(scratch) / "history")}
        expected["audit_head"] = run(program, data, "admin", "audit", "verify").split()[-1]
        stop(data)
        # what SQLite has beside its file is in the file once it was closed
        with tarfile.open(HERE / f"{version}.tar.gz", "w:gz", compresslevel=9) as packed:
            keep = lambda entry: None if pathlib.Path(entry.name).name in LEFT_OUT else anonymous(entry)  # noqa: E731
            packed.add(data, "data", filter=keep)
            (pathlib.Path(scratch) / "expected.json").write_text(json.dumps(expected, indent=1))
            packed.add(pathlib.Path(scratch) / "expected.json", "expected.json", filter=anonymous)


def anonymous(entry):
    """An entry of nobody in particular."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def stop(data):
    """Ends the folder's server."""
    running = json.loads((data / "daemon.json").read_text())
    subprocess.run(["kill", str(running["pid"])], check=True)
    subprocess.run(["tail", f"--pid={running['pid']}", "-f", "/dev/null"], check=True, timeout=60)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
