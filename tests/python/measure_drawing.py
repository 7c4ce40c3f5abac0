"""The peer's side of `cargo xtask bench --drawings`: IfcOpenShell draws the plans of all storeys of a model as SVG.

It is asked for what makes a plan: the cut, lines of what is seen beyond with the hidden ones left out, swings of doors, names and areas of rooms.
"""

import json
import resource
import sys
import time

import ifcopenshell
import ifcopenshell.draw


class Clock:
    """CPU seconds of all threads, and wall seconds, since it was made."""

    def __init__(self):
        self.begin = time.process_time(), time.perf_counter()

    def told(self):
        """Both."""
        return {"cpu": time.process_time() - self.begin[0], "wall": time.perf_counter() - self.begin[1]}


def main(path, out):
    """Prints the figures as JSON."""
    whole = Clock()
    model = ifcopenshell.open(path)
    opened = whole.told()
    settings = ifcopenshell.draw.draw_settings(
        door_arcs=True,
        space_names=True,
        space_areas=True,
        hlr_poly=True,
    )
    drawing = ifcopenshell.draw.main(settings, [model], merge_projection=False)
    with open(out, "w", encoding="utf-8") as file:
        file.write(drawing)
    figures = {"open": opened, "all": whole.told(), "bytes": len(drawing)}
    figures["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:])
