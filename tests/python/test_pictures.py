"""Pictures of drawings in `docs/pictures`: each is what the program draws today, so that a change of what is drawn is looked at, and the docs
show it. `PENSAER_NEW_PICTURES=1` keeps those that differ."""

import os
import urllib.request

import pytest
from client import Client, Fault
from conftest import ROOT, models_named

FOLDER = ROOT / "docs" / "pictures" / "drawings"
OFFICE = "office"

MARKS = {
    "rooms": "area",
    "findings": [
        {"at": [4000, -3000, 4000], "title": "Door too narrow", "note": "780 mm, 815 asked for", "severity": "error"}
    ],
    "path": [[1000, -1000, 3200], [1000, -6000, 3200]],
}
# the model, the name of the picture, the scale, what is cut, and what else is asked for
PICTURES = [
    ("Duplex_A_20110907", "duplex-plan-50", 50, {"level_id": "Level 1"}),
    ("Duplex_A_20110907", "duplex-plan", 100, {"level_id": "Level 2"}),
    ("Duplex_A_20110907", "duplex-marks", 100, {"level_id": "Level 2"}, MARKS),
    ("Duplex_A_20110907", "duplex-section", 100, {"origin": [1000, 0, 0], "normal": [1, 0, 0]}),
    ("Duplex_A_20110907", "duplex-elevation", 100, {"side": "south"}),
    ("AC20-FZK-Haus", "fzk-haus-plan-50", 50, {"level_id": "Erdgeschoss"}),
    ("AC20-FZK-Haus", "fzk-haus-plan", 100, {"level_id": "Dachgeschoss"}),
    ("AC20-FZK-Haus", "fzk-haus-section", 100, {"origin": [6000, 0, 0], "normal": [-1, 0, 0]}),
    ("AC20-FZK-Haus", "fzk-haus-elevation", 100, {"side": "west"}),
    ("LargeBuilding", "large-building-plan", 200, {"level_id": "Level 1"}),
    ("LargeBuilding", "large-building-section", 200, {"origin": [0, 5000, 0], "normal": [0, -1, 0]}),
    ("LargeBuilding", "large-building-elevation", 200, {"side": "south"}),
    ("Niedri", "niedri-plan", 100, {"level_id": "Erdgeschoss"}),
    ("Niedri", "niedri-plan-200", 200, {"level_id": "Obergeschoss"}),
    ("Niedri", "niedri-section", 100, {"origin": [5943, 0, 0], "normal": [-1, 0, 0]}),
    ("Niedri", "niedri-elevation", 100, {"side": "north"}),
    (OFFICE, "office-plan", 100, {"level_id": "Level 3"}),
    (OFFICE, "office-plan-200", 200, {"level_id": "Level 1"}),
    (OFFICE, "office-section", 200, {"origin": [14450, 0, 0], "normal": [1, 0, 0]}),
    (OFFICE, "office-elevation", 200, {"side": "south"}),
]


@pytest.fixture(scope="module")
def sessions(program, evaluated, tmp_path_factory):
    """A session for each model, opened when it is first asked for."""
    opened = {}

    def session(model):
        if model not in opened:
            path = evaluated / "office.ifc" if model == OFFICE else models_named(model)[0]
            opened[model] = Client(program, tmp_path_factory.mktemp(model))
            opened[model].call("load_model", file_path=str(path))
        return opened[model]

    yield session
    for client in opened.values():
        client.__exit__()


@pytest.mark.parametrize("picture", PICTURES, ids=[name for _, name, *_ in PICTURES])
def test_a_picture_in_the_docs_is_what_is_drawn(sessions, picture):
    model, name, scale, plane, *more = picture
    drawn = sessions(model).call(
        "create_section", cut_plane=plane, scale=scale, format="png", dpi=110, **(more[0] if more else {})
    )
    with urllib.request.urlopen(drawn["links"][0]["href"]) as answer:
        picture = answer.read()
    path = FOLDER / f"{name}.png"
    if os.environ.get("PENSAER_NEW_PICTURES"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(picture)
    kept = path.read_bytes() if path.is_file() else b""
    if picture != kept:
        beside = ROOT / "target" / "tmp" / f"{name}.png"
        beside.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(picture)
        pytest.fail(f"{name} is drawn otherwise than docs show: look at {beside}, then keep it with PENSAER_NEW_PICTURES=1")


def test_a_style_names_a_font_file_which_comes_along(sessions, tmp_path):
    style = tmp_path / "ours.style"
    style.write_text(f'[fonts]\nregular = "{ROOT / "crates" / "paper" / "fonts" / "NotoSans-Bold.ttf"}"\n')
    plan = {"cut_plane": {"level_id": "Erdgeschoss"}, "format": "pdf"}
    fonts = []
    for more in ({}, {"style": str(style)}):
        drawn = sessions("AC20-FZK-Haus").call("create_section", **plan, **more)
        with urllib.request.urlopen(drawn["links"][0]["href"]) as answer:
            written = answer.read()
        fonts.append([name in written for name in (b"NotoSans-Regular", b"NotoSans-Bold")])
    assert fonts == [[True, True], [False, True]]
    style.write_text('[fonts]\nregular = "absent.ttf"\n')
    with pytest.raises(Fault, match="absent.ttf"):
        sessions("AC20-FZK-Haus").call("create_section", **plan, style=str(style))
