"""A small MCP client over stdio, written against the protocol's text alone: the program is seen as a foreign agent sees it."""

import itertools
import json
import subprocess
import tempfile


class Fault(Exception):
    """A tool's answer that is a Fault."""

    def __init__(self, tool, fault):
        super().__init__(f"{tool}: {fault}")
        self.fault = fault


class Client:
    """One session; use it in a `with` block."""

    def __init__(self, program, data, server=None, options=()):
        # tests keep their files below the folder for temporary ones
        places = ["--data-dir", str(data), "--write-dir", tempfile.gettempdir()]
        options = [*places, "--listen", "127.0.0.1:0", *map(str, options)]
        self.begin([str(program), *options, "mcp", *([server] if server else [])])

    @classmethod
    def started(cls, command, **how):
        """A session with whatever server a command starts; `how` are options of `Popen`."""
        session = cls.__new__(cls)
        session.begin(command, **how)
        return session

    def begin(self, command, **how):
        """Starts the server and greets it."""
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **how)
        self.numbers = itertools.count(1)
        client = {"name": "tests", "version": "1"}
        self.hello = self.request(
            "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        )
        self.send({"method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=30)

    def send(self, message):
        """Writes one JSON-RPC message as a line."""
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def request(self, method, params=None):
        """Asks, and waits for the answer to this very question."""
        number = next(self.numbers)
        self.send({"id": number, "method": method, "params": params or {}})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == number:
                if "error" in message:
                    raise Fault(method, message["error"])
                return message["result"]
        raise EOFError("the server closed its output")

    def call(self, tool, **arguments):
        """Calls a tool; its structured answer, or a Fault."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise Fault(tool, result.get("structuredContent") or result)
        return result["structuredContent"]
