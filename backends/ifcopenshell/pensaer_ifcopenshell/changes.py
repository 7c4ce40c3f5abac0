"""What an operation did to a file, as the instances added, changed and removed.

IfcOpenShell tells its transaction of every instance that is made, edited or removed; this one keeps their ids and nothing
else, since a call that fails is not undone but forgotten. An edit that goes around the Python wrappers is not seen, and so
is not part of what the call did.
"""

from .fault import Fault, FaultCode


class Changes:
    """Stands in for the transaction of a file while an operation runs."""

    def __init__(self, model):
        self.model = model
        self.added = set()
        self.edited = set()
        self.removed = set()
        model.transaction = self

    def store_create(self, element):
        """An instance was made."""
        if number := element.id():
            if number in self.removed:
                self.removed.discard(number)
                self.edited.add(number)
            else:
                self.added.add(number)

    def store_edit(self, element, _index, _value):
        """An attribute is about to be set."""
        if number := element.id():
            self.edited.add(number)

    def store_delete(self, element):
        """An instance is about to be removed, and to be taken out of those that refer to it."""
        number = element.id()
        self.edited.update(inverse.id() for inverse in self.model.get_inverse(element))
        self.edited.discard(number)
        if number in self.added:
            self.added.discard(number)
        else:
            self.removed.add(number)

    def batch(self):
        """Nothing is put off here."""

    def unbatch(self):
        """Nothing was put off here."""

    @property
    def empty(self):
        """Whether nothing was done."""
        return not (self.added or self.edited or self.removed)

    def to_json(self, longest=64 << 20):
        """The lines of what was added and changed, and the ids of what was removed. `longest` bounds the characters."""
        if self.model.transaction is not self:
            raise Fault(
                FaultCode.CONSTRAINT_VIOLATION,
                "The script began or ended a transaction of its own, so that what it changed is not known. Leave "
                "begin_transaction, end_transaction, undo and redo out: a call is all or nothing as it is.",
            )
        size = 0

        def line(number):
            nonlocal size
            text = self.model.by_id(number).to_string(True)
            size += len(text)
            if size > longest:
                raise Fault(
                    FaultCode.LIMIT_REACHED,
                    f"The call changed more than {longest} characters of the file. Do it in parts.",
                    limit="change_bytes",
                )
            return text

        return {
            "added": [line(number) for number in sorted(self.added)],
            "changed": [line(number) for number in sorted(self.edited - self.added - self.removed)],
            "removed": sorted(self.removed),
        }


def replay(model, changes):
    """Makes a file what it is in a later version: `removed` are ids, `set` whole instances with their values.

    A value is null, a number, a text, a truth or a list, or an object: `{"ref": 12}`, `{"enum": "ELEMENT"}`,
    `{"type": "IfcLabel", "value": "A"}`, `{"derived": true}`.
    """
    model.transaction = None
    for number in changes.get("removed", ()):
        model.remove(model.by_id(number))
    instances = []
    for given in changes.get("set", ()):
        try:
            instance = model.by_id(given["id"])
        except RuntimeError:
            instance = model.create_entity(given["class"], id=given["id"])
        if instance.is_a() != given["class"]:
            raise Fault(
                FaultCode.NOT_SUPPORTED,
                f"#{given['id']} became an {given['class']} and was an {instance.is_a()}; open the version as a file.",
            )
        instances.append((instance, given["attributes"]))
    for instance, attributes in instances:
        for at, given in enumerate(attributes):
            if isinstance(given, dict) and "derived" in given:
                continue
            value = _value(model, given)
            try:
                instance[at] = value
            except (TypeError, ValueError, RuntimeError):
                # files write 3 for 3. at times, which the setter does not take for a real number
                instance[at] = _real(value)


def _real(value):
    if isinstance(value, tuple):
        return tuple(map(_real, value))
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _value(model, given):
    if isinstance(given, list):
        return tuple(_value(model, member) for member in given)
    if not isinstance(given, dict):
        return given
    if "ref" in given:
        return model.by_id(given["ref"])
    if "enum" in given:
        return given["enum"]
    return model.create_entity(given["type"], _value(model, given["value"]))
