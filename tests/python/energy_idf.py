"""Models of EnergyPlus as text that is changed at single places: objects with the spans of their values, by the names that the schema gives the fields."""

import functools
import json
import re
from pathlib import Path

import needs

TOKEN = re.compile(r"![^\n]*|[,;]")


@functools.cache
def layouts():
    """For each type of object, in small letters: its own fields, and those of the group that repeats."""
    schema = json.loads((Path(needs.energyplus()) / "Energy+.schema.epJSON").read_text())
    found = {}
    for name, about in schema["properties"].items():
        legacy = about["legacy_idd"]
        found[name.lower()] = (legacy["fields"], legacy.get("extensibles", []))
    return found


class Object:
    """One object: its type, and where its values stand in the text."""

    def __init__(self, text, spans, start, end):
        self.spans = spans[1:]
        self.kind = text[slice(*spans[0])]
        self.values = [text[a:b] for a, b in self.spans]
        self.start, self.end = start, end

    def is_a(self, kind):
        return self.kind.lower() == kind.lower()

    @property
    def name(self):
        return self.values[0] if self.values else ""

    def at(self, key, group=None):
        """The position of a field, of a repeated one with the number of its group."""
        own, repeated = layouts()[self.kind.lower()]
        if group is None:
            return own.index(key)
        return len(own) + group * len(repeated) + repeated.index(key)

    def has(self, key):
        return key in layouts().get(self.kind.lower(), ((), ()))[0]

    def get(self, key, group=None):
        at = self.at(key, group)
        return self.values[at] if at < len(self.values) else ""

    def groups(self):
        """How many groups it has."""
        own, repeated = layouts()[self.kind.lower()]
        return max(0, len(self.values) - len(own)) // len(repeated) if repeated else 0


class Model:
    """A model, and the changes that are asked of its text."""

    def __init__(self, text):
        self.text = text
        self.objects = []
        self.edits = []
        start, spans, begin = None, [], 0
        for token in TOKEN.finditer(text):
            mark = token.group()[0]
            if mark == "!":
                # what stands before a remark on its line is the beginning of the next value only if it is none
                if not text[begin : token.start()].strip():
                    begin = token.end()
                continue
            a, b = begin, token.start()
            while a < b and text[a].isspace():
                a += 1
            while b > a and text[b - 1].isspace():
                b -= 1
            if start is None:
                start = a
            spans.append((a, b))
            begin = token.end()
            if mark == ";":
                self.objects.append(Object(text, spans, start, token.end()))
                start, spans = None, []
        self.by_kind = {}
        for one in self.objects:
            self.by_kind.setdefault(one.kind.lower(), []).append(one)

    def fresh(self):
        """The same model without changes."""
        self.edits = []
        return self

    def all(self, kind):
        return self.by_kind.get(kind.lower(), [])

    def named(self, name, *kinds):
        return next((one for kind in kinds for one in self.all(kind) if one.name.lower() == name.lower()), None)

    def beginning(self, *starts):
        starts = tuple(start.lower() for start in starts)
        return [one for kind, all_of in self.by_kind.items() if kind.startswith(starts) for one in all_of]

    def put(self, one, at, value):
        """Another value at a position."""
        self.edits.append((*one.spans[at], value))

    def set(self, one, key, value, group=None):
        at = one.at(key, group)
        if at >= len(one.spans):
            raise LookupError(f"{one.kind} {one.name} has no value for {key}")
        self.put(one, at, value)

    def remove(self, one):
        self.edits.append((one.start, one.end, ""))

    def add(self, text):
        self.edits.append((len(self.text), len(self.text), "\n" + text + "\n"))

    def changed(self):
        """The text with the changes."""
        text = self.text
        for a, b, value in sorted(self.edits, reverse=True):
            text = text[:a] + value + text[b:]
        return text


def misspelt(name, chance):
    """A name with two letters in the wrong order, or one too many."""
    places = [at for at in range(len(name) - 1) if name[at].isalnum() and name[at + 1].isalnum() and name[at].lower() != name[at + 1].lower()]
    if not places:
        return name + "x"
    at = chance.choice(places)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]
