"""Files that are not what they should be, programs that die and disks that are full, seen by a client of the energy tools: one clear Fault (or a
run that says how it ended), nothing half done, and the next call is served.

Rust's tests have the same from within: crates/energy (what each reader refuses, weather with its line), crates/app/tests/it/weather.rs (a mirror that
sends anything but weather), energy.rs (a run that is killed or takes too long has ended so). Here it is whole files through a whole server, and
what is left behind.
"""

import contextlib
import io
import json
import os
import random
import re
import shutil
import signal
import subprocess
import threading
import time
import zipfile
from pathlib import Path

import energy_runs as runs
import needs
import pytest
from client import Client
from energy_idf import Model
from energy_runs import fault_of, wait_until

ENERGYPLUS = Path(needs.energyplus())
PROTOTYPES = Path(needs.prototypes())
SMALL = PROTOTYPES / "RefBldgWarehouseNew2004_Chicago.idf"
CHICAGO = ENERGYPLUS / "WeatherData" / runs.WEATHERS["Chicago"]
UNREADABLE = 1013


@pytest.fixture
def place(program, data):
    """A server with a data folder of its own, which ends with the test."""
    with Client(program, data, options=["--energyplus-dir", ENERGYPLUS]) as session:
        session.data = data
        yield session
    end(data)


def daemon(data):
    """The process of the server of a data folder."""
    return json.loads((data / "daemon.json").read_text())["pid"]


def end(data):
    """Ends the server of a data folder."""
    if (data / "daemon.json").exists():
        pid = daemon(data)
        os.kill(pid, signal.SIGTERM)
        wait_until(lambda: not Path(f"/proc/{pid}").exists())


@pytest.fixture(scope="module")
def epjson(tmp_path_factory):
    """A prototype as EnergyPlus' own converter writes it."""
    folder = tmp_path_factory.mktemp("epjson")
    shutil.copy(SMALL, folder / "model.idf")
    subprocess.run([ENERGYPLUS / "ConvertInputFormat", "model.idf"], cwd=folder, check=True, capture_output=True)
    return (folder / "model.epJSON").read_text()


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def cuts(text):
    """Where a text is cut: at shares of its length, and behind marks of every sort."""
    chance = random.Random(7)
    found = {1, 2, len(text) - 1, text.rindex("}"), *(len(text) * share // 100 for share in (1, 10, 25, 50, 75, 90, 99))}
    for mark in ("{", "}", "[", "]", ",", ":", '"', "\n", "."):
        places = [at for at, one in enumerate(text[:-2]) if one == mark]
        found |= {at + 1 for at in chance.sample(places, min(3, len(places)))}
    return sorted(at for at in found if text[:at].strip() and text[at:].strip())


def test_an_epjson_that_is_cut_anywhere_is_one_fault_that_says_where(place, epjson, tmp_path):
    good = place.call("load_model", file_path=written(tmp_path, "good.epJSON", epjson))
    models = place.call("list_models")
    points = cuts(epjson)
    assert len(points) > 25
    for at in points:
        cut = epjson[:at]
        fault = fault_of(place.call, "load_model", file_path=written(tmp_path, "cut.epJSON", cut))
        assert fault["code"] == UNREADABLE, (at, fault)
        line = len(cut.splitlines())
        # a break at the very end belongs to the line before it, or begins the next
        lines = {line, line + cut.endswith("\n")}
        assert any(f"line {one} " in fault["message"] for one in lines), (at, lines, fault)
    assert place.call("list_models") == models
    # and the session goes on with what it had
    summary = runs.resource(place, "idfkit://model/summary")
    assert len(good["model_id"]) > 8 and place.call("list_objects", object_type="Zone")["total"] == 3, summary


def test_a_text_that_ends_within_an_object_is_told_with_its_line(place, tmp_path):
    text = SMALL.read_text(encoding="latin-1")
    objects = Model(text).objects
    for one in (objects[len(objects) // 3], objects[-1]):
        # within its values, behind a comma
        at = one.spans[len(one.spans) // 2][1] + 1
        opened = place.call("load_model", file_path=written(tmp_path, "cut.idf", text[:at]))
        said = json.dumps(opened) + json.dumps(place.call("validate_model"))
        line = text[: one.start].count("\n") + 1
        assert re.search(rf'line"?:? {line}\b', said), (one.kind, line, said[:3000])


# a zone twice, in other letters or in the same, with another height
TWICE = "Zone,{},0,0,0,0,1,1,99,,,,,Yes;"


def findings(session):
    """All that the validation says, as one text; none of it may be that the model is right."""
    answer = session.call("validate_model")
    assert answer["valid"] is False, answer
    return json.dumps(answer)


@pytest.mark.parametrize("name", ["FINESTORAGE", "FineStorage"])
def test_two_objects_of_one_name_are_found_in_a_text(place, name, tmp_path):
    text = SMALL.read_text(encoding="latin-1")
    first = Model(text).named("FineStorage", "Zone")
    assert first.is_a("Zone")
    place.call("load_model", file_path=written(tmp_path, "twice.idf", text + TWICE.format(name)))
    said = findings(place)
    line = text[: first.start].count("\n") + 1
    assert name in said and "another object has this name" in said and re.search(rf"line {line}\b", said), said[:2000]
    other = tmp_path / "twice.epJSON"
    if name == first.name:
        # one of two keys would be lost
        fault = fault_of(place.call, "save_model", file_path=str(other))
        assert "Rename one of them" in fault["message"] and not other.exists(), fault
    else:
        place.call("save_model", file_path=str(other))
        assert {name, first.name} <= json.loads(other.read_text())["Zone"].keys()
    run = runs.run(place, design_day=True)
    # names in other letters are two zones to EnergyPlus, of which one has no surfaces
    why = "uplicate" if name == first.name else name
    assert run["status"] == "fatal" and why in json.dumps(run["messages"]), run


def doubled(epjson, how):
    """A model of which a key stands twice: the name of an object, a type, or a field."""
    model = json.loads(epjson)
    zone = dict(model["Zone"]["FineStorage"])
    start = json.dumps(model)
    if how == "name":
        again = json.dumps({"FineStorage": {**zone, "ceiling_height": 99}})[1:-1]
        return start.replace('"Zone": {', f'"Zone": {{{again}, ', 1)
    if how == "type":
        # another zone under a second key of the type
        return start[:-1] + ', "Zone": ' + json.dumps({"Second": zone}) + "}"
    zone.pop("ceiling_height", None)
    model["Zone"]["FineStorage"] = zone
    again = json.dumps({"FineStorage": zone})[1:-2] + ', "ceiling_height": 99, "ceiling_height": 3}'
    return json.dumps(model).replace(json.dumps({"FineStorage": zone})[1:-1], again, 1)


def test_two_objects_of_one_name_are_found_in_epjson(place, epjson, tmp_path):
    place.call("load_model", file_path=written(tmp_path, "name.epJSON", doubled(epjson, "name")))
    said = findings(place)
    assert "FineStorage" in said and "another object has this name" in said, said[:2000]


def test_a_type_that_stands_twice_in_epjson_is_told(place, epjson, tmp_path):
    whole = place.call("load_model", file_path=written(tmp_path, "whole.epJSON", epjson))
    assert not place.call("validate_model")["group_count"]
    opened = place.call("load_model", file_path=written(tmp_path, "type.epJSON", doubled(epjson, "type")))
    zones = place.call("list_objects", object_type="Zone")["total"]
    told = place.call("validate_model")["group_count"] or opened["summary"].keys() - whole["summary"].keys()
    # a reader that takes the last alone, as EnergyPlus does, has one zone
    assert told or zones == 1, (zones, opened)


def test_of_a_field_that_stands_twice_in_epjson_the_last_holds_as_in_energyplus(place, epjson, tmp_path):
    place.call("load_model", file_path=written(tmp_path, "field.epJSON", doubled(epjson, "field")))
    [card] = place.call("get_zone_properties", zone_name="FineStorage")["zones"]
    assert card["height_m"] == 3 and card["stated"] == ["height_m"], card
    run = runs.run(place, design_day=True, output_directory=str(tmp_path / "out"))
    assert run["status"] == "completed", run
    written_by_it = runs.Written(tmp_path / "out").rows("SELECT CeilingHeight FROM Zones WHERE ZoneName = 'FINESTORAGE'")
    assert written_by_it == [(3.0,)]


def archive(name, content):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, content)
    return held.getvalue()


def other_files():
    """Files that are called weather and are none, or only a part of it, by what they are."""
    good = CHICAGO.read_bytes()
    lines = good.splitlines(keepends=True)
    rows = "".join(f"2001-01-01T{hour:02}:00,4.{hour},1013\n" for hour in range(24))
    noise = bytes(random.Random(3).randbytes(5000))
    return {
        "CSV": b"time,dry bulb,pressure\n" + rows.encode(),
        "an archive": archive(CHICAGO.name, good),
        "nothing": b"",
        "zeros": bytes(5000),
        "noise": noise,
        "a model": SMALL.read_bytes(),
        "a heading alone": b"".join(lines[:8]),
        "half a year": b"".join(lines[: len(lines) // 2]),
        "a year that is cut within a line": good[: len(good) // 2 + 17],
    }


@pytest.mark.parametrize("what", list(other_files()))
def test_what_is_no_weather_file_is_refused_and_the_next_run_works(place, what, tmp_path):
    place.call("load_model", file_path=str(SMALL))
    path = written(tmp_path, "weather.epw", other_files()[what])
    fault = fault_of(place.call, "get_weather_summary", weather_file=path)
    assert fault["code"] == UNREADABLE, fault
    assert "weather" in fault["message"].lower() or "line" in fault["message"] or "EPW" in fault["message"], fault
    try:
        run = runs.run(place, weather_file=path, annual=True)
    except runs.Fault as refused:
        assert refused.fault["code"] == UNREADABLE, refused
    else:
        # EnergyPlus' own words, where it is left to it
        said = json.dumps([run.get("reason"), run.get("messages")]).lower()
        assert run["status"] == "fatal", run
        assert "weather" in said or "epw" in said, run
    run = runs.run(place, weather_file=str(CHICAGO), design_day=True)
    assert run["status"] == "completed", run


def test_a_weather_file_of_another_ending_is_refused(place, tmp_path):
    place.call("load_model", file_path=str(SMALL))
    for name in ("weather.csv", "weather.zip", "weather.stat"):
        path = written(tmp_path, name, CHICAGO.read_bytes())
        for tool in ("get_weather_summary", "run_simulation"):
            fault = fault_of(place.call, tool, weather_file=path)
            assert fault["data"]["field"] == "weather_file", (name, tool, fault)


def long_model(period, *outputs):
    """A model with sixty steps an hour, of which a year takes a minute or more, and a month writes many megabytes."""
    model = Model(SMALL.read_text(encoding="latin-1"))
    for kind in ("Timestep", "RunPeriod", "SimulationControl", "Output:Variable", "Output:Meter"):
        for one in model.all(kind):
            model.remove(one)
    model.add("Timestep,60;\nSimulationControl,Yes,Yes,Yes,No,Yes;\n" + period)
    model.add("\n".join(f"Output:Variable,*,{output},Timestep;" for output in outputs))
    return model.changed()


YEAR = "RunPeriod,Year,1,1,,12,31,,Sunday,No,No,No,Yes,Yes;"
MONTH = "RunPeriod,Month,1,1,,1,31,,Sunday,No,No,No,Yes,Yes;"


def programs(data):
    """The processes of EnergyPlus below the server of a data folder."""
    above, names = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue
        above[int(folder.name)], names[int(folder.name)] = int(rest.split()[1]), name

    def is_below(pid, own):
        while pid in above:
            if pid == own:
                return True
            pid = above[pid]
        return False

    own = daemon(data)
    return [pid for pid, name in names.items() if name.startswith("energyplus") and is_below(pid, own)]


def files(folder):
    """Every file below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def to_its_end(session, number):
    """The run that was begun, once it has ended."""
    ended = runs.answer(session, number)
    while ended["status"] in ("queued", "running"):
        ended = session.call("get_simulation_status", job_id=ended["job_id"], wait_seconds=20)
    return ended


def test_a_run_whose_program_is_killed_says_so_and_leaves_nothing(place, program, tmp_path):
    data = place.data
    place.call("load_model", file_path=written(tmp_path, "long.idf", long_model(YEAR, "Zone Mean Air Temperature")))
    with Client(program, data, options=["--energyplus-dir", ENERGYPLUS]) as other:
        other.call("load_model", file_path=str(SMALL))
        server, scratch = daemon(data), files(data / "scratch")
        number = runs.begin(place, "run_simulation", weather_file=str(CHICAGO), annual=True)
        [killed] = wait_until(lambda: programs(data))
        # it has begun to write
        wait_until(lambda: any(name.endswith("eplusout.eso") for name in files(data / "scratch")))
        os.kill(killed, signal.SIGKILL)
        ended = to_its_end(place, number)
        assert ended["status"] == "crashed" and "signal 9" in ended["reason"], ended
        assert not ended.get("end_uses"), ended
        assert programs(data) == [] and files(data / "scratch") == scratch
        # half a database is no result, and that is said
        for tool in ("get_results_summary", "analyze_peak_loads"):
            try:
                answer = place.call(tool, job_id=ended["job_id"])
            except runs.Fault as fault:
                assert fault.fault["code"] in (1012, UNREADABLE, 1014), fault
            else:
                assert "end_uses" not in answer or not answer["end_uses"]["uses"], answer
        # and the next runs work, in either session, on the same server
        for session in (other, place):
            session.call("load_model", file_path=str(SMALL))
            run = runs.run(session, design_day=True)
            assert run["status"] == "completed", run
            assert session.call("get_results_summary")["success"] is True
        assert files(data / "scratch") == scratch and daemon(data) == server


@pytest.fixture
def disk(tmp_path):
    """A disk of 60 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs", folder], check=False, capture_output=True)
    if made.returncode:
        # a right that nothing can install
        pytest.skip("no leave to mount a small disk here: run the tests as root where mounts are allowed")
    yield folder
    with contextlib.suppress(ProcessLookupError):
        end(folder)
    subprocess.run(["umount", "-l", folder], check=True)


def with_log_elsewhere(disk, tmp_path):
    """Lays the server's log on another disk."""
    (disk / "daemon.log").symlink_to(tmp_path / "daemon.log")


def fill(disk, left):
    """Leaves so many bytes on a disk; the file that takes the rest."""
    filler = disk / "filler"
    with open(filler, "wb", buffering=0) as file:
        while (free := os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize - left) > 0:
            try:
                file.write(bytes(min(free, 1 << 20)))
            except OSError:
                # the server took the rest meanwhile
                break
    return filler


SURFACES = ("Surface Inside Face Temperature", "Surface Outside Face Temperature", "Surface Inside Face Convection Heat Gain Rate")


def within(data, seconds, call, *given, **asked):
    """What a call answers or the Fault that it ends with; a server that says nothing for so long is ended, and that is an error."""
    found = []

    def ask():
        try:
            found.append(call(*given, **asked))
        except (runs.Fault, EOFError) as error:
            found.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    asking.join(seconds)
    if asking.is_alive():
        os.kill(daemon(data), signal.SIGKILL)
        asking.join(30)
        raise AssertionError(f"{given or call} is not answered")
    return found[0]


FULL = ("no space", "disk", "storage", "room")


def is_told(answer):
    """True of an answer that says that there was no room for a run, and does not pass for a result."""
    if isinstance(answer, runs.Fault):
        return any(word in answer.fault["message"].lower() for word in FULL)
    said = json.dumps([answer.get("reason"), answer.get("notes")]).lower()
    return answer["status"] != "completed" and not answer.get("end_uses") and any(word in said for word in FULL)


# bytes that are left, and whether the server's log is on another disk
PLACES = [
    (0, True),
    (300_000, True),
    (3_000_000, True),
    (0, False),
]


@pytest.mark.parametrize(("left", "log_elsewhere"), PLACES)
def test_a_run_on_a_disk_that_fills_is_a_clear_fault_and_what_was_there_stays(program, disk, left, log_elsewhere, tmp_path):
    patience = 60 if log_elsewhere else 15
    if log_elsewhere:
        with_log_elsewhere(disk, tmp_path)
    options = ["--energyplus-dir", ENERGYPLUS]
    with Client(program, disk, options=options) as before, Client(program, disk, options=options) as session:
        before.call("load_model", file_path=str(SMALL))
        first = runs.run(before, design_day=True)
        assert first["status"] == "completed", first
        summary = before.call("get_results_summary", job_id=first["job_id"])
        session.call("load_model", file_path=written(tmp_path, "long.idf", long_model(MONTH, *SURFACES)))
        # its weather is on the disk before it is full
        assert session.call("get_weather_summary", weather_file=str(CHICAGO))
        server, scratch = daemon(disk), files(disk / "scratch")
        filler = fill(disk, left)
        ended = within(disk, patience, runs.run, session, weather_file=str(CHICAGO))
        assert is_told(ended), ended
        # the server lives; where it can write down who reads, what was there is read on the full disk
        again = within(disk, patience, before.call, "get_results_summary", job_id=first["job_id"])
        assert is_told(again) if isinstance(again, runs.Fault) else again == summary, again
        wait_until(lambda: programs(disk) == [])
        filler.unlink()
        assert files(disk / "scratch") == scratch
        # a second later it has found that there is room again
        time.sleep(1.5)
        again = within(disk, patience, before.call, "get_results_summary", job_id=first["job_id"])
        assert again == summary, again
        run = within(disk, patience, runs.run, before, design_day=True)
        assert isinstance(run, dict) and run["status"] == "completed" and daemon(disk) == server, run
    end(disk)
    checked = subprocess.run([program, "admin", "fsck", "--data-dir", disk], check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_run_that_lost_a_part_of_its_results_is_not_told_as_complete(program, disk, tmp_path):
    """EnergyPlus goes on when its disk is full, leaves out what it could not write, and says that all went well; only `sqlite.err` tells."""
    with_log_elsewhere(disk, tmp_path)
    with Client(program, disk, options=["--energyplus-dir", ENERGYPLUS]) as session:
        session.call("load_model", file_path=written(tmp_path, "long.idf", long_model(MONTH, *SURFACES)))
        assert session.call("get_weather_summary", weather_file=str(CHICAGO))
        filler = fill(disk, 8_000_000)
        number = runs.begin(session, "run_simulation", weather_file=str(CHICAGO))
        wait_until(lambda: os.statvfs(disk).f_bavail == 0)
        # until both of its files have met the end of the disk
        time.sleep(1.5)
        assert programs(disk), "it ended before its disk was full"
        filler.unlink()
        ended = within(disk, 60, to_its_end, session, number)
        assert is_told(ended), ended
