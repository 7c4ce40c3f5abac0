"""The peer's side of `cargo xtask bench`: IfcOpenShell opens a file, counts its walls, makes one edit and saves."""

import json
import resource
import sys
import time

import ifcopenshell


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
    _, edited = timed(lambda: edit(walls[0]))
    _, saved = timed(lambda: model.write(target))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = {"open": opened, "count": counted, "edit": edited, "save": saved, "peak_mb": peak, "walls": len(walls)}
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:3])
