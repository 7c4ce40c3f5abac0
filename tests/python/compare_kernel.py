"""Reads files with Pensaer's kernel and with IfcOpenShell and compares what they hold: instances, attribute values, inverse
attributes, property sets with inheritance, world placements, types, containers, materials and other relations, values of
paths, units, georeference, and the classes that property-set templates are for.

    cargo build -p ifc --example dump
    python tests/python/compare_kernel.py target/debug/examples/dump FILE.ifc …

Prints every kind of difference with examples and makes the exit code 1. Differences where IfcOpenShell is wrong are known by
a rule with its reason (see `Known`), counted and printed, and are no failures.
"""

import collections
import json
import math
import re
import subprocess
import sys

import ifcopenshell
import ifcopenshell.util.classification as classification
import ifcopenshell.util.element as element_util
import ifcopenshell.util.geolocation as geolocation
import ifcopenshell.util.placement as placement_util
import ifcopenshell.util.selector as selector
import ifcopenshell.util.system as system
import ifcopenshell.util.unit as unit_util
import numpy
from ifcopenshell.util.pset import PsetQto

Instance = ifcopenshell.entity_instance

#: Paths whose values are compared for every product and type.
PATHS = """
x
rotation_x
rotation_y
rotation_z
easting
northing
elevation
styles
profiles
storey.Name
space
building.GlobalId
site.RefLatitude
parent.class
type.Name
occurrences.count
material
materials
material.item
material.item.0.LayerThickness
material.item.Material.Name
predefined_type
classification.count
group
zone
/Pset_.*Common/.IsExternal
/.*/.Reference
Pset_WallCommon
Qto_WallBaseQuantities
BaseQuantities.Height
OwnerHistory.OwningUser.ThePerson.FamilyName
Representation.Representations.Items.class
""".split()


class Known:
    """Differences where IfcOpenShell is wrong, by what they are called, with how often they were met."""

    REASONS = {
        "axes not square": "it takes a RefDirection that is not at right angles to the Axis as it stands; IfcBuildAxes "
        "(ISO 16739-1, 8.9.4) makes it perpendicular",
        "parallel axes": "it divides by nought where RefDirection and Axis are parallel, or only the Axis is given and is x",
        "placement on a grid": "its util.placement fails on IfcGridPlacement and what stands on one",
        "placement without location": "its util.placement fails where the placement's axes or their location are missing",
        "mass in grams": "it counts masses in grams, so a kilogram is 1000; the SI unit is the kilogram",
        "style assignment": "its get_styles does not look into IfcPresentationStyleAssignment, through which IFC2X3 and most files "
        "of IFC4 give every style",
        "too few values": "an instance has fewer values than its class has attributes; it fills up with None, ours are as they stand",
        "too many values": "an instance has more values than its class has attributes; it drops the rest, ours are as they stand",
        "wrong enumeration item": "it drops an item that the enumeration does not have, ours are as they stand",
        "value of another type": "it drops a value that is not of the attribute's type, ours are as they stand",
        "reference to nowhere": "it drops references to instances that are not in the file, ours are as they stand",
        "segment by parameter": "it takes the IfcParameterValue of a segment of a circle for a length, not for an angle",
        "map conversion of the site": "in IFC2X3 it reads the property set of the project only; exporters give it to the site too",
        "reference property": "its get_property fails on IfcPropertyReferenceValue, and get_psets leaves them out; ours have them",
        "relation of a class without the inverse": "it finds relations by inverse attributes, so a relation that the schema does "
        "not allow for a class, such as a contained space, is not there",
        "failed": "it raises an exception",
        "blank before the class": "templates of IFC4 write `IfcSpace, IfcZone`; it does not strip the blank",
        "types of flow elements": "its table gives the classes of flow and control elements every distribution element type",
    }

    def __init__(self):
        self.met = collections.Counter()

    def __call__(self, name):
        assert name in self.REASONS, name
        self.met[name] += 1


class Differences:
    """What differs, by kind, with a few examples of each."""

    def __init__(self):
        self.kinds = collections.defaultdict(list)
        self.compared = collections.Counter()

    def check(self, kind, where, ours, theirs):
        self.compared[kind] += 1
        if not same(ours, theirs):
            self.kinds[kind].append(f"{where}: ours {short(ours)}, theirs {short(theirs)}")

    def report(self):
        for kind, examples in sorted(self.kinds.items()):
            print(f"  {kind}: {len(examples)} of {self.compared[kind]} differ")
            for example in examples[:4]:
                print(f"    {example}")


def short(value):
    text = json.dumps(value, default=str)
    return text if len(text) < 160 else text[:160] + " …"


def same(ours, theirs):
    """Equal, numbers to fourteen digits."""
    if type(ours) is type(theirs) and ours == theirs:
        return True
    if isinstance(ours, bool) or isinstance(theirs, bool):
        return ours is theirs
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        return ours == theirs or math.isclose(ours, theirs, rel_tol=1e-13, abs_tol=1e-300)
    if isinstance(ours, (list, tuple)) and isinstance(theirs, (list, tuple)):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(same(value, theirs[key]) for key, value in ours.items())
    return ours == theirs


def plain(value):
    """An attribute value of IfcOpenShell as the dump writes it."""
    if isinstance(value, Instance):
        return f"#{value.id()}" if value.id() else {"type": value.is_a(), "value": plain(value.wrappedValue)}
    if isinstance(value, (tuple, list)):
        return [plain(member) for member in value]
    return value


def bits(digits):
    """A binary between its quotes, as IfcOpenShell has it: a string of noughts and ones."""
    return bin(int("1" + digits[1:], 16))[3 + int(digits[0]) :]


def attribute(ours, theirs):
    """Ours in the form of theirs, where the two write one thing in two ways."""
    if isinstance(ours, str) and isinstance(theirs, str) and ours != theirs and set(theirs) <= {"0", "1"}:
        return bits(ours)
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return [attribute(a, b) for a, b in zip(ours, theirs)]
    return ours


def dump(program, *arguments, text=None):
    done = subprocess.run([program, *arguments], input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def settled(instance, at, ours, theirs, model, known):
    """Our value as IfcOpenShell would have it, where the file says what it cannot hold."""

    def missing(value):
        if not (isinstance(value, str) and re.fullmatch(r"#[0-9]+", value)):
            return False
        try:
            return model.by_id(int(value[1:])) is None
        except RuntimeError:
            return True

    if theirs is None and missing(ours):
        known("reference to nowhere")
        return None
    if isinstance(ours, list) and isinstance(theirs, list) and len(theirs) < len(ours):
        known("reference to nowhere")
        return [member for member in ours if not missing(member)]
    declared = instance.attribute_type(at)
    if theirs is None and isinstance(ours, str) and declared == "ENUMERATION":
        kind = instance.declaration.attribute_by_index(at).type_of_attribute().declared_type()
        if ours not in kind.enumeration_items():
            known("wrong enumeration item")
            return None
    if theirs is None and ours is not None and declared in ("BOOL", "LOGICAL", "INT", "DOUBLE") and isinstance(ours, str):
        known("value of another type")
        return None
    return ours


def compare_instances(program, path, model, found, known):
    """The same instances of the same classes with the same attributes and inverse attributes."""
    schema = ifcopenshell.schema_by_name(model.schema_identifier)
    inverses = {}
    seen = set()
    for number, name, attributes, referrers in dump(program, "instances", path):
        seen.add(number)
        try:
            theirs = model.by_id(number)
        except RuntimeError:
            found.check("instance", f"#{number}", name, None)
            continue
        found.check("class", f"#{number}", name, theirs.is_a())
        values = [plain(value) for value in theirs]
        if len(attributes) < len(values):
            known("too few values")
            attributes += [None] * (len(values) - len(attributes))
        elif len(attributes) > len(values):
            known("too many values")
            del attributes[len(values) :]
        attributes = attribute(attributes, values)
        if not same(attributes, values):
            pairs = enumerate(zip(attributes, values))
            attributes = [settled(theirs, at, mine, value, model, known) for at, (mine, value) in pairs]
        found.check("attributes", f"#{number}={name}", attributes, values)
        if name not in inverses:
            entity = schema.declaration_by_name(name).as_entity()
            inverses[name] = [inverse.name() for inverse in entity.all_inverse_attributes()]
        names = inverses[name]
        expected = {}
        if names:
            for inverse in names:
                ids = sorted({other.id() for other in getattr(theirs, inverse)})
                if ids:
                    expected[inverse] = ids
        found.check("inverses", f"#{number}={name}", referrers, expected)
    found.check("instances", path, len(seen), len({instance.id() for instance in model}))


def values_of(value):
    """A property as IfcOpenShell's get_psets has it, with what a property says and without what it is."""
    if isinstance(value, dict):
        kind = value.get("type")
        if kind == "IfcPropertyBoundedValue":
            names = ("LowerBoundValue", "UpperBoundValue", "SetPointValue")
            return {name: unwrapped(value.get(name)) for name in names}
        if kind == "IfcPropertyTableValue":
            return {name: unwrapped(value.get(name) or ()) for name in ("DefiningValues", "DefinedValues")}
        if "properties" in value:
            return {"properties": {name: values_of(part) for name, part in value["properties"].items()}}
    return unwrapped(value)


def unwrapped(value):
    if isinstance(value, Instance):
        return f"#{value.id()}" if value.id() else value.wrappedValue
    if isinstance(value, (tuple, list)):
        return [unwrapped(member) for member in value]
    return value


def attempt(work, known):
    """What IfcOpenShell answers, or that it failed."""
    try:
        return work()
    except Exception:  # an error inside of IfcOpenShell is no answer to compare with
        known("failed")
        return Ellipsis


def number(instance):
    return instance.id() if instance is not None else None


def numbers(instances):
    return sorted(instance.id() for instance in instances)


def compare_elements(program, path, model, found, known):
    """Property sets, placements and relations as the utilities of IfcOpenShell report them."""
    lines = dump(program, "elements", path)
    for ours in lines[:-1]:
        theirs = model.by_id(ours["id"])
        where = f"#{ours['id']}={theirs.is_a()}"

        def check(kind, work, mine=None):
            expected = attempt(work, known)
            if expected is not Ellipsis:
                found.check(kind, where, ours[kind] if mine is None else mine, expected)

        psets = attempt(lambda: element_util.get_psets(theirs), known)
        if psets is not Ellipsis:
            expected = {
                name or "": {key or "": values_of(value) for key, value in properties.items()}
                for name, properties in psets.items()
            }
            found.check("psets", where, ours["psets"], expected)
        if not theirs.is_a("IfcObjectDefinition"):
            continue
        check("type", lambda: number(element_util.get_type(theirs)))
        if ours["container"] and theirs.is_a("IfcSpatialStructureElement"):
            known("relation of a class without the inverse")
            continue
        check("container", lambda: number(element_util.get_container(theirs)))
        check("parent", lambda: number(element_util.get_parent(theirs)))
        check("material", lambda: number(element_util.get_material(theirs, should_skip_usage=True)))
        materials = lambda: [m.id() for m in element_util.get_materials(theirs) if m is not None]
        check("materials", materials)
        check("groups", lambda: numbers(element_util.get_groups(theirs)), sorted(ours["groups"]))
        check("systems", lambda: numbers(system.get_element_systems(theirs)), sorted(ours["systems"]))
        check("zones", lambda: numbers(system.get_element_zones(theirs)), sorted(ours["zones"]))
        references = lambda: numbers(classification.get_references(theirs))
        check("classification", references, sorted(ours["classification"]))
        check("parts", lambda: numbers(element_util.get_parts(theirs)), sorted(ours["parts"]))
        check("ports", lambda: numbers(system.get_ports(theirs)), sorted(ours["ports"]))
        check("referenced", lambda: numbers(element_util.get_referenced_structures(theirs)), sorted(ours["referenced"]))
        check("predefined_type", lambda: element_util.get_predefined_type(theirs))
        compare_placement(theirs, ours, where, found, known)
    compare_units(model, lines[-1], found, known)


def chain(placement):
    """A placement and those that it stands on."""
    while placement is not None:
        yield placement
        placement = getattr(placement, "PlacementRelTo", None)


def is_square(axes):
    """Whether the axes of a placement are at right angles as they stand."""
    z = axes.Axis.DirectionRatios if getattr(axes, "Axis", None) else (0.0, 0.0, 1.0)
    x = axes.RefDirection.DirectionRatios if getattr(axes, "RefDirection", None) else (1.0, 0.0, 0.0)
    z, x = numpy.array((*z, 0.0)[:3]), numpy.array((*x, 0.0)[:3])
    return abs(z @ x) <= 1e-9 * numpy.linalg.norm(z) * numpy.linalg.norm(x)


def is_by_parameter(steps):
    """Whether a placement stands on a curve of which a segment is measured by parameter."""
    segments = {
        segment
        for step in steps
        if step.is_a("IfcLinearPlacement")
        for segment in step.file.by_type("IfcCurveSegment")
        if segment.SegmentLength.is_a("IfcParameterValue")
    }
    return bool(segments)


def compare_placement(theirs, ours, where, found, known):
    placement = getattr(theirs, "ObjectPlacement", None)
    if placement is None:
        return
    steps = list(chain(placement))
    if any(step.is_a("IfcGridPlacement") for step in steps):
        known("placement on a grid")
        return
    if any(getattr(step, "RelativePlacement", None) is None for step in steps):
        known("placement without location")
        return
    matrix = attempt(lambda: placement_util.get_local_placement(placement), known)
    if matrix is Ellipsis:
        return
    mine = numpy.array(ours["placement"])
    size = max(1.0, float(numpy.abs(matrix[:3, 3]).max()))
    scale = numpy.array([1.0, 1.0, 1.0, size])
    close = numpy.allclose(mine / scale, matrix[:3] / scale, rtol=0, atol=1e-9)
    if not close and is_by_parameter(steps):
        known("segment by parameter")
        return
    if not close and not all(is_square(step.RelativePlacement) for step in steps):
        known("axes not square" if numpy.isfinite(matrix).all() else "parallel axes")
        return
    found.check("placement", where, mine.tolist() if not close else True, matrix[:3].tolist() if not close else True)


def compare_units(model, ours, found, known):
    """How many SI units a unit is, and where the model stands."""
    for kind, scale in ours["units"].items():
        if kind == "MONETARYUNIT" or not model.by_type("IfcProject"):
            continue
        theirs = attempt(lambda: unit_util.calculate_unit_scale(model, kind), known)
        if theirs is Ellipsis:
            continue
        if round(theirs / scale, 9) in (1000.0, 0.001):
            known("mass in grams")
        else:
            found.check("units", kind, f"{scale:.11e}", f"{theirs:.11e}")
    points = [(0.0, 0.0, 0.0), (1.0, 2.0, 3.0), (-1000.5, 250.25, 12.0)]
    if not model.by_type("IfcProject"):
        return
    parameters = attempt(lambda: geolocation.get_helmert_transformation_parameters(model), known)
    if parameters is Ellipsis:
        return
    if parameters is None and ours["map"] is not None and model.schema == "IFC2X3":
        known("map conversion of the site")
        return
    found.check("georeference", "has one", ours["map"] is not None, parameters is not None)
    found.check("true north", "angle", round(ours["true_north"], 9), round(geolocation.get_true_north(model), 9))
    if parameters is not None and ours["map"] is not None:
        rounded = lambda many: [[round(float(part), 5) for part in point] for point in many]
        to_map = [geolocation.auto_xyz2enh(model, *point) for point in points]
        from_map = [geolocation.auto_enh2xyz(model, *point) for point in points]
        found.check("georeference", "to the map", rounded(ours["map"]["to_map"]), rounded(to_map))
        found.check("georeference", "from the map", rounded(ours["map"]["from_map"]), rounded(from_map))
        north = geolocation.get_grid_north(model)
        found.check("georeference", "grid north", round(ours["map"]["grid_north"], 9), round(north, 9))


def canonical(value):
    """A value of a path: sets and lists sorted, since the order of inverse attributes is nobody's."""
    if isinstance(value, numpy.generic):
        value = value.item()
    if isinstance(value, float):
        return round(value, 6) + 0.0
    if isinstance(value, Instance):
        return canonical(unwrapped(value))
    if isinstance(value, (list, tuple, set, frozenset)):
        flat = [canonical(member) for member in value]
        return sorted((member for member in flat if member is not None), key=lambda member: json.dumps(member, sort_keys=True))
    if isinstance(value, dict):
        value = values_of(value) if "type" in value or "properties" in value else value
        return {key: canonical(values_of(member)) for key, member in value.items()}
    return value


MAP = {"easting", "northing", "elevation"}
PLACE = MAP | {"x", "rotation_x", "rotation_y", "rotation_z"}


def contained_space(element):
    """Whether an element is, or is in, a part of space that another one contains, which has no inverse attribute for it."""
    contained = set()
    for relation in element.file.by_type("IfcRelContainedInSpatialStructure"):
        contained |= {other for other in relation.RelatedElements if other.is_a("IfcSpatialStructureElement")}
    return bool(contained)


def explained(query, element, ours, theirs, model, known):
    """Whether a difference in the value of a path is known."""
    if query == "styles" and set(theirs) < set(ours) and model.by_type("IfcPresentationStyleAssignment"):
        known("style assignment")
    elif query in MAP and model.schema == "IFC2X3" and not geolocation.get_helmert_transformation_parameters(model):
        known("map conversion of the site")
    elif query in PLACE and is_by_parameter(list(chain(element.ObjectPlacement))):
        known("segment by parameter")
    elif query in PLACE and not all(is_square(step.RelativePlacement) for step in chain(element.ObjectPlacement)):
        known("axes not square")
    elif contained_space(element):
        known("relation of a class without the inverse")
    elif query.startswith("rotation") and abs(abs(ours) - 180) < 1e-6 and abs(ours + theirs) < 1e-6:
        return True  # half a turn either way
    else:
        return False
    return True


def nearly(ours, theirs):
    """The same, or two numbers that went through as many roundings each in its own order."""
    if isinstance(ours, float) and isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-6)
    return same(ours, theirs)


def compare_paths(program, path, model, found, known):
    for query, answers in zip(PATHS, dump(program, "paths", path, text="\n".join(PATHS) + "\n"), strict=True):
        for number, ours in answers:
            theirs = attempt(lambda: selector.get_element_value(model.by_id(number), query), known)
            if theirs is Ellipsis:
                continue
            ours, theirs = canonical(ours), canonical(theirs)
            # nothing is an empty list here and None there
            if not ours and not theirs:
                continue
            if nearly(ours, theirs) or not explained(query, model.by_id(number), ours, theirs, model, known):
                found.check(f"path {query}", f"#{number}", ours, ours if nearly(ours, theirs) else theirs)


def compare_templates(program):
    """The names of the sets for every entity of the three schemas."""
    found, known, sets = Differences(), Known(), {}
    for schema, entity, ours in dump(program, "templates"):
        if schema not in sets:
            sets[schema] = PsetQto(schema)
        reference = sets[schema]
        theirs = set(reference.get_applicable_names(entity, schema=schema))
        blank = {
            template.Name
            for template in reference.get_applicable(schema=schema)
            if re.search(r", ", template.ApplicableEntity or "")
        }
        too_many = {"Pset_SoundGeneration", "Pset_ElementSize"} if "Type" in entity else set()
        if set(ours) - theirs and set(ours) - theirs <= blank:
            known("blank before the class")
        elif theirs - set(ours) and theirs - set(ours) <= too_many:
            known("types of flow elements")
        else:
            found.check("templates", f"{schema} {entity}", sorted(ours), sorted(theirs))
    return found, known


def compare(program, path):
    """What differs between the two readings of a file."""
    found, known = Differences(), Known()
    model = ifcopenshell.open(path)
    compare_instances(program, path, model, found, known)
    compare_elements(program, path, model, found, known)
    compare_paths(program, path, model, found, known)
    return found, known


def is_readable(path):
    """Whether IfcOpenShell opens the file in one of the three schemas as they were published."""
    try:
        return ifcopenshell.open(path).schema_identifier in ("IFC2X3", "IFC4", "IFC4X3_ADD2")
    except Exception:
        return False


def main(program, paths):
    failed = False
    for path in paths:
        found, known = compare(program, path)
        total = sum(found.compared.values())
        print(f"{path}: {total} compared, {sum(map(len, found.kinds.values()))} differ, known {dict(known.met)}", flush=True)
        found.report()
        failed |= bool(found.kinds)
    found, known = compare_templates(program)
    print(f"templates: {found.compared['templates']} classes agree but for {len(found.kinds)}, known {dict(known.met)}")
    found.report()
    return failed or bool(found.kinds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
