"""`run_code`: an agent's Python on the opened file.

The script runs in the process of the call, which is a fork that dies after it (see `zygote`): what keeps it from anything
but its own call is that process, its limits and the sandbox around it, not this module.
"""

import ast
import io
import re
import sys
import traceback

import ifcopenshell
import ifcopenshell.api
import ifcopenshell.guid

from . import helping
from .fault import Fault, FaultCode, invalid

_LONGEST, _PRINTED = 200_000, 64_000
#: Characters that a script may print at all: one that does not stop is ended.
_FLOOD = 8 << 20
_NAME = "<script>"


class _Printed(io.TextIOBase):
    """Keeps what is printed, up to a bound; far beyond it, ends the script."""

    def __init__(self):
        self.parts, self.left, self.cut, self.written = [], _PRINTED, False, 0

    def writable(self):
        return True

    def write(self, text):
        kept = text[: self.left]
        self.left -= len(kept)
        self.cut = self.cut or len(kept) < len(text)
        if kept:
            self.parts.append(kept)
        self.written += len(text)
        if self.written > _FLOOD:
            raise Fault(
                FaultCode.LIMIT_REACHED,
                f"The script printed more than {_FLOOD} characters and was ended. Nothing was changed.",
                limit="output",
            )
        return len(text)

    def text(self):
        return "".join(self.parts) + ("\n… (more was printed)" if self.cut else "")


def run(adapter, code, mode):
    """Runs a script; answers its value and what it printed. An exception in it is a Fault with its line."""
    if len(code) > _LONGEST:
        raise Fault(
            FaultCode.LIMIT_REACHED, f"The script is longer than {_LONGEST} characters.", limit="code_bytes"
        )
    try:
        tree = ast.parse(code, _NAME)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        where = f" in line {line}" if line else ""
        raise invalid("code", f"The script is no Python{where}: {error}.", line=line) from error
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    names = {"__name__": "__main__", "model": adapter.model, "ifcopenshell": ifcopenshell, "adapter": adapter}
    printed = _Printed()
    streams, new_guid = (sys.stdout, sys.stderr), ifcopenshell.guid.new
    sys.stdout = sys.stderr = printed
    # new elements are the same when the call is run again, whoever makes them
    ifcopenshell.guid.new = adapter.guids.next
    try:
        exec(compile(tree, _NAME, "exec"), names)
        value = names.get("result")
        if last is not None:
            value = eval(compile(last, _NAME, "eval"), names)
    except Fault as fault:
        line = _line(fault)
        fault.message = f"Line {line} of the script: {fault.message}"
        fault.data |= _facts(line, printed)
        raise
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        line = _line(error)
        # a bound of the process is no mistake of the script's own
        code = FaultCode.LIMIT_REACHED if isinstance(error, (MemoryError, RecursionError)) else FaultCode.INVALID_PARAMS
        limit = {MemoryError: "memory", RecursionError: "recursion"}.get(type(error))
        raise Fault(
            code,
            f"Line {line} of the script: {type(error).__name__}: {_told(error)}. Nothing was changed.",
            field="code",
            limit=limit,
            **_facts(line, printed),
            **helping.lines(error),
        ) from error
    finally:
        sys.stdout, sys.stderr = streams
        ifcopenshell.guid.new = new_guid
    if mode == "query" and not adapter.tracked.empty:
        raise Fault(
            FaultCode.CONSTRAINT_VIOLATION,
            "The script changed the model, which mode=query does not allow. Run it with mode=modify.",
            field="mode",
        )
    answer = {"value": plain(value)}
    if text := printed.text():
        answer["printed"] = text
    return answer


def _told(error):
    """What an exception says, without the addresses of objects in memory, which tell nobody anything."""
    return re.sub(r"<([\w.]+); proxy of <Swig Object[^>]*> >|<Swig Object[^>]*>", r"<\1>", str(error)).strip(". ")[:2000]


def _facts(line, printed):
    facts = {"line": line}
    if text := printed.text():
        facts["printed"] = text[-4000:]
    return facts


def _line(error):
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == _NAME]
    return lines[-1] if lines else 1


def plain(value, depth=0):
    """A value as JSON: elements by id, name and class, what is nothing of it by its text."""
    if depth > 20:
        return "…"
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    if isinstance(value, dict):
        return {str(name): plain(member, depth + 1) for name, member in list(value.items())[:5000]}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(member, depth + 1) for member in list(value)[:5000]]
    if isinstance(value, ifcopenshell.entity_instance):
        return {"id": getattr(value, "GlobalId", None) or f"#{value.id()}", "class": value.is_a()}
    if hasattr(value, "tolist"):
        return plain(value.tolist(), depth + 1)
    return str(value)[:2000]
