"""Edits real models with IfcOpenShell, writes them under other ids and in its own format, and compares what Pensaer says
has changed with what IfcOpenShell says of each element before and after, and with ifcdiff where that is installed.

    cargo build --release -p ifc --example ifc
    python tests/python/compare_diff.py target/release/examples/ifc MODEL.ifc …

Every difference is shown and makes the exit code 1. What ifcdiff says otherwise is explained in KNOWN.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import ifcopenshell
import ifcopenshell.api.pset
import ifcopenshell.api.root
import ifcopenshell.util.element as util
import ifcopenshell.util.placement as placement
import ifcopenshell.util.unit as unit
import numpy

# what ifcdiff leaves out or adds, and why we differ from it on purpose
KNOWN = """
- ifcdiff compares IfcElement, IfcFeatureElement and, by choice, IfcSpatialStructureElement only: types, groups and the project
  are not in it.
- its "geometry" compares placements and representation ids with each other; moved and reshaped are one to it.
- it does not list a wall of the Duplex and one of IfcOpenHouse that was moved by 1.5 m through a placement of its own;
  IfcOpenShell's placements of both files say that it moved.
- with "property" it compares sets as dictionaries that hold instance ids, unless told not to.
"""


def things(model):
    """Everything that a person would name, by GlobalId."""
    return {thing.GlobalId: thing for thing in model.by_type("IfcObjectDefinition")}


def world(thing, scale):
    """Where a product stands, in mm; the identity for one without a placement."""
    if not thing.is_a("IfcProduct") or not thing.ObjectPlacement:
        return numpy.eye(4)
    matrix = numpy.array(placement.get_local_placement(thing.ObjectPlacement), dtype=float)
    matrix[:3, 3] *= scale * 1000
    return matrix


def without_ids(value):
    """Property sets without the ids of instances."""
    if isinstance(value, dict):
        return {key: without_ids(inner) for key, inner in value.items() if key != "id"}
    if isinstance(value, ifcopenshell.entity_instance):
        return value.is_a()
    return value


def sets_of(thing):
    return without_ids(util.get_psets(thing))


def state(model):
    """What is said of each thing, for comparing two files."""
    scale = unit.calculate_unit_scale(model)
    said = {}
    for guid, thing in things(model).items():
        material = util.get_material(thing, should_skip_usage=True)
        container = util.get_container(thing, should_get_direct=True) if thing.is_a("IfcElement") else None
        kind = util.get_type(thing)
        said[guid] = {
            "world": world(thing, scale),
            "name": thing.Name,
            "properties": sets_of(thing),
            "container": container and container.GlobalId,
            "type": kind and kind.GlobalId,
            "material": material and material.is_a(),
        }
    return said


def edit(model):
    """A few changes of each kind; what a model does not have is left out."""
    walls = model.by_type("IfcWall") or model.by_type("IfcBuildingElement")
    ifcopenshell.api.root.create_entity(model, ifc_class="IfcWall", name="Added by script")
    if len(walls) > 1:
        walls[1].Name = "Renamed by script"
    if len(walls) > 2 and walls[2].ObjectPlacement:
        axes = walls[2].ObjectPlacement.RelativePlacement
        x, y, z = (list(axes.Location.Coordinates) + [0.0])[:3]
        moved = model.create_entity("IfcCartesianPoint", (x + 1.5, y, z))
        axes = model.create_entity("IfcAxis2Placement3D", moved, axes.Axis, axes.RefDirection)
        on = walls[2].ObjectPlacement.PlacementRelTo
        walls[2].ObjectPlacement = model.create_entity("IfcLocalPlacement", on, axes)
    if len(walls) > 3:
        sets = util.get_psets(walls[3], psets_only=True, should_inherit=False)
        if sets:
            name, properties = sorted(sets.items())[0]
            pset = model.by_id(properties["id"])
            ifcopenshell.api.pset.edit_pset(model, pset=pset, properties={"AddedByScript": "yes"})
        else:
            pset = ifcopenshell.api.pset.add_pset(model, product=walls[3], name="Pset_Script")
            ifcopenshell.api.pset.edit_pset(model, pset=pset, properties={"AddedByScript": "yes"})
    doors = model.by_type("IfcFurnishingElement") or model.by_type("IfcDoor")
    if doors:
        ifcopenshell.api.root.remove_product(model, product=doors[-1])


def renumbered(model):
    """The same content under other ids: what refers comes before what is referred to, in another order."""
    other = ifcopenshell.file(schema_version=model.schema_version)
    for instance in sorted(model, key=lambda instance: -instance.id()):
        other.add(instance)
    return other


def expected(before, after):
    """Kinds of change by GlobalId, as IfcOpenShell sees both files."""
    old, new = state(before), state(after)
    found = {guid: {"added"} for guid in new.keys() - old.keys()}
    found |= {guid: {"removed"} for guid in old.keys() - new.keys()}
    for guid in old.keys() & new.keys():
        one, two = old[guid], new[guid]
        kinds = {kind for kind in ("name", "properties", "container", "type", "material") if one[kind] != two[kind]}
        if not numpy.allclose(one["world"], two["world"], atol=1e-5):
            kinds.add("moved")
        if kinds:
            found[guid] = kinds
    return found


def ours(program, before, after):
    """Kinds of change by GlobalId, as Pensaer says; shape and plain attributes are not in the comparison."""
    lines = subprocess.run([*program, before, after, "--elements"], capture_output=True, text=True, check=True).stdout
    figures = json.loads(lines.splitlines()[-1])
    compared = {"added", "removed", "moved", "name", "properties", "container", "type", "material"}
    found = {guid: set(kinds) & compared for guid, kinds in figures["elements"].items()}
    return {guid: kinds for guid, kinds in found.items() if kinds}


def by_ifcdiff(before, after):
    """Added, deleted and changed elements as ifcdiff has them; none where it is not installed."""
    try:
        import ifcdiff
    except ImportError:
        return None
    diff = ifcdiff.IfcDiff(before, after, relationships=["attributes", "type", "container", "geometry"])
    diff.diff()
    return set(diff.added_elements), set(diff.deleted_elements), set(diff.change_register)


def compare(program, path):
    """What is said to have changed and what should be, by GlobalId, and the two models."""
    before = ifcopenshell.open(path)
    after = ifcopenshell.open(path)
    edit(after)
    after = renumbered(after)
    with tempfile.TemporaryDirectory() as folder:
        one, two = str(Path(folder) / "before.ifc"), str(Path(folder) / "after.ifc")
        # our reading of the original as it is, theirs written by another program
        Path(one).write_bytes(Path(path).read_bytes())
        after.write(two)
        return ours(program, one, two), expected(before, after), before, after


def beside_ifcdiff(mine, before, after):
    """What only ifcdiff or only Pensaer says, by kind."""
    reference = by_ifcdiff(before, after)
    if not reference:
        return
    elements = {element.GlobalId for element in before.by_type("IfcElement") + after.by_type("IfcElement")}
    seen = {"added", "removed", "moved", "name", "container", "type"}
    mine = {guid: kinds & seen for guid, kinds in mine.items() if guid in elements}
    added = {guid for guid, kinds in mine.items() if "added" in kinds}
    removed = {guid for guid, kinds in mine.items() if "removed" in kinds}
    changed = {guid for guid, kinds in mine.items() if kinds} - added - removed
    for kind, one, two in zip(("added", "deleted", "changed"), reference, (added, removed, changed), strict=True):
        if one != two:
            yield f"ifcdiff {kind}: only ifcdiff {sorted(one - two)[:5]}, only Pensaer {sorted(two - one)[:5]}"


def main(program, paths):
    wrong = 0
    for path in paths:
        mine, theirs, before, after = compare(program, path)
        for guid in sorted(theirs.keys() | mine.keys()):
            if theirs.get(guid) != mine.get(guid):
                wrong += 1
                print(f"{path}: {guid}: {mine.get(guid)} instead of {theirs.get(guid)}")
        for line in beside_ifcdiff(mine, before, after):
            print(f"{path}: {line}")
        print(f"{Path(path).name}: {len(theirs)} things changed, {wrong} differences so far")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main([sys.argv[1], "compare"], sys.argv[2:]))
