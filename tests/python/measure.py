"""The peer's side of `cargo xtask bench`: IfcOpenShell opens a file, is asked what our kernel is, makes one edit, saves."""

import json
import resource
import sys
import time

import ifcopenshell
import ifcopenshell.util.selector

RATED = 'IfcWall, location="Level 2", Pset_WallCommon.FireRating=EI60'


def timed(work):
    """What `work` returns, with its CPU and wall time."""
    cpu, wall = time.process_time(), time.perf_counter()
    value = work()
    return value, {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}


def edit(wall):
    """Renames a wall."""
    wall.Name = "measured"


def main(source, target):
    """Prints the figures as JSON."""
    model, opened = timed(lambda: ifcopenshell.open(source))
    walls, counted = timed(lambda: model.by_type("IfcWall"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    _, by_guid = timed(lambda: model.by_guid(walls[0].GlobalId))
    found, cold = timed(lambda: ifcopenshell.util.selector.filter_elements(model, RATED))
    _, warm = timed(lambda: ifcopenshell.util.selector.filter_elements(model, RATED))
    timed(lambda: edit(walls[0]))
    _, saved = timed(lambda: model.write(target))
    figures = {
        "open": opened,
        "count": counted,
        "guid": by_guid,
        "query_cold": cold,
        "query_warm": warm,
        "save": saved,
        "peak_mb": peak,
        "walls": len(walls),
        "found": len(found),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:3])
