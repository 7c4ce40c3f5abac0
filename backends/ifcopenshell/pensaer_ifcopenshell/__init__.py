"""IfcOpenShell as a back end of Pensaer.

`BaseAdapter` is the contract of a back end in Python: which operations there are, what they take and what they answer.
`IfcOpenShellAdapter` resolves them on an `ifcopenshell.file`.
"""

from .adapter import IfcOpenShellAdapter
from .base import Actor, BaseAdapter, Call, Effect, Operation, operation
from .fault import Fault, FaultCode

__version__ = "0.1.0"
__all__ = [
    "Actor",
    "BaseAdapter",
    "Call",
    "Effect",
    "Fault",
    "FaultCode",
    "IfcOpenShellAdapter",
    "Operation",
    "operation",
]
