"""Pictures of drawings in `docs/pictures`: each is what the program draws today, so that a change of what is drawn is looked at, and the docs
show it. `PENSAER_NEW_PICTURES=1` keeps those that differ. On one machine they are the same bytes; another one may round a rim of a line
otherwise, so one pixel of a thousand may differ."""

import os
import urllib.request
import zlib

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


def pixels(png):
    """The rows of a PNG of eight bits, without what its rows were written as differences to."""
    at, packed, size, kind = 8, b"", None, None
    while at < len(png):
        length, name = int.from_bytes(png[at : at + 4]), png[at + 4 : at + 8]
        part = png[at + 8 : at + 8 + length]
        if name == b"IHDR":
            size, kind = (int.from_bytes(part[:4]), int.from_bytes(part[4:8])), part[9]
            assert (part[8], part[12]) == (8, 0), "eight bits, not interlaced"
        packed += part if name == b"IDAT" else b""
        at += 12 + length
    step = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    flat, wide = zlib.decompress(packed), size[0] * step
    rows, before = [], bytes(wide)
    for start in range(0, len(flat), wide + 1):
        own, row = flat[start], bytearray(flat[start + 1 : start + 1 + wide])
        for x in range(wide if own else 0):
            left, up = row[x - step] if x >= step else 0, before[x]
            corner = before[x - step] if x >= step else 0
            if own == 4:
                guess = left + up - corner
                add = min((left, up, corner), key=lambda value: abs(guess - value))
            else:
                add = (0, left, up, (left + up) // 2)[own]
            row[x] = (row[x] + add) & 255
        before = bytes(row)
        rows.append(before)
    return size, kind, rows


def is_alike(one, other):
    """True of the same bytes, and of pictures of which hardly a pixel differs."""
    if one == other or not other:
        return one == other
    (size, kind, rows), (*same, others) = pixels(one), pixels(other)
    if same != [size, kind]:
        return False
    differ = sum(abs(a - b) > 16 for row, own in zip(rows, others) if row != own for a, b in zip(row, own))
    return differ * 1000 < sum(map(len, rows))


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
    if not is_alike(picture, kept):
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


def test_pictures_are_alike_where_hardly_a_pixel_differs():
    one, other = ((FOLDER / f"{name}.png").read_bytes() for name in ("duplex-elevation", "fzk-haus-elevation"))
    assert is_alike(one, one) and not is_alike(one, other) and not is_alike(one, b"")
    size, kind, rows = pixels(one)

    def chunk(name, part):
        return len(part).to_bytes(4) + name + part + zlib.crc32(name + part).to_bytes(4)

    def written(rows):
        head = size[0].to_bytes(4) + size[1].to_bytes(4) + bytes([8, kind, 0, 0, 0])
        flat = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
        return one[:8] + chunk(b"IHDR", head) + chunk(b"IDAT", flat) + chunk(b"IEND", b"")

    changed = [bytearray(row) for row in rows]
    changed[40][100:140] = bytes(255 - value for value in changed[40][100:140])
    assert is_alike(one, written(rows)) and is_alike(one, written(changed))
    for row in changed[50:80]:
        row[:] = bytes(255 - value for value in row)
    assert not is_alike(one, written(changed))
