"""The first minutes: the program without arguments, the demo, the doctor, the assistants on this machine, an update under way."""

import json
import os
import pty
import subprocess
import time
import urllib.request

import pytest

import client


@pytest.fixture
def home(tmp_path):
    """A home of somebody who has nothing yet, as the environment of a shell."""
    folder = tmp_path / "home"
    folder.mkdir()
    # at a bare home, nothing of this machine's user
    return {"HOME": str(folder), "PATH": "/usr/bin:/bin", "PENSAER_LISTEN": "127.0.0.1:0"}


def run(program, env, *arguments, **more):
    """Runs a subcommand to its end."""
    return subprocess.run([program, *arguments], env=env, capture_output=True, text=True, timeout=120, **more)


def at_terminal(program, env, *arguments, typed=""):
    """What a person at a terminal sees, who types this."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([program, *arguments], env=env, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.write(ours, typed.encode())
        seen = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            seen += part
        process.wait(timeout=60)
    os.close(ours)
    return seen.decode().replace("\r\n", "\n"), process.returncode


def data_of(env):
    """The user's data folder."""
    return os.path.join(env["HOME"], ".local/share/pensaer")


def stop(data):
    """Ends the folder's server, if one runs."""
    try:
        with open(os.path.join(data, "daemon.json")) as file:
            pid = json.load(file)["pid"]
    except FileNotFoundError:
        return
    subprocess.run(["kill", str(pid)])
    subprocess.run(["tail", f"--pid={pid}", "-f", "/dev/null"], timeout=60)


def test_without_arguments_it_says_what_it_is_and_what_to_do_next(program, home):
    seen, code = at_terminal(program, home)
    assert code == 0
    for word in ["Pensaer ", "pensaer demo", "pensaer setup", "pensaer doctor", "there are none yet"]:
        assert word in seen, seen
    assert not os.path.exists(data_of(home)), "a question makes no folder"
    # a program that starts it without arguments expects a protocol, and must read no prose
    silent = run(program, home, stdin=subprocess.DEVNULL)
    assert (silent.returncode, silent.stdout) == (2, "") and "pensaer mcp" in silent.stderr


def test_the_demo_makes_the_house_once_and_says_where_it_is_seen(program, home):
    try:
        first = run(program, home, "demo", "--no-browser")
        assert first.returncode == 0 and "was made by" in first.stdout, first.stdout + first.stderr
        again = run(program, home, "demo")
        # there is no screen here, and that is said
        assert "is there already" in again.stdout and "No browser was opened" in again.stdout, again.stdout
        link = next(word for word in first.stdout.split() if word.startswith("http") and "viewer" in word)
        with urllib.request.urlopen(link.split("#")[0]) as page:
            assert page.status == 200 and b"<html" in page.read()
        models = json.loads(run(program, home, "call", "list_models").stdout)["models"]
        assert [model["name"] for model in models] == ["Sample house"]
        seen, _ = at_terminal(program, home)
        assert "a server runs at http://127.0.0.1:" in seen, seen
    finally:
        stop(data_of(home))


def doctor(program, env):
    """What the doctor finds, by what it is about, and how it ended."""
    said = run(program, env, "doctor", "--json")
    found = {}
    for finding in json.loads(said.stdout):
        found.setdefault(finding["about"], []).append(finding)
    return found, said.returncode


def test_the_doctor_says_what_works_and_how_to_mend_what_does_not(program, home):
    found, code = doctor(program, home)
    assert code == 0, found
    for about in ["program", "data folder", "disk", "database", "server", "confinement", "viewer", "back end", "assistants"]:
        assert about in found, about
    assert found["confinement"][0]["verdict"] == "works" and "landlock" in found["confinement"][0]["found"]
    backends = {finding["found"].split()[0]: finding for finding in found["back end"]}
    assert backends["native"]["verdict"] == "works"
    assert backends["energyplus"]["verdict"] == "note" and "pensaer backend install" in backends["energyplus"]["remedy"]
    assert not os.path.exists(data_of(home)), "who looks makes nothing"
    text = run(program, home, "doctor").stdout
    assert text.endswith("All that is needed works.\n"), text
    # a folder that cannot be, and a client that starts a program that is gone
    cursor = os.path.join(home["HOME"], ".cursor")
    os.makedirs(cursor)
    with open(os.path.join(cursor, "mcp.json"), "w") as file:
        json.dump({"mcpServers": {"pensaer": {"command": "/nowhere/pensaer", "args": ["mcp"]}}}, file)
    blocked = os.path.join(home["HOME"], "a file")
    open(blocked, "w").close()
    found, code = doctor(program, {**home, "PENSAER_DATA_DIR": os.path.join(blocked, "data")})
    assert code == 1
    assert found["data folder"][0]["verdict"] == "broken" and "--data-dir" in found["data folder"][0]["remedy"]
    assistant = found["assistant"][0]
    assert assistant["verdict"] == "broken" and "pensaer setup cursor --write" in assistant["remedy"], assistant


def test_assistants_that_are_here_are_found_offered_and_written(program, home):
    for folder in [".cursor", ".gemini", ".config/Claude"]:
        os.makedirs(os.path.join(home["HOME"], folder))
    # Claude Desktop and Cursor yes, Gemini no
    seen, code = at_terminal(program, home, "setup", typed="\ny\nn\n")
    assert code == 0 and "Found here: Claude Desktop, Cursor, Gemini CLI." in seen, seen
    desktop = os.path.join(home["HOME"], ".config/Claude/claude_desktop_config.json")
    with open(desktop) as file:
        assert json.load(file)["mcpServers"]["pensaer"] == {"command": str(program.resolve()), "args": ["mcp"]}
    assert os.path.exists(os.path.join(home["HOME"], ".cursor/mcp.json"))
    assert not os.path.exists(os.path.join(home["HOME"], ".gemini/settings.json")) and "left as it is" in seen
    # and without asking
    said = run(program, home, "setup", "--write")
    assert said.returncode == 0 and said.stdout.count("has it already") == 2, said.stdout
    assert os.path.exists(os.path.join(home["HOME"], ".gemini/settings.json"))
    found, code = doctor(program, home)
    assert code == 0 and [finding["verdict"] for finding in found["assistant"]] == ["works"] * 3


def test_a_server_of_an_earlier_version_makes_way_unless_others_are_there(program, data):
    running = data / "daemon.json"

    def call():
        command = [program, "--data-dir", data, "--listen", "127.0.0.1:0", "call", "list_models"]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)

    def grow_old():
        said = json.loads(running.read_text())
        running.write_text(json.dumps({**said, "version": "0.0.1"}))
        return said["pid"]

    with client.Client(program, data) as session:
        session.call("create_project", name="Kept")
        old = grow_old()
        said = call()
        assert "version 0.0.1" in said.stderr and json.loads(running.read_text())["pid"] == old, said.stderr
    # the server notices in a moment that its client has left
    for _ in range(100):
        said = call()
        if json.loads(running.read_text())["pid"] != old:
            break
        time.sleep(0.05)
    assert said.stderr == "" and json.loads(running.read_text())["pid"] != old
    assert json.loads(said.stdout)["models"][0]["name"] == "Kept"
