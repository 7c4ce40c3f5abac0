"""The processes that hold files open: what they answer, and what a script that means harm can do to them."""

import ctypes
import json
import os
import socket
import struct
import subprocess
import sys
import time

import ifcopenshell
import pytest
from conftest import GROUND, new_house

from pensaer_ifcopenshell import pages
from pensaer_ifcopenshell.zygote import receive


class Service:
    """The nursery and a zygote of a house, as the other side sees them."""

    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "house.ifc"
        self.file.write_text(new_house("IFC4").text)
        self.nursery, control = socket.socketpair()
        self.process = subprocess.Popen([sys.executable, "-m", "pensaer_ifcopenshell"], stdin=control)
        control.close()
        answer, self.house = self.ask(self.nursery, do="open", file=str(self.file))
        assert "ok" in answer, answer

    def connect(self, control, **request):
        connection, other = socket.socketpair()
        socket.send_fds(control, [b"c"], [other.fileno()])
        other.close()
        body = json.dumps(request).encode()
        connection.sendall(struct.pack(">I", len(body)) + body)
        return connection

    def ask(self, control, **request):
        connection = self.connect(control, **request)
        return receive(connection.fileno()), connection

    def run(self, operation, at=None, limits=None, **params):
        call = {"operation": operation, "params": params, "operation_id": "op", "time_ms": 0, "limits": limits or {}}
        return self.ask(at or self.house, do="run", **call)[0]

    def code(self, code, **more):
        return self.run("run_code", code=code, **more)


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("zygote"))
    yield service
    service.house.close()
    service.nursery.close()
    assert service.process.wait(10) == 0


def test_the_nursery_says_what_is_resolved(service):
    hello = service.ask(service.nursery, do="hello")[0]["ok"]
    assert {"name": "create_wall", "effect": "create", "new_model": False} in hello["operations"]
    assert hello["ifcopenshell"] == ifcopenshell.version


def test_a_call_answers_what_it_changed_and_leaves_the_file_as_it_was(service):
    wall = {"start": [0, 0], "end": [5000, 0], "level_id": GROUND}
    first, second = (service.run("create_wall", **wall)["ok"] for _ in range(2))
    assert first == second
    assert first["event"] == "WallCreated"
    assert any("=IFCWALL(" in line for line in first["changes"]["added"])
    assert service.run("query_elements", selector="IfcWall")["ok"]["result"]["total"] == 0


def test_a_model_that_is_new_is_answered_whole(service):
    answer = service.run("create_project", at=service.nursery, name="New")["ok"]
    assert ifcopenshell.file.from_string(answer["text"]).by_type("IfcProject")[0].Name == "New"
    assert service.run("create_level", at=service.nursery, name="A", elevation=0)["fault"]["code"] == 1010


def test_a_version_is_held_by_a_process_of_its_own_as_long_as_it_is_leased(service):
    point = {"id": 900, "class": "IfcCartesianPoint", "attributes": [[1.0, 2.0]]}
    answer, later = service.ask(service.house, do="advance", changes={"set": [point]})
    assert "ok" in answer
    assert service.code("str(model.by_id(900))", at=later)["ok"]["result"]["value"].endswith("((1.,2.))")
    assert "not found" in service.code("model.by_id(900)")["fault"]["message"]
    answer, latest = service.ask(later, do="advance", changes={"removed": [900]})
    assert "ok" in answer
    later.close()
    assert "not found" in service.code("model.by_id(900)", at=latest)["fault"]["message"]
    pid = service.code("import os; os.getppid()", at=latest)["ok"]["result"]["value"]
    latest.close()
    for _ in range(500):
        if not os.path.exists(f"/proc/{pid}"):
            break
        time.sleep(0.01)
    else:
        raise AssertionError("it lives on without a lease")


def test_calls_at_the_same_time_do_not_disturb_each_other(service):
    call = {"do": "run", "operation": "run_code", "operation_id": "op", "time_ms": 0}
    waiting = [service.connect(service.house, **call, params={"code": f"{n} * 2"}) for n in range(20)]
    assert [receive(c.fileno())["ok"]["result"]["value"] for c in waiting] == [n * 2 for n in range(20)]


HOSTILE = {
    "a file read": "open('/etc/passwd').read()",
    "a process listing": "import os; os.listdir('/proc')",
    "the environment of another": "open('/proc/1/environ').read()",
    "a file written": "open('/tmp/pensaer-was-here', 'w')",
    "a folder made": "import os; os.mkdir('/tmp/pensaer-was-here')",
    "the network": "import socket; socket.create_connection(('127.0.0.1', 80), 1)",
    "the zygote's socket": "import socket; socket.socket(socket.AF_UNIX)",
    "a program": "import subprocess; subprocess.run(['/bin/true'])",
    "a fork": "import os\nwhile True: os.fork()",
    "a signal to another": "import os; os.kill(os.getppid(), 9)",
    "a trace": "import ctypes; c = ctypes.CDLL(None, use_errno=True)\nassert c.ptrace(16, 1, 0, 0) == 0",
    "limits raised": "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1000, 1000))",
    "memory": "x = bytearray(1 << 31)",
    "recursion": "def f(): return f()\nf()",
    "a large answer": "'x' * (1 << 26)",
    "output without end": "while True: print('x' * 1000)",
    "a file's permissions": "import os; os.chmod('/tmp', 0o1777)",
    "threads without end": "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(9,)).start()",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_script_is_refused(service, what):
    answer = service.code(HOSTILE[what], limits={"memory_bytes": 1 << 30})
    assert "fault" in answer, answer
    assert not os.path.exists("/tmp/pensaer-was-here")
    assert service.code("1 + 1")["ok"]["result"]["value"] == 2


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("import os; os._exit(0)", None),
        ("import os; os.closerange(3, 99)", None),
        ("import os; os.abort()", "SIG"),
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    ],
)
def test_a_script_that_ends_its_process_answers_nothing(service, code, how):
    answer = service.code(code)
    assert answer is None if how is None else how in answer["fault"]["message"]
    assert service.code("1 + 1")["ok"]["result"]["value"] == 2


def test_a_script_can_write_to_no_connection_but_its_own(service):
    code = "import os\nprint(sorted(os.fstat(n).st_mode >> 12 for n in range(64) if not _closed(n)))"
    code = "def _closed(n):\n    import os\n    try: os.fstat(n)\n    except OSError: return True\n" + code
    # sockets are of kind 12: there is one
    assert service.code(code)["ok"]["result"]["printed"].count("12") == 1


def test_a_flood_of_output_is_cut(service):
    printed = service.code("for i in range(10000): print('x' * 100)")["ok"]["result"]["printed"]
    assert len(printed) < 70_000 and printed.endswith("more was printed)")


def test_a_call_that_nobody_waits_for_is_killed(service):
    code = "import ctypes\nctypes.CDLL(None).prctl(15, b'endless', 0, 0, 0)\nwhile True: pass"
    call = {"do": "run", "operation": "run_code", "operation_id": "op", "time_ms": 0}
    zygote = str(service.code("import os; os.getppid()")["ok"]["result"]["value"])
    connection = service.connect(service.house, **call, params={"code": code})
    await_endless(zygote, 1)
    connection.close()
    await_endless(zygote, 0)


def await_endless(zygote, wanted):
    """Waits until so many of the zygote's children run under that name."""
    for _ in range(1000):
        found = subprocess.run(["pgrep", "-P", zygote, "-x", "endless"], capture_output=True, text=True).stdout.split()
        if len(found) == wanted:
            return
        time.sleep(0.01)
    raise AssertionError(f"{len(found)} and not {wanted}")


def test_processor_time_is_bounded_also_where_somebody_waits(service):
    answer = service.code("while True: pass", limits={"wall_ms": 500})
    assert (answer["fault"]["code"], answer["fault"]["data"]["limit"]) == (1009, "time")


def test_memory_is_gathered_where_it_lies():
    """What a fork has to copy lies in the blocks that are looked at; the kernel gathers them or leaves them, and nothing is lost."""
    kept = [[number] for number in range(500_000)]
    blocks = set(pages._blocks(ctypes.CDLL(None)))
    assert {id(one) // (2 << 20) for one in kept} <= blocks
    assert len(blocks) < 10_000
    assert 0 <= pages.collapse() <= len(blocks) + 10_000
    assert all(one == [number] for number, one in enumerate(kept))
