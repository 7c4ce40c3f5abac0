"""Processes that hold a file open and answer each call from a fork of themselves.

Three kinds, all forked from one, which has imported IfcOpenShell once:

- the nursery holds no file. It answers calls that need none, and for `open` forks
- a zygote, which holds one file open. For `advance` it forks another, which holds a later version;
- the process of one call. It has no descriptor but the connection that it answers on, gives up what it does not need (see
  `confine`), reads one request, runs it, answers what it came to and dies. Nothing that it does to the file is seen by anybody
  else. A connection that is closed while it runs kills it.

Nobody listens anywhere. Nursery and zygotes have one socket each, the control, over which they are handed connections
(descriptors, each with one byte); when it ends, so do they and the calls they run. The connection of an `open` or `advance` is
the control of the zygote that came of it. The control of the nursery is its standard input.

A fork of a process of this size takes milliseconds. So each keeps a few spare: forks that wait for the next connections, and have
seen nothing of anybody yet. One that was used is not used again.

A process that is handed connections never reads them: its children do. What they answer is for the other side to check.

A message is four bytes of length (big endian) and JSON. Requests are `{"do": "hello"}`; `{"do": "open", "file"}`;
`{"do": "advance", "changes"}` (see `changes.replay`); and `{"do": "run", "operation", "params", "operation_id",
"time_ms", "actor", "limits": {"memory_bytes", "wall_ms", "result_bytes"}}`. Answers are `{"ok": …}` or `{"fault": …}`.
"""

import gc
import json
import os
import resource
import select
import signal
import socket
import struct

from . import confine, pages
from .adapter import IfcOpenShellAdapter
from .base import Actor, Call
from .fault import Fault, FaultCode

_REQUEST_BYTES = 256 << 20
_RESULT_BYTES = 64 << 20
_MEMORY_BYTES = 2 << 30
_WALL_MS = 600_000
_REHEARSED = "IFC4"
#: Forks that wait for a connection: as one call follows the other, the next is being made while one of these is used.
_SPARES = 3


def receive(connection):
    """One message; `None` where the other side has closed."""
    head = _exactly(connection, 4)
    if head is None:
        return None
    (length,) = struct.unpack(">I", head)
    if length > _REQUEST_BYTES:
        raise Fault(
            FaultCode.LIMIT_REACHED, f"The request is larger than {_REQUEST_BYTES} bytes.", limit="request_bytes"
        )
    body = _exactly(connection, length)
    return None if body is None else json.loads(body)


def _exactly(connection, length):
    parts = []
    while length:
        part = os.read(connection, min(length, 1 << 20))
        if not part:
            return None
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _close_all_but(kept):
    os.closerange(3, kept)
    os.closerange(kept + 1, min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 1 << 20))


def send(connection, body):
    """One message, already in JSON."""
    body = struct.pack(">I", len(body)) + body
    while body:
        body = body[os.write(connection, body[: 1 << 20]) :]


class Zygote:
    """A process that forks for each connection that it is handed. Without a model it is the nursery."""

    def __init__(self, control, nothing, walls, model=None, adapter=IfcOpenShellAdapter):
        self.control = socket.socket(fileno=control)
        self.nothing = nothing
        self.walls = walls
        self.model = model
        self.adapter = adapter
        self.children = {}
        #: Forks that wait, as (pid, socket), the oldest first.
        self.spares = []
        #: Bytes of addresses, before any call.
        self.used = 0

    def serve(self):
        """Until the control ends. Returns in no process."""
        # what lives now lives as long as the process: it is not looked at again, and so not copied by a fork
        gc.collect()
        gc.freeze()
        woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.poll = select.poll()
        self.poll.register(self.control, select.POLLIN)
        self.poll.register(woken, select.POLLIN)
        self.used = confine.address_space()
        while True:
            # whoever waits comes first, then one fork at a time
            lacking = len(self.spares) < _SPARES
            events = self.poll.poll(0 if lacking else None)
            if lacking and not events:
                # where no process can be had, one that ends may tell when it can
                lacking = not self._fork()
                events = self.poll.poll(1000) if lacking else ()
            for descriptor, _ in events:
                if descriptor == self.control.fileno():
                    self._accept()
                elif descriptor == woken:
                    os.read(woken, 4096)
                    self._reap()
                elif descriptor in self.children:
                    self._give_up(descriptor)

    def _fork(self):
        """One more that waits; whether it came about."""
        ours, its = socket.socketpair()
        try:
            pid = os.fork()
        except OSError:
            ours.close()
            its.close()
            return False
        if pid == 0:
            try:
                self._child(its)
            finally:
                os._exit(1)
        its.close()
        self.spares.append((pid, ours))
        return True

    def _accept(self):
        byte, descriptors, _, _ = socket.recv_fds(self.control, 1, 1)
        if not byte:
            self._end()
        for connection in descriptors:
            if not self.spares and not self._fork():
                os.close(connection)
                continue
            pid, spare = self.spares.pop(0)
            self.children[connection] = pid
            self.poll.register(connection, select.POLLRDHUP)
            try:
                socket.send_fds(spare, [b"c"], [connection])
            except OSError:  # it was killed while it waited, which its end will tell
                pass
            spare.close()

    def _reap(self):
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            for spare in [spare for spare in self.spares if spare[0] == pid]:
                spare[1].close()
                self.spares.remove(spare)
            for connection, of in list(self.children.items()):
                if of == pid:
                    if os.WIFSIGNALED(status):
                        _say_how_it_ended(connection, os.WTERMSIG(status))
                    self._forget(connection)

    def _give_up(self, connection):
        """The other side does not wait any more."""
        try:
            os.kill(self.children[connection], signal.SIGKILL)
        except ProcessLookupError:
            pass
        # nothing more is to be heard of it but the end of the process, and a closed connection is told of without end
        self.poll.unregister(connection)

    def _forget(self, connection):
        try:
            self.poll.unregister(connection)
        except KeyError:
            pass
        os.close(connection)
        del self.children[connection]

    def _end(self):
        """The calls that run end with it, by `die_with_parent`; zygotes that were forked from here live on."""
        os._exit(0)

    # --- in a child ----------------------------------------------------------------------------------------------

    def _child(self, handed):
        confine.die_with_parent()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        # what follows is not for the log that the parent writes to
        for stream in (0, 1, 2):
            os.dup2(self.nothing, stream)
        _close_all_but(handed.fileno())
        # their sockets are closed: they must not close what has their numbers later
        self.control.detach()
        for _, spare in self.spares:
            spare.detach()
        self.spares.clear()
        self.children.clear()
        # whoever is waited for already does it as it goes
        if not select.select([handed], [], [], 0)[0]:
            self._rehearse()
        byte, descriptors, _, _ = socket.recv_fds(handed, 1, 1)
        if not descriptors:
            os._exit(0)
        handed.close()
        (connection,) = descriptors
        try:
            request = receive(connection)
            if request is None:
                os._exit(0)
            what = request.get("do")
            if what == "run":
                body = self._run(request)
            elif what == "hello":
                body = _json({"ok": self._hello()})
            else:
                self._become(connection, what, request)
                os._exit(0)
        except Fault as fault:
            body = _json({"fault": fault.to_json()})
        except (Exception, SystemExit) as error:
            message = f"{type(error).__name__} in the back end: {str(error)[:500]}. Nothing was changed."
            body = _json({"fault": Fault(FaultCode.BACKEND_FAILED, message).to_json()})
        send(connection, body)
        os._exit(0)

    def _rehearse(self):
        """Makes this process's own what every call will write to, which a fork shares until then."""
        if self.model is not None:
            adapter = self.adapter(self.model, Call())
            adapter.run("run_code", {"code": "0", "mode": "query"})
            _json({"ok": adapter.changes()})
            self.model.transaction = None

    def _hello(self):
        import ifcopenshell

        from . import __version__

        operations = [
            {"name": about.name, "effect": about.effect.value, "new_model": about.new_model}
            for about in self.adapter.operations().values()
        ]
        return {"version": __version__, "ifcopenshell": ifcopenshell.version, "operations": operations}

    def _become(self, connection, what, request):
        if what == "open" and self.model is None:
            # files come from anywhere, and what reads them is large: it sees this one alone, as will all that is forked from here
            self.walls.narrow(request["file"])
            model = self.adapter.open(request["file"])
            warm(model)
            if model.schema != _REHEARSED:
                rehearse(self.adapter, model.schema)
            pages.collapse()
        elif what == "advance" and self.model is not None:
            from .changes import replay

            model = self.model
            replay(model, request["changes"])
        else:
            raise Fault(FaultCode.BACKEND_FAILED, f"This process cannot {what!r}.")
        confine.die_with_parent(False)
        send(connection, _json({"ok": {"instances": len(model.entity_names())}}))
        Zygote(connection, 1, self.walls, model, self.adapter).serve()

    def _run(self, request):
        limits = request.get("limits") or {}
        name = request["operation"]
        operations = self.adapter.operations()
        about = operations.get(name)
        if about is not None and self.model is None and not about.new_model:
            raise Fault(FaultCode.BACKEND_FAILED, f"{name} needs a model; this process holds none.")
        wall_ms = limits.get("wall_ms") or _WALL_MS
        confine.limit(self.used, limits.get("memory_bytes") or _MEMORY_BYTES, wall_ms / 1000)
        enforced = self.walls.enforce()
        if name == "run_code" and not {"landlock", "seccomp"} <= set(enforced):
            raise Fault(
                FaultCode.NOT_SUPPORTED,
                "This machine's kernel offers no landlock or no seccomp, without which foreign code is not run.",
                enforced=enforced,
            )
        actor = request.get("actor") or {}
        call = Call(
            request["operation_id"], request["time_ms"], Actor(actor.get("principal", ""), actor.get("client"))
        )
        adapter = self.adapter(self.model if about is None or not about.new_model else None, call)
        try:
            result = adapter.run(name, request.get("params") or {})
        except MemoryError:
            raise Fault(
                FaultCode.LIMIT_REACHED, f"{name} needs more memory than a call may use.", limit="memory"
            ) from None
        answer = {"result": result, "event": adapter.event}
        if about.new_model:
            answer["text"] = adapter.text().decode()
        else:
            changes = adapter.changes()
            if about.effect.value == "query" and any(changes.values()):
                raise Fault(FaultCode.BACKEND_FAILED, f"{name} is a query but changed the model.")
            answer["changes"] = changes
        body = _json({"ok": answer})
        most = min(limits.get("result_bytes") or _RESULT_BYTES, _RESULT_BYTES)
        if len(body) > most and (len(body) > _RESULT_BYTES or len(_json(result)) > most):
            raise Fault(
                FaultCode.LIMIT_REACHED,
                f"The answer of {name} is larger than {most} bytes. Ask for less: fewer fields, a smaller limit, a "
                "narrower selector.",
                limit="result_bytes",
                result_bytes=most,
            )
        return body


def _say_how_it_ended(connection, number):
    """Answers for a process that was killed. After an answer of its own, or a part of one, nobody reads this."""
    if number == signal.SIGXCPU:
        fault = Fault(
            FaultCode.LIMIT_REACHED,
            "The call used more processor time than it may and was stopped. Nothing was changed.",
            limit="time",
        )
    else:
        name = signal.Signals(number).name if number in set(signal.Signals) else str(number)
        fault = Fault(
            FaultCode.BACKEND_FAILED, f"The process of the call was ended by {name}. Nothing was changed.", signal=name
        )
    body = _json({"fault": fault.to_json()})
    try:
        socket.socket(fileno=os.dup(connection)).send(struct.pack(">I", len(body)) + body, socket.MSG_DONTWAIT)
    except OSError:
        pass


def _json(value):
    return json.dumps(value, allow_nan=False, separators=(",", ":"), ensure_ascii=False, default=str).encode(
        "utf-8", "surrogatepass"
    )


def warm(model):
    """Has done once what every call would do again: what IfcOpenShell reads when it is first asked."""
    import ifcopenshell.util.pset

    try:
        ifcopenshell.util.pset.get_template(model.schema_identifier).get_by_name("Pset_WallCommon")
    except Exception:  # a schema without templates
        pass


def rehearse(adapter, schema):
    """Builds and forgets a house, so that what is read and computed once for all is there before the first fork."""
    square = [[0, 0], [6000, 0], [6000, 6000], [0, 6000]]
    try:
        work = adapter(None, Call())
        work.run("create_project", {"name": "A", "schema": schema, "storeys": [{"name": "A", "elevation": 0}]})
        wall = work.run("create_wall", {"start": [0, 0], "end": [6000, 0], "level_id": "A"})["wall_id"]
        for kind in ("door", "window"):
            place = {"along": 1500 if kind == "door" else 4500}
            opening = {"host_id": wall, "location": place, "width": 900, "height": 1200, "opening_type": kind}
            work.run("create_opening", opening)
        for name in ("create_floor", "create_space", "create_roof"):
            work.run(name, {"boundary_points": square, "level_id": "A"})
        work.run("modify_parameter", {"element_id": wall, "parameter_name": "height", "value": 2800})
        work.run("set_properties", {"element_ids": [wall], "pset": "Pset_WallCommon", "properties": {"IsExternal": True}})
        work.run("query_elements", {"selector": "IfcWall", "fields": ["class", "Qto_WallBaseQuantities.Length"]})
        work.run("get_element", {"element_id": wall})
        work.run("delete_elements", {"element_ids": [wall]})
        work.changes()
    except Fault:  # what cannot be done is said to whoever asks for it
        pass


def serve(control):
    """The nursery, with this control, until that ends."""
    import ifcopenshell
    import ifcopenshell.api.root
    import ifcopenshell.geom
    import ifcopenshell.util.selector
    import ifcopenshell.util.shape

    ifcopenshell.util.selector.filter_elements(ifcopenshell.file(schema="IFC4"), "IfcWall")
    # the schema of most files; that of another is rehearsed when one is opened, for every page in memory makes forks slower
    rehearse(IfcOpenShellAdapter, _REHEARSED)
    pages.collapse()
    Zygote(control, os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC), confine.Walls()).serve()
