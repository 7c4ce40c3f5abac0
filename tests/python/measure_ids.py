"""The peer's side of `cargo xtask bench --ids`: ifctester checks all cases of a suite in one process, or one document against one model.

What it makes once and keeps, its imports and the XML Schema of IDS, is made before and not counted.
"""

import json
import pathlib
import resource
import sys
import time

import ifcopenshell
from ifctester import ids

STEPS = ("open", "read", "check")


class Times:
    """CPU seconds of each step, summed over files, and of the whole."""

    def __init__(self):
        self.begin = time.process_time()
        self.spent = dict.fromkeys(STEPS, 0.0)

    def of(self, step, work):
        """What `work` returns; an error counts with the time until it."""
        begin = time.process_time()
        try:
            return work()
        finally:
            self.spent[step] += time.process_time() - begin

    def figures(self):
        """All of them by name."""
        return self.spent | {"cpu": time.process_time() - self.begin}


def checked(times, model, file):
    """The document with its results; its own reader and checker may fail on what they do not know."""
    opened = times.of("open", lambda: ifcopenshell.open(str(model)))
    document = times.of("read", lambda: ids.open(str(file)))
    times.of("check", lambda: document.validate(opened))
    return document


def is_met(document):
    """Whether no specification failed."""
    return all(specification.status is not False for specification in document.specifications)


def cases(folder, rounds="1"):
    """The figures of all cases whose names begin with `pass-` or `fail-`, in the quickest of several rounds."""
    return min((one_round(folder) for _ in range(int(rounds))), key=lambda figures: figures["cpu"])


def one_round(folder):
    """The figures of one round."""
    times, right, fell, count = Times(), 0, 0, 0
    for file in sorted(pathlib.Path(folder).rglob("*.ids")):
        kind = file.name.split("-")[0]
        if kind not in ("pass", "fail"):
            continue
        count += 1
        try:
            right += is_met(checked(times, file.with_suffix(".ifc"), file)) == (kind == "pass")
        except Exception:  # whatever its author did not think of
            fell += 1
    return times.figures() | {"cases": count, "right": right, "fell": fell}


def one(model, file):
    """The figures of one document and one model."""
    times = Times()
    document = checked(times, model, file)
    figures = times.figures()
    requirements = [own for specification in document.specifications for own in specification.requirements]
    failed = [len(own.failures) for own in requirements]
    counts = {"requirements": len(requirements), "failed": sum(failed), "failed_by_requirement": failed}
    return figures | counts


def main(task, *arguments):
    """Prints the figures as JSON."""
    ids.get_schema()
    figures = {"cases": cases, "one": one}[task](*arguments)
    figures["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:])
