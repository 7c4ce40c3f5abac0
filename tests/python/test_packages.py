"""Every package is installed in a place of its own and used as its readers would: tools are called from the shell and over MCP.

`cargo xtask test packages` makes the packages, of the program that the other tests use.
"""

import configparser
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import client
import needs
import pytest

PACKAGES, PACKAGING, CLIENTS = map(Path, needs.packages())
SERVERS = ["model", "geometry", "spatial", "validation", "documentation", "knowledge", "energy", "governance", "viewer"]
# listed with every server's tools: by these others are found
FINDING = {"search_tools", "describe_tool", "enable_toolset"}


def one(pattern):
    """The package whose name is like this."""
    [found] = PACKAGES.glob(pattern)
    return found


def run(command, **how):
    """Runs a command that has to succeed; what it printed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **how)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


class Home:
    """A user's home, in which nothing is yet."""

    def __init__(self, folder):
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PENSAER", "PYTHON", "XDG_", "npm_"))}
        self.env = {**kept, "HOME": str(folder), "PENSAER_LISTEN": "127.0.0.1:0"}

    def end(self):
        """Ends the servers that were started for clients here, which would wait for others for minutes."""
        for told in self.folder.rglob("daemon.json"):
            try:
                os.kill(json.loads(told.read_text())["pid"], signal.SIGTERM)
            except ProcessLookupError:
                pass


@pytest.fixture
def home(tmp_path):
    made = Home(tmp_path / "home")
    made.folder.mkdir()
    yield made
    made.end()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder below which packages are installed."""
    folder = tmp_path_factory.mktemp("installed")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def archive(place):
    """The command of the archive."""
    with tarfile.open(one("pensaer-*-linux-*.tar.gz")) as packed:
        assert all(member.uid == 0 and member.name == member.name.strip("/") for member in packed)
        packed.extractall(place / "archive", filter="tar")
    [folder] = (place / "archive").iterdir()
    assert {"LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt", "README.md", "CHANGELOG.md"} <= {path.name for path in folder.iterdir()}
    return [folder / "pensaer"]


@pytest.fixture(scope="module")
def environment(place):
    """A virtual environment with the wheel."""
    folder = place / "environment"
    run([sys.executable, "-m", "venv", folder])
    run([folder / "bin/python", "-m", "pip", "install", "--no-index", "--disable-pip-version-check", one("*.whl")])
    return folder


@pytest.fixture(scope="module")
def wheel(environment):
    """The command of the wheel."""
    return [environment / "bin/pensaer"]


@pytest.fixture(scope="module")
def npm(place):
    """The command of the npm packages, in a folder that somebody installs them in."""
    folder = place / "npm"
    folder.mkdir()
    (folder / "package.json").write_text("{}")
    needs.command("npm")
    packages = [one("pensaer-[0-9]*.tgz"), one("pensaer-linux-*.tgz")]
    run(["npm", "install", "--offline", "--no-audit", "--no-fund", *packages], cwd=folder)
    return [folder / "node_modules/.bin/pensaer"]


@pytest.fixture(scope="module")
def bundle(place):
    """The folder of the unpacked bundle."""
    folder = place / "bundle"
    mcpb("unpack", one("*.mcpb"), folder)
    return folder


def mcpb(*words):
    """Runs the bundle format's own tool."""
    [node] = CLIENTS.glob("node-linux-*/bin/node")
    return run([node, CLIENTS / "@anthropic-ai/mcpb/dist/cli/cli.js", *words])


def dpkg(root, *words):
    """Runs dpkg on a tree of its own, whose scripts are told where it is."""
    needs.command("dpkg")
    options = ["--force-not-root", "--force-script-chrootless", "--force-depends", f"--log={root}/log"]
    return run(["dpkg", f"--root={root}", *options, *words], env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


@pytest.fixture(scope="module")
def tree(place):
    """The root of a system on which the Debian package is installed."""
    root = place / "tree"
    for folder in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers"):
        (root / folder).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    dpkg(root, "--install", one("*.deb"))
    return root


@pytest.fixture(scope="module")
def debian(tree):
    """The command of the Debian package."""
    return [tree / "usr/bin/pensaer"]


@pytest.fixture(params=["archive", "wheel", "npm", "debian"])
def installed(request):
    """The command of each package that has one."""
    return request.getfixturevalue(request.param)


def make_wall(call):
    """Makes a project with a wall; the project's model."""
    storeys = [{"name": "Ground Floor", "elevation": 0}]
    model = call("create_project", name="Packed", storeys=storeys)["model_id"]
    wall = call("create_wall", model_id=model, level_id="Ground Floor", start=[0, 0], end=[4000, 0], height=2700)
    assert wall["wall_id"]
    return model


def walls(summary):
    """The number of walls in the answer of `model_summary`."""
    return json.dumps(summary).count("IfcWall")


def test_tools_are_called_from_the_shell_and_over_mcp(installed, home):
    def call(tool, **arguments):
        words = [*installed, "call", tool, "--json", json.dumps(arguments)]
        return json.loads(run(words, env=home.env, cwd=home.folder))

    model = make_wall(call)
    with client.Client.started([*installed, "mcp"], env=home.env) as session:
        assert session.hello["serverInfo"]["name"].lower() == "pensaer"
        assert "create_wall" in {tool["name"] for tool in session.request("tools/list")["tools"]}
        assert walls(session.call("model_summary", model_id=model)) > 0


def test_an_exit_code_is_handed_on(installed, home):
    for words, code in [(["call", "no_such_tool"], 1), (["--no-such-flag"], 2)]:
        done = subprocess.run([*installed, *words], env=home.env, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr


def test_a_signal_ends_the_program_behind_the_script(npm, home):
    serving = subprocess.Popen([*npm, "serve"], env=home.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in serving.stdout:
        if "http://" in line:
            break
    [told] = home.folder.rglob("daemon.json")
    number = json.loads(told.read_text())["pid"]
    assert number != serving.pid
    serving.send_signal(signal.SIGTERM)
    # as the program ends: in order, or by the signal where it comes before the program watches for it
    assert serving.wait(timeout=60) in (0, 128 + signal.SIGTERM)
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def listed(command, home):
    """The names of the tools that a server lists."""
    with client.Client.started(command, env=home.env) as session:
        return {tool["name"] for tool in session.request("tools/list")["tools"]}


def test_every_server_is_a_module_of_the_wheel(environment, wheel, home):
    python = environment / "bin/python"
    for server in SERVERS:
        names = listed([python, "-m", f"pensaer.mcp.{server}"], home)
        belonging = {tool["name"] for tool in json.loads(run([*wheel, "tools", server, "--json"]))}
        assert names - FINDING and names <= belonging, server
    assert "create_wall" in listed([python, "-m", "pensaer.mcp"], home)
    for selection in ("code", "all"):
        names = listed([python, "-m", f"pensaer.mcp.{selection}"], home)
        assert names == listed([*wheel, "mcp", selection], home)
    modules = {path.stem for path in environment.glob("lib/python*/site-packages/pensaer/mcp/*.py")}
    assert modules == {*SERVERS, "code", "all", "__init__", "__main__"}
    # and the program knows no server that has no module
    refused = subprocess.run([*wheel, "mcp", "nonsense"], env=home.env, capture_output=True, text=True, check=False)
    assert f"Servers are {', '.join(SERVERS)};" in refused.stderr


def test_a_module_hands_on_environment_and_words(environment, home):
    python = environment / "bin/python"
    with client.Client.started([python, "-m", "pensaer.mcp.model"], env=home.env) as session:
        make_wall(session.call)
    command = [python, "-m", "pensaer.mcp.geometry", "--results", "text"]
    with client.Client.started(command, env={**home.env, "PENSAER_MODEL_ID": "Packed"}) as session:
        assert walls(session.request("tools/call", {"name": "model_summary", "arguments": {}})) > 0
    assert run([python, "-m", "pensaer", "--version"]).startswith("pensaer ")
    refused = subprocess.run([python, "-m", "pensaer.mcp", "nonsense"], env=home.env, capture_output=True, check=False)
    assert refused.returncode == 1


def test_the_program_is_found_where_installers_put_it(wheel, place):
    with zipfile.ZipFile(one("*.whl")) as packed:
        members = [name for name in packed.namelist() if name.startswith("pensaer/")]
        for folder in ("target", "prefix/lib/python3.9/site-packages", "alone"):
            packed.extractall(place / folder, members)
    for beside in ("target/bin", "prefix/bin"):
        (place / beside).mkdir()
        (place / beside / "pensaer").symlink_to(wheel[0])

    def start(folder, module="pensaer"):
        env = {**os.environ, "PYTHONPATH": str(place / folder), "HOME": str(place)}
        command = [sys.executable, "-m", module, "--version"]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    for folder in ("target", "prefix/lib/python3.9/site-packages"):
        assert start(folder).stdout.startswith("pensaer "), folder
    for module in ("pensaer", "pensaer.mcp.geometry"):
        missing = start("alone", module)
        assert missing.returncode == 1
        assert "Install the wheel" in missing.stderr and "Traceback" not in missing.stderr


def test_the_wheel_says_what_it_needs_and_is_well_formed():
    shown = run([PACKAGING / "bin/auditwheel", "show", one("*.whl")])
    tag = one("*.whl").stem.split("-")[-1]
    assert f'platform tag:\n"{tag}"' in shown.replace(" \n", "\n") or f'"{tag}"' in shown, shown
    assert "PASSED" in run([PACKAGING / "bin/twine", "check", "--strict", one("*.whl")])
    run([PACKAGING / "bin/check-wheel-contents", one("*.whl")])


def test_the_npm_script_without_its_platform_says_what_to_do(place, home):
    folder = place / "npm-alone"
    with tarfile.open(one("pensaer-[0-9]*.tgz")) as packed:
        packed.extractall(folder, filter="tar")
    command = ["node", folder / "package/bin/pensaer.js", "--version"]
    done = subprocess.run(command, env=home.env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "npm install pensaer @pensaer/linux-" in done.stderr and "Error" not in done.stderr


def test_the_npm_package_of_a_platform_is_for_no_other(npm):
    [manifest] = (npm[0].parents[1] / "@pensaer").glob("*/package.json")
    said = json.loads(manifest.read_text())
    assert said["os"] == ["linux"] and said["libc"] == ["glibc"] and said["name"].endswith(said["cpu"][0])
    main = json.loads((npm[0].parents[1] / "pensaer/package.json").read_text())
    assert main["optionalDependencies"][said["name"]] == said["version"] == main["version"]


def decisions(root):
    """The links by which systemd was told to start the unit, or never to; they lead out of a tree that is not the machine's own."""
    return [path for path in root.glob("etc/systemd/**/*") if path.name == "pensaer.service"]


def test_the_debian_package_lays_out_a_server_that_is_not_enabled(tree, tmp_path):
    unit = configparser.ConfigParser(strict=False)
    unit.optionxform = str
    unit.read(tree / "usr/lib/systemd/system/pensaer.service")
    assert unit["Service"]["ExecStart"] == "/usr/bin/pensaer serve"
    assert not decisions(tree)
    settings = tree / "etc/pensaer/pensaer.toml"
    assert set(tomllib.loads(settings.read_text())) == {"backends", "exec", "weather"}
    # as if somebody had taken the mark away from every setting
    used = [line.removeprefix("#") if re.match(r"#\w", line) else line for line in settings.read_text().splitlines()]
    assert {"listen", "hosts", "policy"} <= set(tomllib.loads("\n".join(used)))
    plain = [line for line in used if "=" in line and re.match(r"\w", line) and not re.search(r'"[A-Z]+"', line)]
    (tmp_path / "pensaer.toml").write_text("\n".join(plain))
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    run([tree / "usr/bin/pensaer", "--config", tmp_path / "pensaer.toml", "--data-dir", tmp_path, "local-key"], env=env)


def test_purging_the_debian_package_leaves_models(tree, tmp_path):
    root = tmp_path / "tree"
    shutil.copytree(tree, root, ignore=shutil.ignore_patterns("bin", "doc"))
    models = root / "var/lib/pensaer/models.db"
    models.parent.mkdir()
    models.touch()
    settings = root / "etc/pensaer/pensaer.toml"
    dpkg(root, "--remove", "pensaer")
    assert settings.exists() and decisions(root)
    dpkg(root, "--purge", "pensaer")
    assert not settings.exists() and models.exists()
    assert not decisions(root)


def test_the_bundle_starts_as_clients_configure_it(bundle, home):
    assert "validation passes" in mcpb("validate", bundle / "manifest.json")
    manifest = json.loads((bundle / "manifest.json").read_text())
    server = manifest["server"]["mcp_config"]
    command = [server["command"].replace("${__dirname}", str(bundle)), *server["args"]]
    names = {tool["name"] for tool in manifest["tools"]}
    assert {"create_wall", "model_summary"} <= names

    def start(**given):
        env = {}
        for name, value in server["env"].items():
            setting = value.removeprefix("${user_config.").removesuffix("}")
            default = manifest["user_config"][setting].get("default", value)
            env[name] = given.get(setting, default)
        return client.Client.started(command, env={**home.env, **env}, cwd=home.folder)

    with start() as session:
        model = make_wall(session.call)
        assert walls(session.call("model_summary", model_id=model)) > 0
        assert {tool["name"] for tool in session.request("tools/list")["tools"]} <= names
    assert [path.name for path in home.folder.iterdir()] == [".local"]
    with start(tools="geometry", data_dir="") as session:
        assert session.call("model_summary", model_id=model)
        assert "create_wall" in {tool["name"] for tool in session.request("tools/list")["tools"]}
    elsewhere = home.folder / "with a blank"
    with start(data_dir=str(elsewhere)) as session:
        assert session.call("list_models")["models"] == []
    assert elsewhere.is_dir()


def test_bills_of_materials_are_of_their_schema_and_name_what_is_inside():
    judge = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
fault = JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1], encoding="utf-8").read())
sys.exit(repr(fault) if fault else 0)
"""
    for part, expected in [("linux-*", {"serde", "rmcp", "ifc", "rusqlite"}), ("viewer", {"three"})]:
        bill = one(f"pensaer-[0-9]*-{part}.cdx.json")
        run([PACKAGING / "bin/python", "-c", judge, bill])
        text = bill.read_text()
        said = json.loads(text)
        assert expected <= {component["name"] for component in said["components"]}
        assert not {"proptest", "vitest"} & {component["name"] for component in said["components"]}
        assert "file://" not in text and said["metadata"]["timestamp"]


def test_licences_of_what_is_inside_go_along(archive):
    text = (archive[0].parent / "THIRD-PARTY.txt").read_text()
    for work in ("serde 1", "three 0", "Noto fonts"):
        assert f"\n{work}" in text, work
    assert "SIL OPEN FONT LICENSE" in text and "\nproptest " not in text


def test_checksums_are_those_of_the_files():
    run(["sha256sum", "--strict", "--check", "SHA256SUMS"], cwd=PACKAGES)
    named = {line.split("  ")[1] for line in (PACKAGES / "SHA256SUMS").read_text().splitlines()}
    assert named == {path.name for path in PACKAGES.iterdir()} - {"SHA256SUMS"}
    assert {"Containerfile"} < named


def test_the_container_installs_the_package_that_stands_beside_it():
    text = (PACKAGES / "Containerfile").read_text()
    assert "pensaer_*.deb" in text and "USER 10001" in text and "HEALTHCHECK" in text
    assert hashlib.sha256(text.encode()).hexdigest() in (PACKAGES / "SHA256SUMS").read_text()
