"""Schedules and take-offs beside tables that IfcOpenShell computes, cell by cell; workbooks opened with openpyxl and computed anew by LibreOffice; and
filled-in copies written back, which change those cells alone."""

import csv
import io
import math
import subprocess
import urllib.request

import ifcopenshell
import ifcopenshell.util.element as elements
import ifcopenshell.util.unit as units
import needs
import openpyxl
import pytest
from client import Client
from conftest import models_named

MODELS = [
    "AC20-FZK-Haus",
    "Duplex_A_20110907",
    "ExampleHOM",
    "House",
    "LargeBuilding",
    "Niedri",
    "SampleHouse4",
    "kalkzandsteen",
]
COLUMNS = {
    "IfcDoor": ["Name", "Tag", "type.Name", "storey", "OverallWidth", "OverallHeight", "Pset_DoorCommon.FireRating"],
    "IfcWindow": ["Name", "Tag", "type.Name", "storey", "OverallWidth", "OverallHeight", "Pset_WindowCommon.IsExternal"],
    "IfcSpace": ["Name", "LongName", "storey", "Pset_SpaceCommon.IsExternal"],
    "IfcWall": ["Name", "Tag", "type.Name", "storey", "Pset_WallCommon.IsExternal", "Pset_WallCommon.LoadBearing"],
}


@pytest.fixture(scope="module")
def session(program, tmp_path_factory):
    with Client(program, tmp_path_factory.mktemp("data")) as session:
        yield session


def load(session, path):
    return session.call("load_model", file_path=str(path))["model_id"]


def asked(session, tool, **arguments):
    """The answer of a tool, and the bytes of the file that it made."""
    answer = session.call(tool, **arguments)
    [link] = answer["links"]
    with urllib.request.urlopen(link["href"]) as file:
        return answer, file.read()


def storey(element):
    """The storey that holds an element, through the spaces and wholes between."""
    while element is not None and not element.is_a("IfcBuildingStorey"):
        fills = getattr(element, "FillsVoids", None)
        above = elements.get_container(element) or elements.get_aggregate(element)
        if above is None and fills:
            above = fills[0].RelatingOpeningElement.VoidsElements[0].RelatingBuildingElement
        element = above
    return element


def label(instance):
    """The name of an instance as answers have it, or nothing where it has none that is worth showing."""
    return instance.Name if instance is not None and (instance.Name or "").strip() else None


def value(element, column):
    if column == "type.Name":
        of_type = elements.get_type(element)
        return None if of_type is None else of_type.Name
    if column == "storey":
        return label(storey(element))
    if "." in column:
        name, prop = column.split(".")
        return elements.get_psets(element).get(name, {}).get(prop)
    return getattr(element, column, None)


def is_same(ours, theirs):
    """True of equal cells; an empty text is no value, and numbers are equal to a billionth."""
    theirs = None if theirs == "" else theirs
    ours = None if ours == "" else ours
    if isinstance(theirs, bool) or isinstance(ours, bool):
        return ours is theirs
    if isinstance(theirs, (int, float)) and isinstance(ours, (int, float)):
        return math.isclose(ours, theirs, rel_tol=1e-9)
    return ours == theirs


@pytest.mark.parametrize("name", MODELS)
def test_cells_are_what_ifcopenshell_reads(session, name):
    [path] = models_named(name)
    theirs = ifcopenshell.open(path)
    model = load(session, path)
    compared = 0
    for kind, columns in COLUMNS.items():
        expected = {element.GlobalId: element for element in theirs.by_type(kind)}
        # what no element of the model has is refused by name, which is a test of its own
        columns = [column for column in columns if any(value(one, column) not in (None, "") for one in expected.values())]
        if not columns:
            continue
        _, book = asked(session, "generate_schedule", model_id=model, category=kind, parameters=columns, format="xlsx")
        sheet = openpyxl.load_workbook(io.BytesIO(book), data_only=True).worksheets[0]
        rows = [list(row) for row in sheet.iter_rows(values_only=True)]
        assert [str(heading).split(" (")[0] for heading in rows[0][:-1]] == columns
        assert {row[-1] for row in rows[1:]} == set(expected), "every element once"
        assert len(rows) - 1 == len(expected)
        for row in rows[1:]:
            element = expected[row[-1]]
            for column, ours in zip(columns, row):
                theirs_is = value(element, column)
                assert is_same(ours, theirs_is), (kind, element.GlobalId, column, ours, theirs_is)
                compared += 1
    assert compared > 20


def stored_sums(model, kind):
    """The sums of the quantities that a file states, in SI units, by type and quantity."""
    scale = {
        "IfcQuantityLength": units.calculate_unit_scale(model, "LENGTHUNIT"),
        "IfcQuantityArea": units.calculate_unit_scale(model, "AREAUNIT"),
        "IfcQuantityVolume": units.calculate_unit_scale(model, "VOLUMEUNIT"),
    }
    sums = {}
    for element in model.by_type(kind):
        of_type = elements.get_type(element)
        seen = set()
        for relation in element.IsDefinedBy:
            if not relation.is_a("IfcRelDefinesByProperties"):
                continue
            definition = relation.RelatingPropertyDefinition
            if not definition.is_a("IfcElementQuantity"):
                continue
            for quantity in definition.Quantities:
                if quantity.is_a() in scale and quantity.Name not in seen:
                    seen.add(quantity.Name)
                    key = (of_type.Name if of_type is not None else "(none)", quantity.Name)
                    sums[key] = sums.get(key, 0) + quantity[3] * scale[quantity.is_a()]
    return sums


@pytest.mark.parametrize("name", MODELS)
def test_sums_are_those_of_the_file_and_of_the_shapes(session, name):
    [path] = models_named(name)
    theirs = ifcopenshell.open(path)
    model = load(session, path)
    compared = 0
    for kind in ("IfcWall", "IfcSlab", "IfcSpace"):
        if not theirs.by_type(kind):
            continue
        answer, page = asked(
            session, "quantity_takeoff", model_id=model, categories=[kind], grouping=["type"], format="csv"
        )
        rows = list(csv.DictReader(io.StringIO(page.decode())))
        counted = [row for row in rows if row["quantity"] == "Count"]
        assert sum(float(row["value"]) for row in counted) == answer["elements"]
        expected = stored_sums(theirs, kind)
        # those of other sets than the base quantities count where they are named
        named = {name for _, name in expected if "CrossSection" not in name}
        others = sorted(name for name in named - {row["quantity"] for row in rows} if "Area" in name or "Volume" in name)
        if others:
            asking = {"categories": [kind], "grouping": ["type"], "quantities": others, "format": "csv"}
            _, page = asked(session, "quantity_takeoff", model_id=model, **asking)
            rows += csv.DictReader(io.StringIO(page.decode()))
        for row in rows:
            stored = expected.get((row["type"], row["quantity"]))
            if stored is None or row["stored"] == "":
                continue
            assert math.isclose(float(row["stored"]), stored, rel_tol=1e-6, abs_tol=1e-6), (kind, row, stored)
            compared += 1
    needed = {"AC20-FZK-Haus", "Duplex_A_20110907", "ExampleHOM"}
    assert compared > 0 or name not in needed, "this file states quantities"


def test_volumes_are_those_that_ifcopenshell_measures(session):
    import ifcopenshell.geom
    import ifcopenshell.util.shape as shapes

    [path] = models_named("AC20-FZK-Haus")
    theirs = ifcopenshell.open(path)
    settings = ifcopenshell.geom.settings()
    walls = {}
    for wall in theirs.by_type("IfcWall"):
        of_type = elements.get_type(wall)
        key = of_type.Name if of_type is not None else "(none)"
        volume = shapes.get_volume(ifcopenshell.geom.create_shape(settings, wall).geometry)
        walls[key] = walls.get(key, 0) + volume
    answer, _ = asked(
        session,
        "quantity_takeoff",
        model_id=load(session, path),
        categories=["walls"],
        grouping=["type"],
        quantities=["NetVolume"],
    )
    ours = {row["type"]: row["computed"] for row in answer["quantities"]}
    assert set(ours) == set(walls)
    for key, volume in walls.items():
        assert math.isclose(ours[key], volume, rel_tol=1e-3), (key, ours[key], volume)


def recomputed(book, folder):
    """The cells of a workbook as LibreOffice computes them."""
    office = needs.libreoffice()
    (folder / "book.xlsx").write_bytes(book)
    profile = f"-env:UserInstallation=file://{folder}/profile"
    out = folder / "out"
    command = [office, profile, "--headless", "--convert-to", "xlsx", "--outdir", str(out), str(folder / "book.xlsx")]
    subprocess.run(command, check=True, capture_output=True, timeout=180)
    return openpyxl.load_workbook(out / "book.xlsx", data_only=True).worksheets[0]


def strip_values(book):
    """The workbook without the values that were saved beside its formulas, so that they have to be computed."""
    loaded = openpyxl.load_workbook(io.BytesIO(book))
    out = io.BytesIO()
    loaded.save(out)
    return out.getvalue()


def test_formulas_come_to_the_same_in_libreoffice(session, tmp_path):
    [path] = models_named("Duplex_A_20110907")
    parameters = [
        "Name",
        "storey",
        {"field": "area", "heading": "Area"},
        {"field": "volume", "heading": "Volume"},
        {"heading": "Height", "formula": "[Volume] / [Area]", "total": "avg"},
        {"heading": "Cost", "formula": "if([Area] > 10, [Area] * 45.5, round([Area] * 60, 1))", "unit": "EUR", "total": "sum"},
    ]
    _, book = asked(
        session,
        "generate_schedule",
        model_id=load(session, path),
        category="rooms",
        parameters=parameters,
        group_by="storey",
        format="xlsx",
    )
    ours = openpyxl.load_workbook(io.BytesIO(book), data_only=True).worksheets[0]
    formulas = openpyxl.load_workbook(io.BytesIO(book)).worksheets[0]
    assert formulas.freeze_panes == "A2"
    theirs = recomputed(strip_values(book), tmp_path)
    computed = 0
    for row in formulas.iter_rows():
        for cell in row:
            if not (isinstance(cell.value, str) and cell.value.startswith("=")):
                continue
            value = ours.cell(cell.row, cell.column).value
            there = theirs.cell(cell.row, cell.column).value
            if value in (None, ""):
                assert there in (None, ""), (cell.coordinate, there)
            else:
                assert math.isclose(float(there), float(value), rel_tol=1e-9), (cell.coordinate, there, value)
            computed += 1
    assert computed > 40, "formulas of records, groups and the whole"


def test_a_take_off_with_rates_comes_to_the_same_in_libreoffice(session, tmp_path):
    [path] = models_named("Duplex_A_20110907")
    rates = "class,quantity,unit,cost (EUR),carbon,waste\nIfcSlab,GrossVolume,m³,180,240,3\n,,m²,\"55.5\",12,5\n"
    answer, book = asked(
        session,
        "quantity_takeoff",
        model_id=load(session, path),
        categories=["walls", "slabs"],
        grouping=["class", "type"],
        rates=rates,
        format="xlsx",
    )
    ours = openpyxl.load_workbook(io.BytesIO(book), data_only=True).worksheets[0]
    rows = list(ours.iter_rows(values_only=True))
    total = rows[-1]
    at = [str(heading) for heading in rows[0]].index("Cost (EUR)")
    # answers have seven digits, books all
    assert math.isclose(total[at], answer["totals"]["cost"], rel_tol=1e-6) and total[at] > 0
    theirs = recomputed(strip_values(book), tmp_path)
    assert math.isclose(theirs.cell(len(rows), at + 1).value, total[at], rel_tol=1e-9)


def properties(path):
    """All that a file says of its elements."""
    model = ifcopenshell.open(path)
    facts = {}
    for element in model.by_type("IfcProduct"):
        attributes = {name: str(value) for name, value in element.get_info(recursive=False).items() if isinstance(value, (str, int, float, bool))}
        attributes.pop("id")
        facts[element.GlobalId] = (attributes, elements.get_psets(element))
    return facts


def without_ids(psets):
    return {name: {key: value for key, value in members.items() if key != "id"} for name, members in psets.items()}


def test_a_filled_in_sheet_changes_its_cells_alone(session, tmp_path):
    [path] = models_named("Duplex_A_20110907")
    model = load(session, path)
    session.call("save_model", model_id=model, file_path=str(tmp_path / "before.ifc"))
    _, book = asked(
        session,
        "generate_schedule",
        model_id=model,
        category="doors",
        parameters=["Name", "Tag", "storey", "Pset_DoorCommon.FireRating", "Pset_DoorCommon.IsExternal", "area"],
        format="xlsx",
    )
    loaded = openpyxl.load_workbook(io.BytesIO(book))
    sheet = loaded.worksheets[0]
    ids = [row[-1].value for row in sheet.iter_rows(min_row=2)]
    sheet["A2"] = "Front door"
    sheet["B3"] = "=HYPERLINK(\"http://example.org\")"
    sheet["B3"].data_type = "s"
    sheet["D4"] = "EI 30"
    sheet["E5"] = True
    sheet["F2"] = 99
    filled = tmp_path / "filled.xlsx"
    loaded.save(filled)
    tried = session.call("import_schedule", model_id=model, file=str(filled), dry_run=True)
    assert (tried["count"], tried["refused_count"]) == (4, 1), tried
    assert "follows" in tried["refused"][0]["reason"]
    done = session.call("import_schedule", model_id=model, file=str(filled))
    assert done["count"] == 4
    session.call("save_model", model_id=model, file_path=str(tmp_path / "after.ifc"))
    before, after = properties(tmp_path / "before.ifc"), properties(tmp_path / "after.ifc")
    assert set(before) == set(after)
    changed = {}
    for guid, (attributes, psets) in before.items():
        now, sets = after[guid]
        differing = [name for name in attributes if attributes[name] != now.get(name)]
        differing += [
            f"{name}.{key}"
            for name, members in without_ids(sets).items()
            for key, value in members.items()
            if without_ids(psets).get(name, {}).get(key) != value
        ]
        if differing:
            changed[guid] = differing
    assert changed == {
        ids[0]: ["Name"],
        ids[1]: ["Tag"],
        ids[2]: ["Pset_DoorCommon.FireRating"],
        ids[3]: ["Pset_DoorCommon.IsExternal"],
    }
    again = session.call("import_schedule", model_id=model, file=str(filled))
    assert again["count"] == 0, "what is written already is no change"


def test_versions_are_compared(session):
    [path] = models_named("Duplex_A_20110907")
    model = load(session, path)
    before = session.call("list_versions", model_id=model)["versions"][0]["version"]
    walls = session.call("query_elements", model_id=model, selector="IfcWall", limit=1)["rows"]
    session.call("delete_elements", model_id=model, element_ids=[walls[0]["id"]])
    answer, _ = asked(
        session, "quantity_takeoff", model_id=model, categories=["walls"], grouping=["class"], quantities=["Count"], diff_base=before
    )
    [row] = answer["quantities"]
    assert row["change"] == -1 and row["quantity"] == "Count"
