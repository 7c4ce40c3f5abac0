"""What the crate `exchange` writes, judged by other programs: views by IfcOpenShell's validation and geometry and by buildingSMART's own
mvdXML, parts and merges by the same, glTF and OBJ by trimesh, gbXML by its XSD and by OpenStudio, tables by pyarrow."""

import collections
import functools
import importlib.util
import json
import re
import subprocess
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import ifcopenshell
import ifcopenshell.geom
import ifcopenshell.util.element
import ifcopenshell.util.shape
import ifcopenshell.validate
import needs
import numpy
import pyarrow.csv
import pyarrow.parquet
import pytest
import trimesh
import xmlschema
from compiled_rules import keep_rules
from conftest import example, models_named

VIEWS = ("reference", "design transfer", "coordination")
#: Small ones of all schemas: clippings, openings, mapped items, breps, swept disks, bodies by faces.
MODELS = models_named("IfcOpenHouse_IFC4", "Text2BIM_sample_model", "TallBuilding", "wall_door_column_4x3", "basic_demo", "Vebo")
ROOMS = models_named("3rooms_with_SB", "AC20-FZK-Haus", "Duplex_A_20110907")
#: A millimetre, and some noise.
NEAR = 1.05e-3


def run(task, *arguments):
    """The answer of a task of the crate's example."""
    done = subprocess.run([*example("exchange", task), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refused(task, *arguments):
    """The complaint of a task that cannot be done."""
    done = subprocess.run([*example("exchange", task), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "panicked" not in done.stderr
    return done.stderr


def findings(model):
    """What the validation says, rules included, by instance: ids stay, while classes and rules have other names in other schemas."""
    keep_rules()
    log = ifcopenshell.validate.json_logger()
    ifcopenshell.validate.validate(model, log, express_rules=True)
    found = collections.defaultdict(list)
    for statement in log.statements:
        instance = statement.get("instance")
        place = instance.id() if isinstance(instance, ifcopenshell.entity_instance) else re.match(r"#\d+|", str(instance)).group()
        found[place].append(statement["message"].split("\n\n")[0][:200])
    return found


@functools.cache
def known_findings(path):
    """Findings of a file that several tests ask for."""
    return findings(ifcopenshell.open(str(path)))


@functools.cache
def known_shapes(path):
    """Shapes of a file that several tests ask for."""
    return shapes(ifcopenshell.open(str(path)))


def fresh(before, after):
    """Findings at instances that had fewer before."""
    return {place: messages for place, messages in after.items() if len(messages) > len(before.get(place, ()))}


def shapes(model, classes=("IfcElement", "IfcSpace")):
    """Box and volume of each element with a shape, by GlobalId, as IfcOpenShell's kernel makes them."""
    settings = ifcopenshell.geom.settings()
    settings.set("use-world-coords", True)
    settings.set("mesher-linear-deflection", 0.0002)
    settings.set("mesher-angular-deflection", 0.05)
    wanted = [e for name in classes for e in model.by_type(name) if e.Representation and not e.is_a("IfcFeatureElementSubtraction")]
    found = {}
    if not wanted:
        return found
    iterator = ifcopenshell.geom.iterator(settings, model, 2, include=wanted)
    if iterator.initialize():
        while True:
            shape = iterator.get()
            vertices = ifcopenshell.util.shape.get_vertices(shape.geometry)
            if len(vertices):
                volume = ifcopenshell.util.shape.get_volume(shape.geometry)
                found[shape.guid] = (vertices.min(axis=0), vertices.max(axis=0), volume)
            if not iterator.next():
                break
    return found


def moved(before, after):
    """Elements whose box differs by more than a millimetre, or whose volume by more than a hundredth."""
    misses = {}
    for guid, (low, high, volume) in after.items():
        if guid not in before:
            continue
        was_low, was_high, was = before[guid]
        off = max(numpy.abs(low - was_low).max(), numpy.abs(high - was_high).max())
        if off > NEAR or abs(volume - was) > 0.01 * abs(was) + 1e-6:
            misses[guid] = (off, was, volume)
    return misses


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("path", MODELS, ids=[path.stem for path in MODELS])
def test_a_view_passes_its_table_is_as_valid_as_before_and_has_the_same_shapes(path, view, tmp_path):
    out = tmp_path / "view.ifc"
    answer = run("apply", path, view, out)
    assert answer["findings"] == []
    assert run("check", out, view)["findings"] == []
    after = ifcopenshell.open(str(out))
    assert answer["view"] in after.header.file_description.description[0]
    assert not fresh(known_findings(path), findings(after))
    ours, theirs = shapes(after), known_shapes(path)
    kept = {e.GlobalId for e in after.by_type("IfcElement")}
    lost = {guid for guid in theirs if guid in kept and guid not in ours}
    assert not lost
    assert not moved(theirs, ours)
    assert ours or not theirs


def test_the_table_of_the_reference_view_is_that_of_its_mvdxml():
    """buildingSMART's mvdXML of the Reference View 1.2 comes with IfcOpenShell."""
    mvd = Path(ifcopenshell.__file__).parent / "mvd/mvd_examples/officials/ReferenceView_V1-2.mvdxml"
    space = "{http://buildingsmart-tech.org/mvd/XML/1.1}"
    root = ElementTree.parse(mvd).getroot()
    assert root.find(f".//{space}ModelView").get("code") == "ReferenceView_V1-2"
    named = {found.get("applicableRootEntity") for found in root.iter(f"{space}ConceptRoot")}
    for rule in root.iter(f"{space}TemplateRule"):
        named |= set(re.findall(r"=(Ifc\w+);", rule.get("Parameters") or ""))
    for template in root.iter(f"{space}ConceptTemplate"):
        rules = template.find(f"{space}Rules")
        if rules is not None:
            named |= {rule.get("EntityName") for rule in rules.iter(f"{space}EntityRule")}
    schema = ifcopenshell.ifcopenshell_wrapper.schema_by_name("IFC4")
    entities = {e.name() for e in schema.entities() if not e.is_abstract()}
    with (Path(__file__).resolve().parents[2] / "crates/exchange/views/reference.toml").open("rb") as file:
        table = tomllib.load(file)
    assert set(table["entities"]) == named & entities
    # the types of representations that the templates fix
    texts = {c.get("Expression") for c in root.iter(f"{space}Constraint")}
    fixed = {re.match(r"Type\[Value\] = '(\w+)'", text).group(1) for text in texts if text.startswith("Type[")}
    assert fixed <= {row["type"] for row in table["representation"]}


PARTS = models_named("AC20-FZK-Haus", "Duplex_Electrical", "wall_door_column_4x3")


@pytest.mark.parametrize("path", PARTS, ids=[path.stem for path in PARTS])
def test_a_part_is_as_valid_as_the_whole_and_stands_where_it_stood(path, tmp_path):
    before = ifcopenshell.open(str(path))
    known, theirs = known_findings(path), known_shapes(path)
    classes = collections.Counter(e.is_a() for e in before.by_type("IfcElement"))
    for name in [name for name, _ in classes.most_common(3)]:
        out = tmp_path / f"{name}.ifc"
        answer = run("subset", path, name, out)
        after = ifcopenshell.open(str(out))
        assert answer["selected"] == len(before.by_type(name)) == len(after.by_type(name))
        assert not fresh(known, findings(after))
        assert not moved(theirs, shapes(after))
        for element in after.by_type(name):
            other = before.by_guid(element.GlobalId)
            assert ifcopenshell.util.element.get_psets(element).keys() == ifcopenshell.util.element.get_psets(other).keys()
            materials = [ifcopenshell.util.element.get_material(e) for e in (element, other)]
            assert materials[0] == materials[1] or materials[0].is_a() == materials[1].is_a()


@pytest.mark.parametrize("task", ["storeys", "disciplines"])
@pytest.mark.parametrize("path", PARTS, ids=[path.stem for path in PARTS])
def test_every_element_is_in_one_part_and_every_part_is_valid(path, task, tmp_path):
    before = ifcopenshell.open(str(path))
    known = known_findings(path)
    parts = run(task, path, tmp_path)["parts"]
    assert len(list(tmp_path.glob("*.ifc"))) == len(parts) > 0
    seen = collections.Counter()
    for file in tmp_path.glob("*.ifc"):
        part = ifcopenshell.open(str(file))
        seen.update(e.GlobalId for e in part.by_type("IfcElement"))
        assert not fresh(known, findings(part))
    assert set(seen) == {e.GlobalId for e in before.by_type("IfcElement")}
    assert max(seen.values()) == 1


@pytest.mark.parametrize("joining", ["name", "elevation", "apart"])
def test_a_merge_has_one_project_is_valid_and_moves_nothing(joining, tmp_path):
    paths = models_named("Duplex_A_20110907", "Duplex_Electrical")
    out = tmp_path / "merged.ifc"
    report = run("merge", joining, out, *paths)
    sources, after = [ifcopenshell.open(str(path)) for path in paths], ifcopenshell.open(str(out))
    assert len(after.by_type("IfcProject")) == 1
    if joining == "name":
        # the second model's instances have other ids: what is said of any of them is known
        known = {message for path in paths for messages in known_findings(path).values() for message in messages}
        assert not {message for messages in findings(after).values() for message in messages} - known
    guids = [e.GlobalId for e in after.by_type("IfcRoot")]
    assert len(guids) == len(set(guids))
    counts = [len(m.by_type("IfcElement")) for m in (*sources, after)]
    assert counts[2] == counts[0] + counts[1]
    assert bool(report["models"][0]["joined"]) == (joining != "apart")
    ours = shapes(after)
    for path in paths:
        theirs = known_shapes(path)
        assert not moved(theirs, {guid: shape for guid, shape in ours.items() if guid in theirs})


@pytest.mark.parametrize("path", PARTS[:1] + ROOMS[:1], ids=lambda path: path.stem)
def test_gltf_has_each_element_where_ifcopenshell_has_it(path, tmp_path):
    theirs = shapes(ifcopenshell.open(str(path)))
    for form, ending in [("glb", "glb"), ("gltf", "gltf")]:
        out = tmp_path / f"model.{ending}"
        answer = run(form, path, out)
        scene = trimesh.load(out)
        graph = scene.graph
        ours = {}
        for node in graph.nodes:
            parent = graph.transforms.parents.get(node)
            extras = graph.transforms.edge_data.get((parent, node), {}).get("metadata") or {}
            guid = extras.get("GlobalId")
            if guid:
                ours.setdefault(guid, []).append(node)
        assert len(ours) == answer["nodes"]
        compared = 0
        for guid, nodes in ours.items():
            if guid not in theirs:
                continue
            points = []
            for node in nodes + [n for n in graph.nodes if graph.transforms.parents.get(n) in nodes and n not in sum(ours.values(), [])]:
                matrix, geometry = graph.get(node)
                if geometry:
                    points.append(trimesh.transform_points(scene.geometry[geometry].vertices, matrix))
            if not points:
                continue
            compared += 1
            # back from y up to z up
            points = numpy.vstack(points)[:, [0, 2, 1]] * [1, -1, 1]
            low, high, _ = theirs[guid]
            assert numpy.abs(points.min(axis=0) - low).max() < 2e-3, guid
            assert numpy.abs(points.max(axis=0) - high).max() < 2e-3, guid
        assert compared > 10


@pytest.mark.parametrize("path", PARTS[:1], ids=lambda path: path.stem)
def test_obj_has_each_element_with_the_volume_that_ifcopenshell_gives_it(path, tmp_path):
    theirs = shapes(ifcopenshell.open(str(path)))
    answer = run("obj", path, tmp_path)
    scene = trimesh.load(tmp_path / "model.obj", split_object=True, group_material=False, process=False)
    text = (tmp_path / "model.obj").read_text()
    assert text.count("\no ") == answer["elements"]
    assert scene.bounds is not None
    # each group by itself, so that no reader's way of splitting matters
    vertices = numpy.array([line.split()[1:] for line in text.splitlines() if line.startswith("v ")], dtype=float)
    compared = 0
    for group in text.split("\no ")[1:]:
        guid = group.split("\n", 1)[0].split("_", 1)[1]
        faces = [[int(c.split("/")[0]) - 1 for c in line.split()[1:]] for line in group.splitlines() if line.startswith("f ")]
        mesh = trimesh.Trimesh(vertices, faces, process=True)
        if guid in theirs and mesh.is_watertight:
            compared += 1
            assert mesh.volume == pytest.approx(theirs[guid][2], rel=0.02, abs=1e-5), guid
    assert compared > 10


def xsd():
    """The schema of gbXML 6.01, which the package xgbxml brings."""
    folder = Path(importlib.util.find_spec("xgbxml").submodule_search_locations[0])
    return xmlschema.XMLSchema(str(folder / "schemas/GreenBuildingXML_Ver6.01.xsd"))


TRANSLATE = """
import json, sys, openstudio
found = openstudio.gbxml.GbXMLReverseTranslator()
model = found.loadModel(openstudio.toPath(sys.argv[1]))
assert model.is_initialized(), [e.logMessage() for e in found.errors()]
model = model.get()
print(json.dumps({
    "errors": [e.logMessage() for e in found.errors()],
    "spaces": {s.nameString(): [s.floorArea(), s.volume()] for s in model.getSpaces()},
    "surfaces": len(model.getSurfaces()), "windows": len(model.getSubSurfaces()),
    "paired": sum(1 for s in model.getSurfaces() if s.adjacentSurface().is_initialized()),
    "constructions": len(model.getConstructions()), "storeys": len(model.getBuildingStorys()),
}))
"""


@pytest.mark.parametrize("path", ROOMS, ids=[path.stem for path in ROOMS])
def test_gbxml_keeps_to_its_xsd_and_openstudio_reads_its_spaces(path, tmp_path):
    out = tmp_path / "model.xml"
    counts = run("gbxml", path, out)["counts"]
    # OpenStudio has the schema of 7.03 within it and tells what is against it; that of 6.01 is published as a package
    older = out.read_text().replace('version="7.03"', 'version="6.01"')
    errors = [str(e) for e in xsd().iter_errors(older)]
    assert not errors, errors[:3]
    python = Path(needs.openstudio()) / "bin/python"
    done = subprocess.run([python, "-c", TRANSLATE, str(out)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    read = json.loads(done.stdout.splitlines()[-1])
    assert len(read["spaces"]) == counts["spaces"]
    assert not read["errors"]
    assert read["windows"] >= counts["openings"] * 0.9
    space = "{http://www.gbxml.org/schema}"
    root = ElementTree.parse(out).getroot()
    stated = {s.findtext(f"{space}Name"): float(s.findtext(f"{space}Volume")) for s in root.iter(f"{space}Space")}
    # OpenStudio takes the volume from the surfaces, if they close
    total, whole = sum(volume for _, volume in read["spaces"].values()), sum(stated.values())
    assert total == pytest.approx(whole, rel=0.1)
    types = collections.Counter(s.get("surfaceType") for s in root.iter(f"{space}Surface"))
    assert types["ExteriorWall"] and types["Roof"] + types["Ceiling"]


@pytest.mark.parametrize("path", PARTS, ids=[path.stem for path in PARTS])
def test_tables_have_every_property_of_every_element(path, tmp_path):
    run("csv", path, tmp_path)
    run("parquet", path, tmp_path)
    before = ifcopenshell.open(str(path))
    for name in ("elements", "properties", "quantities", "relations", "materials"):
        columns = pyarrow.parquet.read_table(tmp_path / f"{name}.parquet")
        options = pyarrow.csv.ParseOptions(newlines_in_values=True)
        text = pyarrow.csv.read_csv(tmp_path / f"{name}.csv", parse_options=options)
        assert (columns.num_rows, columns.column_names) == (text.num_rows, text.column_names)
    elements = pyarrow.parquet.read_table(tmp_path / "elements.parquet").to_pylist()
    assert {row["GlobalId"] for row in elements} == {e.GlobalId for e in before.by_type("IfcObjectDefinition")}
    said = collections.defaultdict(dict)
    for row in pyarrow.parquet.read_table(tmp_path / "properties.parquet").to_pylist():
        said[row["GlobalId"]][row["Set"], row["Property"]] = row
    for row in pyarrow.parquet.read_table(tmp_path / "quantities.parquet").to_pylist():
        said[row["GlobalId"]][row["Set"], row["Quantity"]] = row
    for element in before.by_type("IfcElement"):
        for name, members in ifcopenshell.util.element.get_psets(element).items():
            for key, value in members.items():
                if key == "id" or value is None or isinstance(value, (list, dict)):
                    continue
                row = said[element.GlobalId][name, key]
                if isinstance(value, bool):
                    assert row["Value"] == str(value).lower()
                elif isinstance(value, (int, float)):
                    assert row.get("Number", row["Value"]) == pytest.approx(value)


@pytest.mark.parametrize("task", ["glb", "gbxml", "csv", "storeys"])
def test_damaged_files_are_refused_or_written_and_nothing_panics(task, tmp_path):
    [whole] = models_named("wall_door_column_4x3")
    data = whole.read_bytes()
    for at in (0, 100, len(data) // 3, len(data) // 2, len(data) - 10):
        path = tmp_path / f"{at}.ifc"
        path.write_bytes(data[:at])
        done = subprocess.run([*example("exchange", task), path, tmp_path / f"out{at}"], capture_output=True, text=True, check=False)
        assert "panicked" not in done.stderr


def test_what_selects_nothing_is_refused_with_a_reason(tmp_path):
    [path] = models_named("wall_door_column_4x3")
    assert "nothing of the model is selected" in refused("subset", path, "IfcStair", tmp_path / "a.ifc")
    assert "nothing of the model is selected" in refused("subset", path, "IfcWall, Pset_X.Y=1", tmp_path / "a.ifc")
    assert "is no class of" in refused("subset", path, "IfcWal", tmp_path / "a.ifc")
    assert "is no view definition" in refused("apply", path, "facility management", tmp_path / "a.ifc")
