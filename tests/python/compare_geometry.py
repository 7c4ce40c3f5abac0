"""Compares the shapes that Pensaer makes with IfcOpenShell's, product by product: volume and bounding box.

    python compare_geometry.py [--cache FOLDER] [--limit SECONDS] [--json OUT] PROGRAM MODEL.ifc...

PROGRAM is the example of the crate `geometry`. The reference is made by IfcOpenShell's iterator with both of its kernels,
each in a process of its own with a time limit, and kept in FOLDER by the file's content and IfcOpenShell's version. A product is
*undisputed* where both kernels agree within one percent (boxes also within 5 mm); only there can Pensaer be wrong. What encloses no volume (surfaces) is
compared by its area.

The small models that the tests of the crate are written around are kept by `PENSAER_SMALL_MODELS=FOLDER cargo nextest run -p
geometry tests::` and compared in the same way, one process for each model and kernel; what IfcOpenShell gets wrong there is proved
by the formulas in the tests.

Round things are made of chords by everyone. The reference is asked for many (64 to a turn), so that it is nearer to the truth than
the one percent that is asked of us.
"""

import argparse
import collections
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import ifcopenshell
import ifcopenshell.geom
import numpy

ROOT = Path(__file__).resolve().parents[2]
#: IfcOpenShell's kernels: the usual one, and the one that is exact where faces are flat.
KERNELS = ("opencascade", "hybrid-cgal-simple-opencascade")
#: Written into the names of kept references: another number where they are made differently.
MADE = 3
#: What two programs may differ by.
TOLERANCE = 0.01
#: What is in no picture of the building; IfcOpenShell gives shapes for some of them.
NOT_COMPARED = (
    "IfcFeatureElementSubtraction",
    "IfcGrid",
    "IfcAnnotation",
    "IfcPort",
    "IfcVirtualElement",
    "IfcStructuralItem",
    "IfcStructuralActivity",
)
#: Misses that are understood, by file: the reason, and the products by GlobalId.
KNOWN = {}
#: Misses of small models, by the test that they are of: IfcOpenShell differs from what a formula gives.
KNOWN_SMALL = {
    "a_cap_of_a_sphere_is_the_part_on_the_left_of_its_bound": "IfcOpenShell leaves the face on the sphere out: 0 for πh²(3r - h)/3",
    "a_cone_and_a_turned_line_are_closed_by_their_apex": "not in IFC: IfcOpenShell leaves the face on the cone out",
    "a_cylinder_is_closed_with_a_seam_and_without": "IfcOpenShell leaves a face between two circles out where no seam joins them",
    "a_hole_across_a_cylinder_is_cut_where_its_edges_run": "IfcOpenShell leaves the round faces out: what it draws is open",
    "a_pipe_bend_is_closed_by_its_ends": "IfcOpenShell leaves the face on the torus out: what it draws is open",
    "a_profile_follows_its_directrix_from_one_parameter_to_the_other": "IfcOpenShell sweeps along the whole directrix",
    "a_rational_spline_is_as_round_as_a_cylinder": "IfcOpenShell leaves a face between two circles out where no seam joins them",
    "a_tapered_extrusion_is_a_frustum_whatever_the_chords_of_its_ends": "IfcOpenShell's is open when it is extruded downwards",
    "open_sections_make_a_surface": "IfcOpenShell draws the section to the right and down, solids of sections to the left and up",
    "parameters_go_on_from_one_segment_to_the_next": "IfcOpenShell sweeps along the whole directrix",
    "sections_along_a_curve_make_a_body": "IfcOpenShell's has no ends: what it draws is open",
    "sections_may_stand_askew": "IfcOpenShell's has no ends: what it draws is open",
    "surfaces_have_an_area_and_no_volume": "IfcOpenShell counts the hole in a bounded plane as area",
}


def measure(vertices, triangles, items):
    """Box (m), volume (m³, about the box's middle), area (m²) and whether the triangles close.

    A body that the file gives inside out comes so from IfcOpenShell, beside others of the same product that are the right way round:
    bodies that are closed by themselves are measured one by one, each by its size.
    """
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    a, b, c = (vertices[triangles[:, corner]] - (low + high) / 2 for corner in range(3))
    normals = numpy.cross(b - a, c - a) / 2
    area = float(numpy.linalg.norm(normals, axis=1).sum())
    body = numpy.unique(items, return_inverse=True)[1]
    volumes = numpy.bincount(body, numpy.einsum("ij,ij->i", a, normals) / 3)
    gaps = numpy.linalg.norm([numpy.bincount(body, normals[:, axis]) for axis in range(3)], axis=0)
    closed = gaps < 1e-4 * numpy.bincount(body, numpy.linalg.norm(normals, axis=1))
    return {
        "min": low.tolist(),
        "max": high.tolist(),
        "volume": float(numpy.abs(volumes[closed]).sum() + abs(volumes[~closed].sum())),
        "area": area,
        "closed": bool(area > 0 and numpy.linalg.norm(normals.sum(axis=0)) < 1e-4 * area),
        "triangles": len(triangles),
    }


def opened(path):
    """A file as IfcOpenShell reads it. One that has `*` where nothing is given (House) is mended: a `*` is for what is derived, and
    IfcOpenShell gives up a product over any other."""
    derived = re.compile(r"= *IFC(SIUNIT|GEOMETRICREPRESENTATIONSUBCONTEXT|ORIENTEDEDGE|MIRROREDPROFILEDEF) *\(", re.IGNORECASE)
    lines = Path(path).read_text(encoding="latin-1").splitlines()
    mended = [line if derived.search(line) else re.sub(r"(?<=[(,])\*(?=[,)])", "$", line) for line in lines]
    return ifcopenshell.open(path) if mended == lines else ifcopenshell.file.from_string("\n".join(mended))


def shapes(path, kernel):
    """What IfcOpenShell makes of a file's products, by instance number."""
    settings = ifcopenshell.geom.settings()
    settings.set("use-world-coords", True)
    settings.set("mesher-angular-deflection", 0.1)
    settings.set("circle-segments", 64)
    model = opened(path)
    iterator = ifcopenshell.geom.iterator(settings, model, geometry_library=kernel)
    parts = collections.defaultdict(list)
    if iterator.initialize():
        while True:
            shape = iterator.get()
            vertices = numpy.array(shape.geometry.verts, dtype=float).reshape(-1, 3)
            triangles = numpy.array(shape.geometry.faces, dtype=int).reshape(-1, 3)
            if len(triangles):
                parts[shape.id].append((vertices, triangles, numpy.array(shape.geometry.item_ids, dtype=int)))
            if not iterator.next():
                break
    found = {}
    for product, pieces in parts.items():
        vertices, triangles, items = zip(*pieces, strict=True)
        starts = numpy.cumsum([0] + [len(some) for some in vertices])
        triangles = [some + start for some, start in zip(triangles, starts, strict=False)]
        found[product] = measure(numpy.vstack(vertices), numpy.vstack(triangles), numpy.hstack(items))
    return found


def reference(path, kernel, cache, limit):
    """The reference of one file by one kernel, from the cache where it is there. None for a kernel that failed or took too long."""
    content = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:24]
    kept = Path(cache) / f"{content}-{kernel}-{ifcopenshell.version}-{MADE}.json"
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, __file__, "--reference", kernel, path, str(kept)]
        try:
            subprocess.run(command, timeout=limit, check=True, capture_output=True)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
            kept.write_text(json.dumps({"failed": type(error).__name__}))
    found = json.loads(kept.read_text())
    return None if "failed" in found else {int(product): measures for product, measures in found.items()}


def agree(one, two):
    """What two measurements of one product differ in beyond the tolerance; nothing where they agree."""
    size = numpy.subtract(one["max"], one["min"])
    # of a long wall one percent would be more than its thickness
    reach = min(TOLERANCE * float(numpy.linalg.norm(size)), 0.005) + 1e-4
    ends = numpy.abs(numpy.subtract(one["min"] + one["max"], two["min"] + two["max"]))
    differs = ["box"] if ends.max() > reach else []
    for what in ["volume"] if one["closed"] else ["area"]:
        if abs(one[what] - abs(two[what])) > TOLERANCE * one[what] + 1e-9:
            differs.append(what)
    return differs


def items(product):
    """The kinds of representation item that a product's body is made of."""
    kinds = collections.Counter()

    def walk(item, depth):
        kinds[item.is_a()] += 1
        if item.is_a("IfcMappedItem") and depth < 8:
            for inner in item.MappingSource.MappedRepresentation.Items:
                walk(inner, depth + 1)
        if item.is_a("IfcBooleanResult") and depth < 8:
            walk(item.FirstOperand, depth + 1)
            walk(item.SecondOperand, depth + 1)
        if item.is_a("IfcSweptAreaSolid"):
            kinds[item.SweptArea.is_a()] += 1

    for representation in product.Representation.Representations if product.Representation else ():
        if representation.RepresentationIdentifier in ("Body", "Facetation", None):
            for item in representation.Items:
                walk(item, 0)
    return " ".join(f"{kind}×{count}" if count > 1 else kind for kind, count in kinds.items())


def ours(program, path):
    """What Pensaer makes of a file's products by instance number, and the totals."""
    lines = subprocess.run([*program, path], capture_output=True, text=True, check=True).stdout.splitlines()
    found = [json.loads(line) for line in lines]
    return {product["id"]: product for product in found[:-1]}, found[-1]


def compare(program, path, cache=ROOT / "target" / "ifcopenshell-shapes", limit=300):
    """Figures and misses of one file."""
    mine, totals = ours(program, path)
    one, two = (reference(path, kernel, cache, limit) for kernel in KERNELS)
    figures = {"file": Path(path).stem, "products": len(mine), "undisputed": 0, "right": 0, "totals": totals}
    figures["misses"], figures["disputed"] = [], 0
    if one is None or two is None:
        failed = [kernel for kernel, found in zip(KERNELS, (one, two), strict=True) if found is None]
        return figures | {"without reference": failed}
    model = opened(path)
    small = KNOWN_SMALL.get(figures["file"].rpartition("-")[0])
    known = {guid: reason for reason, guids in KNOWN.get(figures["file"], {}).items() for guid in guids}
    # alignments and buildings have no body; what IfcOpenShell cannot make is among these too
    figures["without"] = len(mine.keys() - (one.keys() & two.keys()))
    for product in sorted(one.keys() & two.keys()):
        thing = model.by_id(product)
        if any(thing.is_a(kind) for kind in NOT_COMPARED):
            continue
        if agree(one[product], two[product]):
            figures["disputed"] += 1
            continue
        figures["undisputed"] += 1
        shape = mine.get(product, {})
        differs = agree(one[product], shape) if "volume" in shape else ["no shape"]
        if not differs:
            figures["right"] += 1
            continue
        figures["misses"].append(
            {
                "id": product,
                "guid": thing.GlobalId,
                "class": thing.is_a(),
                "differs": differs,
                "volumes": [found.get("volume") for found in (shape, one[product], two[product])],
                "areas": [found.get("area") for found in (shape, one[product], two[product])],
                "boxes": [[found.get("min"), found.get("max")] for found in (shape, one[product])],
                "closed": [shape.get("closed"), one[product]["closed"]],
                "items": items(thing),
                "reasons": [f"#{note['item']}: {note['reason']}" for note in shape.get("notes", [])],
                "known": known.get(thing.GlobalId, small),
            }
        )
    return figures


def told(figures):
    """The report of one file."""
    if "without reference" in figures:
        yield f"{figures['file']}: {figures['products']} products, no reference from {', '.join(figures['without reference'])}"
        return
    yield (
        f"{figures['file']}: {figures['products']} products, {figures['undisputed']} undisputed, {figures['right']} right, "
        f"{figures['disputed']} disputed, {figures['without']} without reference; meshed in {figures['totals']['mesh']['cpu']:.3f} s of CPU time"
    )
    for miss in figures["misses"]:
        volumes = " | ".join("–" if volume is None else f"{volume:.6g}" for volume in miss["volumes"])
        yield f"  #{miss['id']} {miss['class']} {miss['guid']}: {', '.join(miss['differs'])}; m³ {volumes}; {miss['items']}"
        for reason in miss["reasons"][:3]:
            yield f"    {reason}"
        if miss["known"]:
            yield f"    known: {miss['known']}"


def main():
    if sys.argv[1:2] == ["--reference"]:
        kernel, path, kept = sys.argv[2:5]
        Path(kept).write_text(json.dumps(shapes(path, kernel)))
        return 0
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cache", default=ROOT / "target" / "ifcopenshell-shapes", help="folder for references")
    parser.add_argument("--limit", type=float, default=300, help="seconds that a kernel may take for a file")
    parser.add_argument("--json", help="file for figures and misses")
    parser.add_argument("program")
    parser.add_argument("models", nargs="+")
    asked = parser.parse_args()
    every = []
    for path in asked.models:
        every.append(compare([asked.program, "shapes"], path, asked.cache, asked.limit))
        print("\n".join(told(every[-1])), flush=True)
    total = {what: sum(figures[what] for figures in every) for what in ("products", "undisputed", "right")}
    unknown = [miss for figures in every for miss in figures["misses"] if not miss["known"]]
    share = 100 * total["right"] / max(1, total["undisputed"])
    print(f"{total['products']} products, {total['undisputed']} undisputed, {total['right']} right ({share:.2f} %)")
    print(f"misses that are not known: {len(unknown)}")
    if asked.json:
        Path(asked.json).write_text(json.dumps(every, indent=1))
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
