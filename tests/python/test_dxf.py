"""Pages written as DXF are read by ezdxf without an error and without a repair, and hold what the page does."""

import io
import subprocess
import urllib.request

import ezdxf
import ifcopenshell
import pytest
from conftest import example
from ezdxf import bbox, recover, units, xclip
from ifcopenshell.util.element import get_container

FILES = ["aia", "iso", "sheet"]
WALL = ["2O2Fr$t4X7Zf8NOew3FLOH", "IfcWall", 'Outer wall <A> & "B"']


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The demonstration page in every format."""
    made = tmp_path_factory.mktemp("pages")
    subprocess.run([*example("paper", "demonstration"), str(made)], check=True)
    return made


def read(folder, name):
    return ezdxf.readfile(folder / f"{name}.dxf")


def told(entity):
    """The element that an entity says it shows."""
    return [tag.value for tag in entity.get_xdata("PENSAER")] if entity.has_xdata("PENSAER") else None


@pytest.mark.parametrize("name", FILES)
def test_a_drawing_is_read_without_error_or_repair(folder, name):
    drawing = read(folder, name)
    audit = drawing.audit()
    assert not audit.errors and not audit.fixes, (audit.errors, audit.fixes)
    _, strict = recover.readfile(folder / f"{name}.dxf")
    assert not strict.errors and not strict.fixes, (strict.errors, strict.fixes)
    assert drawing.dxfversion == "AC1032"
    assert drawing.units == units.MM


@pytest.mark.parametrize("name", FILES)
def test_a_drawing_written_again_is_the_same_drawing(folder, tmp_path, name):
    drawing = read(folder, name)
    drawing.saveas(tmp_path / "again.dxf")
    again = ezdxf.readfile(tmp_path / "again.dxf")
    kinds = [[entity.dxftype() for entity in own.modelspace()] for own in (drawing, again)]
    assert kinds[0] == kinds[1]


def test_a_view_to_scale_is_in_the_worlds_millimetres(folder):
    view, sheet = (read(folder, name) for name in ("aia", "sheet"))
    sizes = [bbox.extents(drawing.modelspace().query('LWPOLYLINE[layer=="A-WALL-FULL"]')).size for drawing in (view, sheet)]
    # 180 by 110 mm of paper at 1:50
    assert sizes[0].isclose((9000, 5500, 0)) and sizes[1].isclose((180, 110, 0))
    assert view.header["$LTSCALE"] == 50 and sheet.header["$LTSCALE"] == 1


def test_layers_are_those_of_the_standards(folder):
    layers = {layer.dxf.name: layer for layer in read(folder, "aia").layers}
    assert {"A-WALL-FULL", "A-WALL-PATT", "A-DOOR", "A-ANNO-DIMS", "A-ANNO-TTLB", "A-FURN"} <= set(layers)
    assert layers["A-WALL-FULL"].dxf.lineweight == 50 and layers["A-ANNO-REVC"].dxf.color == 1
    names = {layer.dxf.name for layer in read(folder, "iso").layers} - {"0", "Defpoints"}
    assert {"A-21----E1", "A-21----H-", "A-------D-"} <= names and all(len(name) == 10 for name in names)


def test_hatches_have_patterns_islands_and_their_element(folder):
    space = read(folder, "aia").modelspace()
    [brick] = [hatch for hatch in space.query("HATCH") if hatch.dxf.pattern_name == "BRICK"]
    assert told(brick) == WALL and brick.dxf.layer == "A-WALL-PATT"
    [line] = brick.pattern.lines
    assert line.angle == 45 and line.offset.magnitude == pytest.approx(60, abs=1e-4)
    [column] = [hatch for hatch in space.query("HATCH") if told(hatch) and "Column" in told(hatch) and not hatch.dxf.solid_fill]
    assert len(column.paths) == 2 and len(column.pattern.lines) == 3
    assert [flags & 1 for flags in (path.path_type_flags for path in column.paths)] == [1, 0]


def test_symbols_are_blocks_and_groups_within_an_area_are_clipped(folder):
    drawing = read(folder, "aia")
    inserts = drawing.modelspace().query("INSERT")
    doors = [insert for insert in inserts if insert.dxf.name == "door"]
    assert len(doors) == 2 and doors[0].dxf.layer == "A-DOOR"
    assert {insert.dxf.name for insert in drawing.blocks["table"].query("INSERT")} == {"chair"}
    [clipped] = [insert for insert in inserts if insert.dxf.name.startswith("*U")]
    path = xclip.XClip(clipped).get_block_clipping_path().outer_bounds()
    assert path.size.isclose((1500, 1500), abs_tol=1)


def test_words_of_every_script_are_as_they_were(folder):
    texts = {text.dxf.text: text for text in read(folder, "aia").modelspace().query("TEXT")}
    for said in ("24.13 m² ≥ 18 m²  ⌀ 32", "Кухня · Κουζίνα · AVATAR", "غرفة المعيشة 12 m²", "Kitchen"):
        assert said in texts
    title = texts["Kitchen"]
    assert title.dxf.height == 175 and title.dxf.style == "PENSAER-BOLD" and title.get_placement()[0].name == "MIDDLE_CENTER"


@pytest.mark.parametrize("standard", ["aia", "iso13567"])
def test_a_real_plan_has_layers_and_blocks_of_its_doors_windows_and_furniture(shared_session, duplex, standard):
    shared_session.call("load_model", file_path=str(duplex))
    drawn = shared_session.call("create_section", cut_plane={"level_id": "Level 2"}, format="dxf", layers=standard)
    with urllib.request.urlopen(drawn["links"][0]["href"]) as answer:
        drawing, audit = recover.read(io.BytesIO(answer.read()))
    assert not audit.errors and not audit.fixes, (audit.errors, audit.fixes)
    space = drawing.modelspace()
    layers = {entity.dxf.layer for entity in space}
    assert all(layer in drawing.layers for layer in layers) and len(layers) > 15
    wanted = {"aia": ["A-WALL-FULL", "A-ANNO-DIMS", "A-FLOR-STRS"], "iso13567": ["A-21----E1", "A-------D-", "A-24----E2"]}
    assert layers.issuperset(wanted[standard])
    inserts = space.query("INSERT")
    shown = [told(insert) for insert in inserts]
    classes = [about[1] for about in shown]
    file = ifcopenshell.open(duplex)
    for kind in ("IfcDoor", "IfcWindow"):
        on_storey = [own for own in file.by_type(kind) if get_container(own).Name == "Level 2"]
        assert classes.count(kind) == len(on_storey) > 5
    assert "IfcFurnishingElement" in classes
    assert len({about[0] for about in shown}) == len(shown), "each element is one block reference"
    # both flats have the same furniture
    names = [insert.dxf.name for insert in inserts]
    assert len(set(names)) < len(names) * 0.8
    for insert in inserts:
        assert len(drawing.blocks[insert.dxf.name]) > 0
    # where they are placed they lie within the house
    box = bbox.extents(inserts)
    walls = bbox.extents(space.query('*[layer=="A-WALL-FULL"]' if standard == "aia" else '*[layer=="A-21----E1"]'))
    assert walls.extmin.x - 1300 < box.extmin.x and box.extmax.x < walls.extmax.x + 1300
