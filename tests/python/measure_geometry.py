"""The peers' side of the geometry part of `cargo xtask bench`: opens a file and meshes its products on all processors.

usage: measure_geometry.py cgal|opencascade|slopifc FILE [uncut]
"""

import json
import os
import resource
import sys
import time


def timed(work):
    """What `work` returns, with its CPU time (all threads) and wall time."""
    cpu, wall = time.process_time(), time.perf_counter()
    value = work()
    return value, {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}


def ifcopenshell(kernel, path, uncut):
    """IfcOpenShell's iterator."""
    import ifcopenshell
    import ifcopenshell.geom

    model, opened = timed(lambda: ifcopenshell.open(path))
    settings = ifcopenshell.geom.settings()
    settings.set("disable-opening-subtractions", uncut)

    def mesh():
        products = triangles = 0
        shapes = ifcopenshell.geom.iterator(
            settings, model, os.cpu_count(), exclude=("IfcOpeningElement",), geometry_library=kernel
        )
        more = shapes.initialize()
        while more:
            products += 1
            triangles += len(shapes.get().geometry.faces) // 3
            more = shapes.next()
        return products, triangles

    (products, triangles), meshed = timed(mesh)
    return {"open": opened, "mesh": meshed, "products": products, "triangles": triangles}


def slopifc(path, uncut):
    """slopifc: unique meshes and where they stand."""
    import slopifc

    model, opened = timed(lambda: slopifc.open(path))
    options = slopifc.GeometryOptions(subtract_openings=not uncut, diagnostics="best_effort")
    scene, meshed = timed(lambda: model.prepare_geometry(options))
    return {"open": opened, "mesh": meshed, "products": len(scene.entities), "meshes": len(scene.geometries)}


def main(engine, path, uncut=""):
    """Prints the figures as JSON."""
    kernels = {"cgal": "hybrid-cgal-simple-opencascade", "opencascade": "opencascade"}
    if engine in kernels:
        figures = ifcopenshell(kernels[engine], path, uncut == "uncut")
    else:
        figures = slopifc(path, uncut == "uncut")
    figures["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:4])
