"""The peer's side of `cargo xtask bench --spatial`: IfcOpenShell makes the shapes of spaces and finds which spaces are near each other."""

import json
import multiprocessing
import resource
import sys
import time

import ifcopenshell
import ifcopenshell.geom

# the thickness of a wall between two rooms, in metres
NEAR = 0.4


def main():
    """Prints a line of JSON with milliseconds of wall time."""
    model = ifcopenshell.open(sys.argv[1])
    begun = time.perf_counter()
    settings = ifcopenshell.geom.settings()
    spaces = model.by_type("IfcSpace")
    iterator = ifcopenshell.geom.iterator(settings, model, multiprocessing.cpu_count(), include=spaces)
    tree = ifcopenshell.geom.tree(backend="opencascade.trianglebvh")
    if iterator.initialize():
        while True:
            tree.add_element(iterator.get())
            if not iterator.next():
                break
    near = tree.clash_clearance_many(spaces, spaces, clearance=NEAR, check_all=False)
    pairs = {frozenset((clash.a.get_argument(0), clash.b.get_argument(0))) for clash in near}
    spent = (time.perf_counter() - begun) * 1e3
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"wall": spent, "pairs": len(pairs), "spaces": len(spaces), "peak_mb": peak}))


if __name__ == "__main__":
    main()
