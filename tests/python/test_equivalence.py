"""Each change that a tool makes is resolved by IfcOpenShell's back end alike, or refused by it in so many words: the catalogue is walked, so
that no tool and no parameter is forgotten. The six cases of the study played on IfcOpenShell's back end come to the same buildings as on our own kernel: the same elements of each
class, the same quantities, the same answers to the criteria's selectors. What is known to differ is said here, with its reason."""

import json
import os
import subprocess
import sys
from collections import Counter, defaultdict

import client
import ifcopenshell
import ifcopenshell.util.element
import ifcopenshell.util.selector
import pytest
from conftest import ROOT
from test_evaluation import CASES, criteria

sys.path.insert(0, str(ROOT / "backends" / "ifcopenshell"))
from pensaer_ifcopenshell import parameters  # noqa: E402
from pensaer_ifcopenshell.adapter import IfcOpenShellAdapter  # noqa: E402
from pensaer_ifcopenshell.base import BaseAdapter  # noqa: E402

#: The others begin with what that back end refuses.
STUDY = [path for path in CASES if path.stem.startswith("tc_")]
#: Classes whose number differs, and why.
COUNTS = {}
#: Quantities that differ, and why.
QUANTITIES = {}


@pytest.fixture(scope="module")
def both(program, tmp_path_factory):
    """The folders that the steps of the cases fill: on our own kernel, and where everything is resolved by IfcOpenShell as far as it can be."""
    return [played(program, tmp_path_factory.mktemp(kernel), kernel) for kernel in ("native", "ifcopenshell")]


def played(program, folder, kernel):
    """The folder of the models that the steps of the cases make on a back end."""
    settings = folder / "pensaer.toml"
    settings.write_text(f'[backends]\ndefault = "{kernel}"\n')
    command = [program, "--config", settings, "--python", sys.executable, "eval", "tc_"]
    command += ["--cases", ROOT / "evals", "--traces", "steps", "--out", folder / "out"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PENSAER_")}
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "out"


@pytest.fixture(params=STUDY, ids=[path.stem for path in STUDY])
def pair(request, both):
    """A case, and the models that the two back ends made."""
    ((name, case),) = json.loads(request.param.read_text()).items()
    models = [ifcopenshell.open(str(folder / f"{name}.ifc")) for folder in both]
    return case, *models


def counts(model):
    return Counter(element.is_a() for element in model.by_type("IfcRoot"))


def quantities(model):
    """The values of each quantity by class and name, in order."""
    found = defaultdict(list)
    for element in model.by_type("IfcObject"):
        for name, values in ifcopenshell.util.element.get_psets(element, qtos_only=True).items():
            for quantity, value in values.items():
                if isinstance(value, (int, float)) and quantity != "id":
                    found[f"{element.is_a()}.{name}.{quantity}"].append(value)
    return {name: sorted(values) for name, values in found.items()}


def test_the_same_number_of_each_class_is_made(pair):
    _, native, foreign = pair
    native, foreign = counts(native), counts(foreign)
    differing = {
        name: (native[name], foreign[name])
        for name in native | foreign
        if native[name] != foreign[name] and name not in COUNTS
    }
    assert not differing, f"ours and IfcOpenShell's: {differing}"


def test_quantities_are_the_same(pair):
    _, native, foreign = pair
    native, foreign = quantities(native), quantities(foreign)
    differing = {
        name: (native.get(name), foreign.get(name))
        for name in native.keys() | foreign.keys()
        if name not in QUANTITIES and native.get(name) != pytest.approx(foreign.get(name), rel=1e-6, abs=1e-6)
    }
    assert not differing, f"ours and IfcOpenShell's: {differing}"


def test_selectors_find_the_same(pair):
    case, native, foreign = pair
    for name, selector, _ in criteria(case):
        found = [
            sorted(str(element.Name) for element in ifcopenshell.util.selector.filter_elements(model, selector))
            for model in (native, foreign)
        ]
        assert found[0] == found[1], f"{name}: {selector}"


#: A house by single calls, so that each operation that both resolve is there. Its walls stop short of each other: corners
#: are cut by our own back end alone, see below.
SQUARE = [[0, 0], [9000, 0], [9000, 7000], [0, 7000]]
SIDES = [
    ([300, 0], [8700, 0]),
    ([9000, 300], [9000, 6700]),
    ([8700, 7000], [300, 7000]),
    ([0, 6700], [0, 300]),
]
HOUSE = [
    ("create_level", {"name": "Top", "elevation": 3000}),
    *(
        ("create_wall", {"start": start, "end": end, "level_id": "Ground", "name": f"W{n}"})
        for n, (start, end) in enumerate(SIDES)
    ),
    ("create_wall", {"start": [4000, 300], "end": [4000, 6700], "level_id": "Ground", "name": "T", "thickness": 100}),
    ("create_opening", {"host_id": "W0", "location": {"at": "center"}, "width": 900, "height": 2100, "opening_type": "door"}),
    ("create_opening", {"host_id": "W1", "location": {"along": 2000}, "width": 1200, "height": 1200, "opening_type": "window"}),
    ("create_opening", {"host_id": "T", "location": {"fraction": 0.5}, "width": 800, "height": 2000}),
    ("create_space", {"level_id": "Ground", "boundary_points": [[100, 100], [3950, 100], [3950, 6900], [100, 6900]], "name": "1"}),
    ("create_floor", {"boundary_points": SQUARE, "level_id": "Ground"}),
    ("create_roof", {"boundary_points": SQUARE, "level_id": "Top", "overhang": 300}),
    ("modify_parameter", {"element_id": "W2", "parameter_name": "height", "value": 3200}),
    ("modify_parameter", {"element_id": "Window 1", "parameter_name": "width", "value": 1500}),
    (
        "run_code",
        {"code": "for n in range(3):\n    adapter.create_wall([12000, n * 1000], [15000, n * 1000], 'Ground', name=f'S{n}')\nlen(adapter.select('IfcWall'))"},
    ),
    ("delete_elements", {"element_ids": ["S1"]}),
    ("set_properties", {"element_ids": ["$W0"], "pset": "Pset_WallCommon", "properties": {"FireRating": "F90", "IsExternal": True}}),
    ("query_elements", {"selector": "IfcElement", "fields": ["class", "bbox", "storey", "type.Name"], "sort": "Name"}),
    ("query_elements", {"selector": "IfcWall", "fields": ["Qto_WallBaseQuantities.NetVolume"], "sort": "Name"}),
    ("query_elements", {"selector": "IfcRoot", "aggregate": "count by class"}),
]

#: Members of answers that are each back end's own: ids, and how many instances of the file a shape takes.
OWN = {"id", "element_ids", "session", "instances", "model_version", "links", "regenerated", "assumed"}


def comparable(value):
    """An answer without what each back end has of its own, and with numbers to a millionth."""
    if isinstance(value, dict):
        made = {
            name: comparable(member)
            for name, member in value.items()
            if name not in OWN and not name.endswith("_id")
        }
        # made in one call, in whichever order; those that are found fault with by their ids
        if isinstance(made.get("elements"), list):
            made["elements"] = sorted((member for member in made["elements"] if isinstance(member, dict)), key=str)
        return made
    if isinstance(value, list):
        return [comparable(member) for member in value]
    return round(value, 6) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def named(value, ids):
    """Arguments with the ids that were answered in the place of `$name`."""
    if isinstance(value, dict):
        return {name: named(member, ids) for name, member in value.items()}
    if isinstance(value, list):
        return [named(member, ids) for member in value]
    return ids.get(value, value) if isinstance(value, str) else value


def test_a_house_by_single_calls_is_answered_alike(program, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("PENSAER_PYTHON", sys.executable)
    answers = {}
    for backend in ("native", "ifcopenshell"):
        with client.Client(program, tmp_path_factory.mktemp(backend)) as session:
            storeys = [{"name": "Ground", "elevation": 0}]
            made = [session.call("create_project", name="House", storeys=storeys, backend=backend)]
            ids = {}
            for tool, arguments in HOUSE:
                answer = session.call(tool, **named(arguments, ids), backend=backend)
                ids |= {f"${answer['name']}": answer["wall_id"]} if "wall_id" in answer else {}
                made.append(answer)
        answers[backend] = [comparable(answer) for answer in made]
    differing = [
        (tool, *pair)
        for (tool, _), *pair in zip([("create_project", {}), *HOUSE], answers["native"], answers["ifcopenshell"])
        if pair[0] != pair[1]
    ]
    assert not differing, "\n".join(map(str, differing))


def test_walls_that_meet_are_cut_by_our_own_back_end_and_told_of_by_the_other(program, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("PENSAER_PYTHON", sys.executable)
    made, rooms = {}, {}
    for backend in ("native", "ifcopenshell"):
        with client.Client(program, tmp_path_factory.mktemp(backend)) as session:
            session.call("create_project", name="House", storeys=[{"name": "Ground", "elevation": 0}], backend=backend)
            made[backend] = [
                session.call(
                    "create_wall", start=SQUARE[n], end=SQUARE[(n + 1) % 4], level_id="Ground", name=f"W{n}", backend=backend
                )
                for n in range(4)
            ]
            walls = [f"W{n}" for n in range(4)]
            room = session.call("create_space", level_id="Ground", walls=walls, name="1", backend=backend)
            rooms[backend] = comparable(room["quantities"])
    assert rooms["native"] == rooms["ifcopenshell"]
    assert all(answer["sound"] is True for answer in made["native"])
    assert [[join["join_type"] for join in answer.get("joins", [])] for answer in made["native"]] == [
        [],
        ["mitre"],
        ["mitre"],
        ["mitre", "mitre"],
    ]
    assert [finding["kind"] for finding in made["ifcopenshell"][1]["sound"]] == ["overlap"]


#: What every tool takes.
COMMON = {"model_id", "model_version", "reasoning", "idempotency_key", "dry_run", "backend"}
#: The Fault of what a back end does not resolve, and that of a parameter.
NOT_SUPPORTED, INVALID = 1008, -32602


@pytest.fixture(scope="module")
def changing(program):
    """The tools that change an IFC model, by name."""
    return {name: spec for name, spec in on_ifc_models(program).items() if spec["effect"] != "query"}


@pytest.fixture(scope="module")
def asking(program):
    """The tools that read an IFC model as it is, by name."""
    listed = on_ifc_models(program).items()
    return {name: spec for name, spec in listed if spec["effect"] == "query" and spec["needs"].get("model") == "current"}


def on_ifc_models(program):
    listed = subprocess.run([program, "tools", "--json"], capture_output=True, text=True, check=True).stdout
    return {
        spec["name"]: spec
        for spec in json.loads(listed)
        if not spec["platform"] and "ifc" in spec["needs"].get("kinds", [])
    }


@pytest.fixture(scope="module")
def on_python(program, tmp_path_factory):
    """A session with a model of one wall."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PENSAER_PYTHON", sys.executable)
        with client.Client(program, tmp_path_factory.mktemp("walked")) as session:
            storeys = [{"name": "Ground Floor", "elevation": 0}]
            session.call("create_project", name="House", storeys=storeys, backend="ifcopenshell")
            session.call(
                "create_wall", start=[0, 0], end=[9000, 0], level_id="Ground Floor", name="Wall 1", backend="ifcopenshell"
            )
            yield session


def refused(session, tool, arguments):
    """The Fault of a call that is to be refused, and that left nothing behind."""
    before = session.call("query_elements", selector="IfcRoot", aggregate="count")
    with pytest.raises(client.Fault) as raised:
        session.call(tool, **arguments, backend="ifcopenshell")
    assert session.call("query_elements", selector="IfcRoot", aggregate="count") == before, tool
    fault = raised.value.fault
    return fault.get("fault", fault)


def sample(schema, definitions):
    """A value that a schema allows."""
    if "$ref" in schema:
        return sample(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
    for either in ("anyOf", "oneOf"):
        if either in schema:
            wanted = [one for one in schema[either] if one.get("type") != "null"]
            return sample(wanted[0], definitions)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    kinds = schema.get("type", "string")
    kind = next((kind for kind in kinds if kind != "null"), "string") if isinstance(kinds, list) else kinds
    if kind == "array":
        inner = schema.get("items") or (schema.get("prefixItems") or [{"type": "number"}])[0]
        return [sample(inner, definitions)] * max(schema.get("minItems", 1), 1)
    if kind == "object":
        members = schema.get("properties", {})
        return {name: sample(members[name], definitions) for name in schema.get("required", [])}
    return {"number": 1, "integer": 1, "boolean": True}.get(kind, "A")


def test_every_tool_that_changes_a_model_is_resolved_alike_or_refused_by_its_name(changing, on_python):
    resolved = set(IfcOpenShellAdapter.operations())
    played = {tool for tool, _ in HOUSE} | {"create_project"}
    assert resolved & set(changing) <= played, f"resolved and compared nowhere: {resolved & set(changing) - played}"
    assert len(set(changing) - resolved) > 20
    for name in sorted(set(changing) - resolved):
        fault = refused(on_python, name, changing[name]["examples"][0]["arguments"])
        assert fault["code"] == NOT_SUPPORTED, f"{name}: {fault}"
        assert f"does not resolve {name}." in fault["message"], f"{name}: {fault}"
        assert fault["data"]["operation"] == name
        # what the platform asks for by itself is named nowhere
        assert set(fault["data"]["allowed"]) == resolved - {"diff"}


#: The tools on rooms, areas, distances and ways, which our own kernel alone resolves.
SPATIAL = {
    "room_analysis",
    "adjacency_matrix",
    "path_finding",
    "circulation_check",
    "spatial_query",
    "bounding_analysis",
    "measure",
}


def test_every_question_is_resolved_or_refused_by_its_name(asking, on_python, tmp_path):
    resolved = set(IfcOpenShellAdapter.operations())
    assert SPATIAL <= set(asking) and not SPATIAL & resolved
    named = tmp_path / "named.bcf"
    named.write_text("never read")
    for name in sorted(set(asking) - resolved):
        arguments = dict(asking[name]["examples"][0]["arguments"])
        if "file" in arguments:
            arguments["file"] = str(named)
        fault = refused(on_python, name, arguments)
        assert fault["code"] == NOT_SUPPORTED, f"{name}: {fault}"
        assert f"does not resolve {name}." in fault["message"], f"{name}: {fault}"
        assert fault["data"]["operation"] == name
    # where the call does not name that back end, our own answers
    found = on_python.call("spatial_query", level_id="Ground Floor")
    assert found["total"] == 1


def test_a_script_in_ifcopenshell_that_asks_for_rooms_is_told_that_it_has_none(on_python):
    for name in sorted(SPATIAL):
        fault = refused(on_python, "run_code", {"code": f"adapter.{name}('all')", "mode": "query"})
        assert f"does not resolve {name}; it has select, " in fault["message"], fault


def test_every_parameter_of_what_is_resolved_is_taken_or_refused_by_its_name(changing, on_python):
    walked = []
    for name in sorted(set(IfcOpenShellAdapter.operations()) & set(changing)):
        spec = changing[name]
        taken = parameters.schema_of(getattr(BaseAdapter, name))
        offered = spec["input_schema"]["properties"]
        assert set(taken) <= set(offered), f"{name} takes what the tool does not offer: {set(taken) - set(offered)}"
        for parameter in sorted(set(offered) - set(taken) - COMMON):
            arguments = dict(spec["examples"][0]["arguments"])
            arguments[parameter] = sample(offered[parameter], spec["input_schema"].get("$defs", {}))
            fault = refused(on_python, name, arguments)
            assert fault["code"] == INVALID, f"{name} {parameter}: {fault}"
            assert fault["data"]["field"] == parameter, f"{name} {parameter}: {fault}"
            assert f"`{parameter}`" in fault["message"], f"{name} {parameter}: {fault}"
            walked.append((name, parameter))
    # walls along arcs and ways, of layers and types, roofs with a pitch
    for known in ("via", "arc_through", "layers", "type_id", "top", "openings", "recesses"):
        assert ("create_wall", known) in walked
    assert ("create_roof", "pitch") in walked


@pytest.mark.parametrize("shape", ["gable", "hip", "shed", "mansard"])
def test_roofs_that_are_not_flat_are_refused_by_their_shape(on_python, shape):
    roof = {"boundary_points": SQUARE, "level_id": "Ground Floor", "shape": shape}
    fault = refused(on_python, "create_roof", roof)
    assert fault["data"]["field"] == "shape" and "flat" in fault["data"]["allowed"], fault


@pytest.mark.parametrize(
    ("location", "field"),
    [
        ({"at": "start", "offset": 500}, "location.offset"),
        ({"at": "corner"}, "location.at"),
        ({"from": "Wall 1", "offset": 500}, "location.from"),
        ({"between": ["Wall 1", "Wall 1"]}, "location.between"),
    ],
)
def test_places_that_only_our_own_back_end_knows_are_refused_by_their_word(on_python, location, field):
    opening = {"host_id": "Wall 1", "location": location, "width": 900, "height": 2100, "opening_type": "door"}
    fault = refused(on_python, "create_opening", opening)
    assert (fault["code"], fault["data"]["field"]) == (INVALID, field), fault


def test_a_change_that_is_not_asked_of_ifcopenshell_by_name_is_left_to_our_own_back_end(program, tmp_path, monkeypatch):
    monkeypatch.setenv("PENSAER_PYTHON", sys.executable)
    settings = tmp_path / "pensaer.toml"
    settings.write_text('[backends]\ndefault = "ifcopenshell"\n')
    with client.Client(program, tmp_path / "data", options=["--config", settings]) as session:
        session.call("create_project", name="House", storeys=[{"name": "Ground Floor", "elevation": 0}])
        made = session.call("create_building_shell", footprint=SQUARE, storeys=1)
        assert made["sound"] is True
        with pytest.raises(client.Fault):
            session.call("create_building_shell", footprint=SQUARE, storeys=1, backend="ifcopenshell")
