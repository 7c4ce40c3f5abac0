"""The one error that leaves a back end: what happened and what to do next, in a sentence that an agent can act on."""

import difflib
from enum import IntEnum


class FaultCode(IntEnum):
    """What went wrong, by meaning. The numbers are part of the interface: clients test for them."""

    INVALID_PARAMS = -32602
    ELEMENT_NOT_FOUND = 1001
    CONSTRAINT_VIOLATION = 1002
    NOT_SUPPORTED = 1008
    LIMIT_REACHED = 1009
    BACKEND_FAILED = 1010
    UNREADABLE_FILE = 1013
    NOT_FOUND = 1014
    CANCELLED = 1016


class Fault(Exception):
    """Ends a call with nothing changed. `data` holds facts to act on: field, ids, near matches, allowed values."""

    def __init__(self, code, message, **data):
        super().__init__(message)
        self.code = FaultCode(code)
        self.message = message
        self.data = {name: value for name, value in data.items() if value is not None}

    def to_json(self):
        """The fault as it leaves."""
        fault = {"code": int(self.code), "message": self.message}
        if self.data:
            fault["data"] = self.data
        return fault


def invalid(field, message, **data):
    """A parameter that cannot be used; `field` is its path, such as `boundary_points[2]`."""
    return Fault(FaultCode.INVALID_PARAMS, message, field=field, **data)


def constraint(message, **data):
    """The change would break a rule of the model or of the schema."""
    return Fault(FaultCode.CONSTRAINT_VIOLATION, message, **data)


def near_matches(wanted, names, most=5):
    """The names most like the one that was given, best first."""
    by_lower = {}
    for name in names:
        by_lower.setdefault(name.lower(), name)
    wanted = wanted.lower()
    near = difflib.get_close_matches(wanted, by_lower, n=most, cutoff=0.6)
    near += [name for name in by_lower if name not in near and wanted and (wanted in name or name in wanted)]
    return [by_lower[name] for name in near[:most]]
