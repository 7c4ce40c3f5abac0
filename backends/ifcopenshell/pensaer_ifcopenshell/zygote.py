"""Processes that hold a file open and answer each call from a fork of themselves.

Three kinds, all forked from one, which has imported IfcOpenShell once:

- the nursery listens at the socket it was started with and holds no file. It answers calls that need none, and for `open` forks
- a zygote, which holds one file open and listens at a socket of its own. For `advance` it forks another, which holds a later
  version. A zygote lives for as long as the connection on which it was asked for;
- the process of one call, forked for each connection. It closes every descriptor but that connection, gives up what it does not
  need (see `confine`), reads one request, runs it, answers what it came to and dies. Nothing that it does to the file is seen by
  anybody else. A connection that is closed while it runs kills it.

A process that listens never reads what it is sent: its children do. What they answer is for the other side to check.

A message is four bytes of length (big endian) and JSON. Requests are `{"do": "hello"}`; `{"do": "open", "file", "socket"}`;
`{"do": "advance", "changes", "socket"}` (see `changes.replay`); and `{"do": "run", "operation", "params", "operation_id",
"time_ms", "actor", "limits": {"memory_bytes", "wall_ms", "result_bytes"}}`. Answers are `{"ok": …}` or `{"fault": …}`.
"""

import gc
import json
import os
import select
import signal
import socket
import struct

from . import confine
from .adapter import IfcOpenShellAdapter
from .base import Actor, Call
from .fault import Fault, FaultCode

_REQUEST_BYTES = 256 << 20
_RESULT_BYTES = 64 << 20
_MEMORY_BYTES = 2 << 30
_WALL_MS = 600_000


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


def send(connection, body):
    """One message, already in JSON."""
    body = struct.pack(">I", len(body)) + body
    while body:
        body = body[os.write(connection, body[: 1 << 20]) :]


def listen(path):
    """A socket at a path, which is there once it can be connected to."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    listener.bind(f"{path}~")
    listener.listen(128)
    os.rename(f"{path}~", path)
    return listener


class Zygote:
    """A process that listens and forks. Without a model it is the nursery."""

    def __init__(self, listener, model=None, lease=None, adapter=IfcOpenShellAdapter):
        self.listener = listener
        self.model = model
        self.lease = lease
        self.adapter = adapter
        self.children = {}
        self.folders = confine.program_folders()
        self.nothing = os.open(os.devnull, os.O_RDWR)

    def serve(self):
        """Until the lease ends, or for ever. Returns in no child."""
        # what lives now lives as long as the process: it is not looked at again, and so not copied by a fork
        gc.collect()
        gc.freeze()
        woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.poll = select.poll()
        self.poll.register(self.listener, select.POLLIN)
        self.poll.register(woken, select.POLLIN)
        if self.lease is not None:
            self.poll.register(self.lease, select.POLLRDHUP)
        while True:
            for ready, _ in self.poll.poll():
                if ready == self.listener.fileno():
                    self._accept()
                elif ready == woken:
                    os.read(woken, 4096)
                    self._reap()
                elif ready == self.lease:
                    self._end()
                elif ready in self.children:
                    self._give_up(ready)

    def _accept(self):
        try:
            connection, _ = self.listener.accept()
        except OSError:
            return
        connection = connection.detach()
        try:
            pid = os.fork()
        except OSError:
            os.close(connection)
            return
        if pid == 0:
            try:
                self._child(connection)
            finally:
                os._exit(1)
        self.children[connection] = pid
        self.poll.register(connection, select.POLLRDHUP)

    def _reap(self):
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
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
        self.poll.unregister(connection)
        self.poll.register(connection, 0)

    def _forget(self, connection):
        try:
            self.poll.unregister(connection)
        except KeyError:
            pass
        os.close(connection)
        del self.children[connection]

    def _end(self):
        for connection, events in self.poll.poll(0):
            if connection in self.children and events:
                os.kill(self.children[connection], signal.SIGKILL)
        os._exit(0)

    # --- in a child ----------------------------------------------------------------------------------------------

    def _child(self, connection):
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self.listener.detach()
        for name in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else map(str, range(3, 1024)):
            if (descriptor := int(name)) > 2 and descriptor not in (connection, self.nothing):
                try:
                    os.close(descriptor)
                except OSError:
                    pass
        # what follows is not for the log that the parent writes to
        for stream in (0, 1, 2):
            os.dup2(self.nothing, stream)
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
            model = self.adapter.open(request["file"])
            warm(model)
        elif what == "advance" and self.model is not None:
            from .changes import replay

            model = self.model
            replay(model, request["changes"])
        else:
            raise Fault(FaultCode.BACKEND_FAILED, f"This process cannot {what!r}.")
        listener = listen(request["socket"])
        send(connection, _json({"ok": {"instances": len(model.entity_names())}}))
        Zygote(listener, model, connection, self.adapter).serve()

    def _run(self, request):
        limits = request.get("limits") or {}
        name = request["operation"]
        operations = self.adapter.operations()
        about = operations.get(name)
        if about is not None and self.model is None and not about.new_model:
            raise Fault(FaultCode.BACKEND_FAILED, f"{name} needs a model; this process holds none.")
        confine.die_with_parent()
        wall_ms = limits.get("wall_ms") or _WALL_MS
        confine.limit(limits.get("memory_bytes") or _MEMORY_BYTES, wall_ms / 1000)
        enforced = confine.enforce(self.folders)
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
                FaultCode.LIMIT_REACHED, f"{name} needs more memory than a call may use.", limit="memory_bytes"
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
            limit="cpu_time",
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


def serve(path):
    """The nursery, at this socket, until the process that started it ends."""
    import ifcopenshell
    import ifcopenshell.api.root
    import ifcopenshell.geom
    import ifcopenshell.util.selector
    import ifcopenshell.util.shape

    ifcopenshell.util.selector.filter_elements(ifcopenshell.file(schema="IFC4"), "IfcWall")
    Zygote(listen(path)).serve()
