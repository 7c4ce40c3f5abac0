"""A data folder that an earlier version made: it opens, says what it said, goes on, and is not touched by a program that is too old for it."""

import hashlib
import importlib.util
import json
import pathlib
import sqlite3
import subprocess
import tarfile

import pytest

import client

UPGRADE = pathlib.Path(__file__).resolve().parents[1] / "upgrade"
FOLDERS = sorted(UPGRADE.glob("*.tar.gz"))


def maker():
    """The script that made the folders; what it asked then is asked again."""
    spec = importlib.util.spec_from_file_location("make", UPGRADE / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=FOLDERS, ids=lambda path: path.name.removesuffix(".tar.gz"))
def folder(request, tmp_path):
    """The folder as that version left it, and what it said of it."""
    with tarfile.open(request.param) as packed:
        packed.extractall(tmp_path, filter="data")
    return tmp_path / "data", json.loads((tmp_path / "expected.json").read_text())


def pensaer(program, data, *arguments):
    """Runs a subcommand to its end."""
    command = [program, "--data-dir", data, "--listen", "127.0.0.1:0", *arguments]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)


def step(data):
    """The last migration of a folder's database."""
    with sqlite3.connect(f"file:{data / 'pensaer.db'}?mode=ro", uri=True) as database:
        return database.execute("SELECT max(step) FROM migrations").fetchone()[0]


def test_there_is_a_folder_of_an_earlier_version():
    assert FOLDERS


def test_an_earlier_folder_opens_and_says_what_it_said(program, folder, tmp_path):
    data, expected = folder
    before = step(data)
    looked = json.loads(pensaer(program, data, "doctor", "--json").stdout)
    database = next(finding for finding in looked if finding["about"] == "database")
    assert database["verdict"] == "works" and f"step {before} " in database["found"], database
    assert step(data) == before, "who looks changes nothing"
    house = expected["house"]
    said = maker().told(program, data, house, tmp_path / "history")
    assert step(data) > before
    for name, value in said.items():
        assert value == expected[name], name
    verified = pensaer(program, data, "admin", "audit", "verify", "--head", expected["audit_head"])
    assert verified.returncode == 0, verified.stderr
    checked = pensaer(program, data, "admin", "fsck", "--deep")
    assert checked.returncode == 0 and "all is well" in checked.stdout, checked.stdout + checked.stderr


def test_work_goes_on_in_an_earlier_folder(program, folder):
    data, expected = folder
    house = expected["house"]
    with client.Client(program, data, "all") as session:
        head = expected["versions"][0][0]
        # what the earlier version did can be taken back, what it took back can be done again
        session.call("undo", model_id=house)
        session.call("redo", model_id=house)
        assert session.call("list_versions", model_id=house, limit=1)["versions"][0].get("same_as", "")[:12] == head[:12]
        # a branch of then is joined with work of now
        session.call("create_wall", model_id=house, level_id="Ground Floor", start=[20000, 0], end=[24000, 0])
        merged = session.call("merge_branch", model_id=house, source="open")
        assert merged["status"] == "merged", merged
        assert session.call("query_elements", model_id=house, selector="IfcColumn")["rows"] == []
        found = session.call("search_docs", query="EI30 doors hall", corpus="standards")
        assert "EI30" in json.dumps(found), found
        energy = next(model for model in session.call("list_models")["models"] if model["kind"] == "energyplus")["model_id"]
        session.call("redo", model_id=energy)
        zones = session.call("list_objects", model_id=energy, object_type="Zone")
        assert "North office" in json.dumps(zones) and "South office" in json.dumps(zones), zones
        # a retry of then is no second edit, and a new one is one
        session.call("add_object", model_id=energy, object_type="Zone", name="East office")
    assert "ada" in pensaer(program, data, "admin", "key", "list").stdout
    checked = pensaer(program, data, "admin", "fsck", "--deep")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert pensaer(program, data, "admin", "audit", "verify").returncode == 0


def test_a_folder_of_a_later_version_is_refused_and_left_as_it_is(program, folder):
    data, _ = folder
    # a folder of this version first, then one step on
    assert pensaer(program, data, "admin", "fsck").returncode == 0
    with sqlite3.connect(data / "pensaer.db") as database:
        database.execute("INSERT INTO migrations (step, time_ms, program) VALUES (999, 0, '99.1.0')")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    kept = hashlib.sha256((data / "pensaer.db").read_bytes()).hexdigest()
    for arguments in (["call", "list_models"], ["serve"], ["admin", "fsck"]):
        refused = pensaer(program, data, *arguments)
        assert refused.returncode != 0
        assert "a later program, Pensaer 99.1.0" in refused.stderr and "update Pensaer" in refused.stderr, refused.stderr
    looked = pensaer(program, data, "doctor", "--json")
    database = next(finding for finding in json.loads(looked.stdout) if finding["about"] == "database")
    assert looked.returncode == 1 and database["verdict"] == "broken" and "update Pensaer" in database["remedy"]
    assert hashlib.sha256((data / "pensaer.db").read_bytes()).hexdigest() == kept
