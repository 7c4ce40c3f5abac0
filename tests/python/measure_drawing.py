"""The peer's side of `cargo xtask bench --drawings`: IfcOpenShell draws the plans of all storeys of a model as SVG.

It is asked for what makes a plan: the cut, lines of what is seen beyond with the hidden ones left out, swings of doors, names and areas of rooms.
The settings are those of `ifcopenshell.draw.main`; its serializer is called without that, since `main` also makes a search tree that a plan has no
use for. The shapes are timed apart, so that the drawing alone can be compared, too.
"""

import json
import resource
import sys
import time

import ifcopenshell
import ifcopenshell.geom


class Clock:
    """CPU seconds of all threads, and wall seconds, since it was made."""

    def __init__(self):
        self.begin = time.process_time(), time.perf_counter()

    def told(self):
        """Both."""
        return {"cpu": time.process_time() - self.begin[0], "wall": time.perf_counter() - self.begin[1]}


# what is drawn, and how: 1:100 on A3, cut by the serializer's rule at 1.2 m over every storey
SETTINGS = {
    "dimensionality": ifcopenshell.ifcopenshell_wrapper.SURFACES_AND_SOLIDS,
    "iterator-output": ifcopenshell.ifcopenshell_wrapper.NATIVE,
    "apply-default-materials": True,
    "section-height-from-storeys": True,
    "svg-write-poly": True,
    "svg-xmlns": True,
    "svg-project": True,
    "svg-poly": True,
    "svg-prefilter": True,
    "svg-unify-inputs": True,
    "bounds": "297.0x420.0",
    "scale": "0.01",
    "print-space-names": True,
    "print-space-areas": True,
    "door-arcs": True,
}


def main(path, out):
    """Prints the figures as JSON."""
    whole = Clock()
    model = ifcopenshell.open(path)
    opened = whole.told()
    settings = ifcopenshell.geom.settings(ELEMENT_HIERARCHY=True)
    for name, value in SETTINGS.items():
        settings.set(name, value)
    shapes = Clock()
    iterator = ifcopenshell.geom.iterator(settings, model, exclude=["IfcOpeningElement"])
    elements = list(iterator)
    meshed = shapes.told()
    drawn = Clock()
    buffer = ifcopenshell.geom.serializers.buffer()
    serializer = ifcopenshell.geom.serializers.svg(buffer, settings)
    serializer.setFile(model)
    for element in elements:
        serializer.write(element)
    serializer.finalize()
    drawing = buffer.get_value()
    with open(out, "w", encoding="utf-8") as file:
        file.write(drawing)
    figures = {"open": opened, "mesh": meshed, "draw": drawn.told(), "all": whole.told()}
    # the storeys that have something on them, and what says that the job was done
    figures["plans"] = drawing.count('class="IfcBuildingStorey"')
    figures["projections"] = drawing.count('class="projection"')
    figures["bytes"] = len(drawing)
    figures["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:])
