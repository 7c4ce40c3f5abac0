"""Reads files with Pensaer's kernel and with IfcOpenShell and compares what they hold: instances, attribute values, inverse
attributes, property sets with inheritance, world placements, types, containers, materials and other relations, values of
paths, units, georeference, and the classes that property-set templates are for.

    cargo build -p ifc --example ifc
    python tests/python/compare_kernel.py target/debug/examples/ifc FILE.ifc …

Prints every kind of difference with examples and makes the exit code 1. Where IfcOpenShell is wrong, it must give our answer
on a copy of the file that is mended in that one respect (`mended.py`), or the difference follows from the file by a rule
(`Known.REASONS`), or IfcOpenShell raises an error for a reason that the file shows (`RAISES`); these are counted by reason,
printed, and are no failures. An error without such a reason is one.
"""

import collections
import json
import math
import pathlib
import re
import subprocess
import sys
import traceback

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
from ifcopenshell.util.shape import get_extrusions

from mended import MENDS, Mended, turns

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

    REASONS = {name: reason for name, (_, reason) in MENDS.items()} | {
        "too few values": "an instance has fewer values than its class has attributes; it fills up with None, ours are as they stand",
        "too many values": "an instance has more values than its class has attributes; it drops the rest, ours are as they stand",
        "wrong enumeration item": "it drops an item that the enumeration does not have, ours are as they stand",
        "value of another type": "it drops a value that is not of the attribute's type, ours are as they stand",
        "reference to nowhere": "it drops references to instances that are not in the file, ours are as they stand",
        "instance nought": "it takes #0 for an instance; names of instances begin at 1 (ISO 10303-21, 6.4.4)",
        "number given twice": "of two instances of one number it lets references lead to the last, ours to the first",
        "no body": "its get_profiles fails for an element without a body, which has no profiles",
        "lists in lists": "its selector does not go through a list of lists, such as the items of all representations",
        "turn by other angles": "half a turn about one axis is as much about the two others: our three angles make the same matrix",
        "operand twice": "one solid is both operands of an IfcBooleanResult, and it counts its style twice",
        "blank before the class": "templates of IFC4 write `IfcSpace, IfcZone`; it does not strip the blank",
        "types of flow elements": "its table gives the classes of flow and control elements every distribution element type",
    }

    def __init__(self):
        self.met = collections.Counter()
        #: Errors of IfcOpenShell that leave nothing to compare with.
        self.raised = collections.Counter()

    def __call__(self, name):
        assert name in self.REASONS, name
        self.met[name] += 1


def has_no_curve(element):
    """Whether a placement in the chain of an element is on a curve that the file does not have."""
    placement = getattr(element, "ObjectPlacement", None)
    points = (step.RelativePlacement.Location for step in chain(placement) if step.is_a("IfcLinearPlacement"))
    return any(point.is_a("IfcPointByDistanceExpression") and point.BasisCurve is None for point in points)


def lacks_items(element):
    """Whether a representation, an item of one or what an item maps is missing, as `$` or as a reference to nowhere."""
    shape = getattr(element, "Representation", None)
    maps = getattr(element, "RepresentationMaps", None) or ()
    representations = shape.Representations if shape else [one and one.MappedRepresentation for one in maps]
    items = [item for one in representations if one is not None for item in one.Items or (None,)]
    maps = [item.MappingSource for item in items if item is not None and item.is_a("IfcMappedItem")]
    contexts = [one and one.ContextOfItems for one in representations]
    materials = element_util.get_materials(element)
    return None in (*representations, *items, *maps, *contexts, *materials)


def has_empty_set(element):
    """Whether the material is a set of constituents without any."""
    material = element_util.get_material(element, should_skip_usage=True)
    return material.is_a("IfcMaterialConstituentSet") and material.MaterialConstituents is None


#: Errors of IfcOpenShell by the function that raises them: what they are for, and what must be so of the element.
RAISES = {
    "create_shape": ("linear placement without a curve", has_no_curve),
    "get_materials": ("set of constituents without any", has_empty_set),
    "get_styles": ("representation without what it must have", lacks_items),
    "resolve_representation": ("representation without what it must have", lacks_items),
    "is_representation_of_context": ("representation without what it must have", lacks_items),
    "get_helmert_transformation_parameters": ("file without a project", lambda element: not element.file.by_type("IfcProject")),
}


class Differences:
    """What differs, by kind, with a few examples of each."""

    def __init__(self):
        self.kinds = collections.defaultdict(list)
        self.compared = collections.Counter()

    def check(self, kind, where, ours, theirs):
        self.compared[kind] += 1
        if not same(ours, theirs):
            self.kinds[kind].append(f"{where}: ours {short(ours)}, theirs {short(theirs)}")

    def ask(self, kind, where, ours, reference, number, work, agree=None):
        """Holds our answer beside what `work` makes of the instance of this number, in the file or a mended copy."""
        agree = agree or same
        theirs, error = None, None
        try:
            theirs = work(reference.model.by_id(number))
        except Exception as raised:  # an error inside of IfcOpenShell is no answer to compare with
            error = raised
        if error is None and agree(ours, theirs):
            self.compared[kind] += 1
        elif reason := reference.mended.agreeing(lambda copy: work(copy.by_id(number)), lambda right: agree(ours, right)):
            self.compared[kind] += 1
            reference.known(reason)
        elif error is None:
            self.compared[kind] += 1
            self.kinds[kind].append(f"{where}: ours {short(ours)}, theirs {short(theirs)}")
        else:
            function = traceback.extract_tb(error.__traceback__)[-1].name
            reason, holds = RAISES.get(function, (None, None))
            if reason and holds(reference.model.by_id(number)):
                reference.known.raised[f"{kind}: {reason}"] += 1
            else:
                self.kinds[kind].append(f"{where}: ours {short(ours)}, {function} raises {error!r}")

    def report(self):
        for kind, examples in sorted(self.kinds.items()):
            print(f"  {kind}: {len(examples)} of {self.compared[kind]} differ")
            for example in examples[:4]:
                print(f"    {example}")


class Reference:
    """A file as IfcOpenShell reads it, with the copies in which it reads it right and what was met."""

    def __init__(self, path, known):
        self.path = path
        self.model = ifcopenshell.open(path)
        self.mended = Mended(path)
        self.known = known
        with open(path, encoding="latin-1") as file:
            self._text = file.read()

    def line(self, number):
        """An instance as the file has it."""
        return re.search(rf"^\s*#{number}\s*=[^;]*", self._text, re.MULTILINE).group()

    def is_twice(self, number):
        return len(re.findall(rf"^\s*#{number}\s*=", self._text, re.MULTILINE)) > 1


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
    done = subprocess.run([*program, *arguments], input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def settled(instance, at, ours, theirs, reference):
    """Our value as IfcOpenShell would have it, where the file says what it cannot hold."""

    model, known = reference.model, reference.known

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
    if theirs is None and isinstance(ours, str):
        is_item = declared != "ENUMERATION" and f".{ours}." in reference.line(instance.id())
        if is_item or declared in ("BOOL", "LOGICAL", "INT", "DOUBLE"):
            known("value of another type")
            return None
    return ours


def compare_instances(program, reference, found):
    """The same instances of the same classes with the same attributes and inverse attributes."""
    model, known = reference.model, reference.known
    schema = ifcopenshell.schema_by_name(model.schema_identifier)
    inverses = {}
    seen = set()
    for number, name, attributes, referrers in dump(program, "instances", reference.path):
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
            attributes = [settled(theirs, at, mine, value, reference) for at, (mine, value) in pairs]
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
    theirs = {instance.id() for instance in model}
    if 0 in theirs:
        known("instance nought")
        theirs.remove(0)
    found.check("instances", reference.path, sorted(seen), sorted(theirs))


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


def number(instance):
    return instance.id() if instance is not None else None


def numbers(instances):
    return sorted(instance.id() for instance in instances)


def psets_of(element):
    return {
        name or "": {key or "": values_of(value) for key, value in properties.items()}
        for name, properties in element_util.get_psets(element).items()
    }


#: What the utilities of IfcOpenShell say of an object, by what the dump calls it.
UTILITIES = {
    "type": lambda element: number(element_util.get_type(element)),
    "container": lambda element: number(element_util.get_container(element)),
    "parent": lambda element: number(element_util.get_parent(element)),
    "material": lambda element: number(element_util.get_material(element, should_skip_usage=True)),
    "materials": lambda element: [one.id() for one in element_util.get_materials(element) if one is not None],
    "groups": lambda element: numbers(element_util.get_groups(element)),
    "systems": lambda element: numbers(system.get_element_systems(element)),
    "zones": lambda element: numbers(system.get_element_zones(element)),
    "classification": lambda element: numbers(classification.get_references(element)),
    "parts": lambda element: numbers(element_util.get_parts(element)),
    "ports": lambda element: numbers(system.get_ports(element)),
    "referenced": lambda element: numbers(element_util.get_referenced_structures(element)),
    "predefined_type": element_util.get_predefined_type,
}


def compare_elements(program, reference, found):
    """Property sets, placements and relations as the utilities of IfcOpenShell report them."""
    known = reference.known
    lines = dump(program, "elements", reference.path)
    for ours in lines[:-1]:
        theirs = reference.model.by_id(ours["id"])
        where = f"#{ours['id']}={theirs.is_a()}"
        found.ask("psets", where, ours["psets"], reference, ours["id"], psets_of)
        if not theirs.is_a("IfcObjectDefinition"):
            continue
        for kind, work in UTILITIES.items():
            mine = sorted(ours[kind]) if isinstance(ours[kind], list) and kind != "materials" else ours[kind]
            if kind == "predefined_type" and dropped_item(theirs, mine, reference):
                known("wrong enumeration item")
            elif kind == "container" and mine and theirs.is_a("IfcSpatialStructureElement"):
                known("relation of a class without the inverse")
                relations = theirs.file.by_type("IfcRelContainedInSpatialStructure")
                found.check(kind, where, [mine], [it.RelatingStructure.id() for it in relations if theirs in it.RelatedElements])
            else:
                found.ask(kind, where, mine, reference, ours["id"], work)
        if getattr(theirs, "ObjectPlacement", None) is not None:
            world = lambda element: placement_util.get_local_placement(element.ObjectPlacement)[:3].tolist()
            found.ask("placement", where, ours["placement"], reference, ours["id"], world, is_same_place)
    compare_units(reference, lines[-1], found)


def dropped_item(element, ours, reference):
    """Whether the predefined type is a word that its enumeration does not have, which IfcOpenShell drops."""
    at = next((at for at in range(len(element)) if element.attribute_name(at) == "PredefinedType"), None)
    if at is None or element[at] is not None or ours is None:
        return False
    items = element.declaration.attribute_by_index(at).type_of_attribute().declared_type().enumeration_items()
    return ours not in items and f".{ours}." in reference.line(element.id())


def chain(placement):
    """A placement and those that it stands on."""
    while placement is not None:
        yield placement
        placement = getattr(placement, "PlacementRelTo", None)


def is_same_place(ours, theirs):
    """The same matrix to nine digits of the farthest coordinate."""
    ours, theirs = numpy.array(ours), numpy.array(theirs)
    size = max(1.0, float(numpy.abs(theirs[:, 3]).max()))
    scale = numpy.array([1.0, 1.0, 1.0, size])
    return numpy.allclose(ours / scale, theirs / scale, rtol=0, atol=1e-9)


def compare_units(reference, ours, found):
    """How many SI units a unit is, and where the model stands."""
    model = reference.model
    if not model.by_type("IfcProject"):
        return
    project = model.by_type("IfcProject")[0]
    for kind, scale in ours["units"].items():
        if kind == "MONETARYUNIT":
            continue
        units = lambda element, kind=kind: f"{unit_util.calculate_unit_scale(element.file, kind):.11e}"
        if reference.is_twice(project.id()):
            reference.known("number given twice")
            continue
        found.ask("units", kind, f"{scale:.11e}", reference, project.id(), units)
    found.ask("georeference", "has one", ours["map"] is not None, reference, project.id(), has_map)
    north = lambda element: round(geolocation.get_true_north(element.file), 9)
    found.ask("true north", "angle", round(ours["true_north"], 9), reference, project.id(), north)
    if ours["map"] is None:
        return
    points = [(0.0, 0.0, 0.0), (1.0, 2.0, 3.0), (-1000.5, 250.25, 12.0)]
    rounded = lambda many: [[round(float(part), 5) for part in point] for point in many]
    to_map = lambda element: rounded([geolocation.auto_xyz2enh(element.file, *point) for point in points])
    from_map = lambda element: rounded([geolocation.auto_enh2xyz(element.file, *point) for point in points])
    grid_north = lambda element: round(geolocation.get_grid_north(element.file), 9)
    for what, work in (("to_map", to_map), ("from_map", from_map)):
        found.ask("georeference", what, rounded(ours["map"][what]), reference, project.id(), work)
    found.ask("georeference", "grid north", round(ours["map"]["grid_north"], 9), reference, project.id(), grid_north)


def has_map(project):
    return geolocation.get_helmert_transformation_parameters(project.file) is not None


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


#: Differences in a value of a path that are known in one file, at one instance: our value and why.
PINNED = {
    ("pass-qty000-activated_quantities_and_psets.ifc", 63, "styles"): (["#48"], "operand twice"),
}


def items_of(element):
    """The classes of the items of all representations, which the selector fails to go through."""
    shape = getattr(element, "Representation", None)
    return [item.is_a() for one in shape.Representations for item in one.Items if item is not None] if shape else []


def has_no_extrusions(element):
    try:
        return get_extrusions(element) is None
    except Exception:  # it fails on the representation itself
        return False


def explained(query, element, ours, turn, reference):
    """Why a difference in the value of a path is none, if so."""
    pinned, reason = PINNED.get((pathlib.Path(reference.path).name, element.id(), query), (None, None))
    if reason and ours == pinned:
        return reason
    if query == "predefined_type" and dropped_item(element, ours, reference):
        return "wrong enumeration item"
    if query == "profiles" and not ours and has_no_extrusions(element):
        return "no body"
    if query == "Representation.Representations.Items.class" and sorted(flat(ours)) == sorted(items_of(element)):
        return "lists in lists"
    if query.startswith("rotation") and getattr(element, "ObjectPlacement", None):
        try:
            matrix = placement_util.get_local_placement(element.ObjectPlacement)[:3, :3]
        except Exception:  # on what it cannot place there is no matrix to compare with
            return None
        if numpy.allclose(turns(turn), matrix, rtol=0, atol=1e-9):
            return "turn by other angles"
    return None


def flat(value):
    return [part for member in value for part in flat(member)] if isinstance(value, list) else [value]


def nearly(ours, theirs):
    """The same, or two numbers that went through as many roundings each in its own order."""
    if isinstance(ours, float) and isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-6)
    return same(ours, theirs)


def compare_paths(program, reference, found):
    model = reference.model
    answers = dump(program, "paths", reference.path, text="\n".join(PATHS) + "\n")
    answers = {query: dict(values) for query, values in zip(PATHS, answers, strict=True)}
    for query, values in answers.items():
        for number, ours in values.items():
            kind, ours = f"path {query}", canonical(ours)
            value = lambda element, query=query: canonical(selector.get_element_value(element, query))
            # nothing is an empty list here and None there
            agree = lambda ours, theirs: (not ours and not theirs) or nearly(ours, theirs)
            try:
                if agree(ours, value(model.by_id(number))):
                    found.compared[kind] += 1
                    continue
            except Exception:  # named by `ask`, if there is no reason for it
                pass
            turn = [answers[f"rotation_{axis}"].get(number) for axis in "xyz"]
            if reason := explained(query, model.by_id(number), ours, turn, reference):
                found.compared[kind] += 1
                reference.known(reason)
            else:
                found.ask(kind, f"#{number}", ours, reference, number, value, agree)


def compare_templates(program):
    """The names of the sets for every entity of the three schemas."""
    found, known, sets, blanks = Differences(), Known(), {}, {}
    for schema, entity, ours in dump(program, "templates"):
        if schema not in sets:
            sets[schema] = PsetQto(schema)
            blanks[schema] = {
                template.Name
                for template in sets[schema].get_applicable(schema=schema)
                if re.search(r", ", template.ApplicableEntity or "")
            }
        theirs, blank = set(sets[schema].get_applicable_names(entity, schema=schema)), blanks[schema]
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
    reference = Reference(path, known)
    compare_instances(program, reference, found)
    compare_elements(program, reference, found)
    compare_paths(program, reference, found)
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
        met = f"known {dict(known.met)}, raised {dict(known.raised)}"
        print(f"{path}: {total} compared, {sum(map(len, found.kinds.values()))} differ, {met}", flush=True)
        found.report()
        failed |= bool(found.kinds)
    found, known = compare_templates(program)
    print(f"templates: {found.compared['templates']} classes agree but for {len(found.kinds)}, known {dict(known.met)}")
    found.report()
    return failed or bool(found.kinds)


if __name__ == "__main__":
    sys.exit(main([sys.argv[1], "dump"], sys.argv[2:]))
