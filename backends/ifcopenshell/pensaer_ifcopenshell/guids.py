"""GlobalIds that derive from the operation's id and a running number, so that an operation that is run again makes the
same elements."""

import hashlib

import ifcopenshell.guid


class Guids:
    """The GlobalIds of one operation: SHA-256 over its id and a running number, in the shape of a version 8 UUID."""

    def __init__(self, operation_id):
        self.operation_id = operation_id
        self.ordinal = 0

    def next(self):
        """The next GlobalId."""
        digest = hashlib.sha256(self.operation_id.encode() + b"\0" + self.ordinal.to_bytes(8, "big")).digest()
        self.ordinal += 1
        bits = int.from_bytes(digest[:16], "big")
        bits = bits & ~(0xF << 76) | (8 << 76)
        bits = bits & ~(3 << 62) | (2 << 62)
        return ifcopenshell.guid.compress(f"{bits:032x}")
