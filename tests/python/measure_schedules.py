"""The peer's side of `cargo xtask bench --schedules`: ifccsv writes the cells of a schedule, and the stored quantities of a take-off, as CSV.

It sums nothing and measures no shape; a take-off of stored quantities by hand begins with such a table.
"""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import ifcopenshell
from ifccsv import IfcCsv

SCHEDULE = [
    "class",
    "Name",
    "type.Name",
    "Pset_WallCommon.IsExternal",
    "Pset_WallCommon.LoadBearing",
    "Pset_WallCommon.FireRating",
]
TAKEOFF = ["class", "type.Name", "/Qto_.*|BaseQuantities/./.*Volume/", "/Qto_.*|BaseQuantities/./.*Area/", "/Qto_.*|BaseQuantities/./Length/"]
MEASURED = ["IfcWall", "IfcSlab", "IfcSpace", "IfcDoor", "IfcWindow"]


def main(path):
    """Prints the times in ms as JSON."""
    begin = time.perf_counter()
    model = ifcopenshell.open(path)
    told = {"open": (time.perf_counter() - begin) * 1e3}
    measured = [element for name in MEASURED for element in model.by_type(name)]
    for task, elements, columns in (("schedule", model.by_type("IfcElement"), SCHEDULE), ("takeoff", measured, TAKEOFF)):
        with tempfile.TemporaryDirectory() as folder:
            begin = time.perf_counter()
            IfcCsv().export(model, elements, list(columns), output=str(Path(folder) / "out.csv"), format="csv")
            told[task] = (time.perf_counter() - begin) * 1e3
    told["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1])
