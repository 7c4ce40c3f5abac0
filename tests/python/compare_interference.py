"""Interferences beside IfcOpenShell's `geom.tree`: which pairs of elements share space, found by either, and why they differ.

IfcOpenShell looks at triangles: `clash_intersection_many` finds corners of one element inside the other (protrusion) and edges that go
through it (pierce), `clash_collision_many` triangles that cross anywhere but in their edges. Pensaer measures the shared volume. So the two
differ, by reason:

- Elements that only touch collide for IfcOpenShell; so do corners in an opening's reveal. Pensaer says `touching` of the pair, which is checked.
- Identical elements cross nowhere; IfcOpenShell finds nothing.
- Elements whose triangles it finds not manifold have no inside for IfcOpenShell; that is checked.
- Elements whose faces lie in each other's on all sides have no corner inside.

`python compare_interference.py target/debug/examples/geometry A.ifc [B.ifc]`
"""

import json
import subprocess
import sys
from collections import Counter

import ifcopenshell
import ifcopenshell.geom

#: Metres: what goes in less than this only touches.
TOLERANCE = 1e-4
#: Pairs that only Pensaer finds and whose reason is no general one: the reason by GlobalIds.
KNOWN = {}


def elements(model):
    """What can be run into: no openings, spaces, or things without a shape."""
    return [e for e in model.by_type("IfcElement") if e.Representation and not e.is_a("IfcFeatureElementSubtraction")]


def theirs(paths):
    """Pairs of GlobalIds with the kinds of clash that IfcOpenShell finds, and the elements that are not manifold for it."""
    tree = ifcopenshell.geom.tree(backend="opencascade.trianglebvh")
    settings = ifcopenshell.geom.settings()
    sets, broken = [], set()
    for path in paths:
        model = ifcopenshell.open(path)
        wanted = elements(model)
        iterator = ifcopenshell.geom.iterator(settings, model, 2, include=wanted)
        made = set()
        if iterator.initialize():
            while True:
                shape = iterator.get()
                made.add(shape.id)
                tree.add_element(shape)
                if not tree.is_manifold(shape.geometry.faces):
                    broken.add(shape.guid)
                if not iterator.next():
                    break
        sets.append([element for element in wanted if element.id() in made])
    found = {}
    clashes = [*tree.clash_intersection_many(sets[0], sets[-1], TOLERANCE, True)]
    clashes += tree.clash_collision_many(sets[0], sets[-1], False)
    for clash in clashes:
        pair = frozenset((clash.a.get_argument(0), clash.b.get_argument(0)))
        if len(pair) == 2:
            kind = ("protrusion", "pierce", "collision")[clash.clash_type]
            found.setdefault(pair, {})[kind] = clash.distance
    return found, broken


def ours(program, paths):
    """Findings by pair of GlobalIds, touching ones too, and the totals."""
    command = [*program, *paths, "touching=1", f"tolerance={TOLERANCE}"]
    lines = [json.loads(line) for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()]
    return {frozenset((line["a"][0], line["b"][0])): line for line in lines[:-1]}, lines[-1]


def reason(pair, mine, their, broken):
    """Why only one of the two finds a pair; nothing where no reason is known."""
    if mine is None or mine["kind"] == "touching":
        if mine is None:
            return None
        return "only touches" if "collision" in their and len(their) == 1 else "has corners in the other's faces, and no more"
    if mine["kind"] == "duplicate":
        return "is there twice"
    if pair & broken:
        return "is not manifold for IfcOpenShell"
    return KNOWN.get(pair)


def compare(program, paths):
    """Figures of one file or two: pairs found by both, by either alone with the reason, and those without one."""
    found, totals = ours(program, paths)
    hard = {pair: line for pair, line in found.items() if line["kind"] != "touching"}
    their, broken = theirs(paths)
    figures = {"files": paths, "both": len(hard.keys() & their.keys()), "totals": totals, "ours": Counter(), "theirs": Counter()}
    figures["unknown"] = []
    for pair in sorted(hard.keys() ^ their.keys(), key=sorted):
        why = reason(pair, found.get(pair), their.get(pair), broken)
        figures["ours" if pair in hard else "theirs"][why] += 1
        if why is None:
            figures["unknown"].append({"pair": sorted(pair), "ours": found.get(pair), "theirs": their.get(pair)})
    depths = [(hard[pair].get("depth"), their[pair]) for pair in hard.keys() & their.keys()]
    same = [depth for depth, kinds in depths if depth and any(abs(depth - their) < 1e-4 for their in kinds.values())]
    figures["depths"] = f"{len(same)} of {len(depths)} depths agree"
    return figures


def main():
    program, *paths = sys.argv[1:]
    figures = compare([program, "clashes"], paths)
    print(f"both {figures['both']}; only Pensaer {dict(figures['ours'])}; only IfcOpenShell {dict(figures['theirs'])}; {figures['depths']}")
    for one in figures["unknown"]:
        print(json.dumps(one))
    print(figures["totals"])
    return 1 if figures["unknown"] else 0


if __name__ == "__main__":
    sys.exit(main())
