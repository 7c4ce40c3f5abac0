"""The peer's side of `cargo xtask bench --clash`: ifcclash opens two files, makes their shapes and finds what intersects.

usage: measure_clash.py A.ifc B.ifc
"""

import json
import logging
import resource
import sys
import time

from ifcclash.ifcclash import Clasher, ClashSettings


def clasher():
    """An ifcclash that tells nothing."""
    settings = ClashSettings()
    settings.logger = logging.getLogger("ifcclash")
    return Clasher(settings)


def found(program, first, second, mode):
    """The clashes of two files by the pair of GlobalIds: by `intersection`, of every point that lies in the other, or by `collision`."""
    wanted = {"name": mode, "a": [{"file": first}], "b": [{"file": second}], "mode": mode}
    program.clash_sets = [wanted | {"tolerance": 0.0, "check_all": True, "allow_touching": False}]
    program.clash()
    clashes = program.clash_sets[0]["clashes"].values()
    return {frozenset((clash["a_global_id"], clash["b_global_id"])): clash for clash in clashes}


def timed(work):
    """What `work` returns, with its CPU time (all threads) and wall time."""
    cpu, wall = time.process_time(), time.perf_counter()
    value = work()
    return value, {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}


def main(first, second):
    """Prints the figures as JSON: all of it, and the clashes alone once the shapes are in the tree."""
    program = clasher()
    pairs, everything = timed(lambda: found(program, first, second, "intersection"))
    elements = [[*program.groups[name]["elements"].values()] for name in "ab"]
    _, alone = timed(lambda: program.tree.clash_intersection_many(*elements, tolerance=0.0, check_all=True))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"all": everything, "clashes": alone, "pairs": len(pairs), "peak_mb": peak}))


if __name__ == "__main__":
    main(*sys.argv[1:3])
