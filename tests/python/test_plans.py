"""Plans in many manners are read as the walls, doors and rooms that they show."""

import json
import math
import subprocess
import urllib.request

import ifcopenshell
import ifcopenshell.geom
import numpy
import plan_svg
import pytest
from conftest import example, models_named
from ifcopenshell.util.element import get_container
from plan_manners import MANNERS, make

# an axis may lie this far from where it is, in mm, and a thickness differ by this
OFF, THICK = 10.0, 10.0


def read(path, *options):
    done = subprocess.run([*example("plans", "read"), str(path), *options], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def world(plan):
    """Walls and openings where they are in the drawing, in mm."""
    ox, oy = (k * plan["scale"]["mm_per_unit"] for k in plan["origin"]["drawing"])

    def put(point):
        return [point[0] + ox, point[1] + oy]

    walls = [{**own, "start": put(own["start"]), "end": put(own["end"])} for own in plan["walls"]]
    doors = [{**own, "centre": put(own["centre"])} for own in plan["doors"]]
    windows = [{**own, "centre": put(own["centre"])} for own in plan["windows"]]
    return walls, doors, windows


def along(wall, other):
    """What another wall covers of a wall: from and to in mm along it; none where it lies elsewhere."""
    (x1, y1), (x2, y2) = wall["start"], wall["end"]
    length = math.hypot(x2 - x1, y2 - y1)
    u = ((x2 - x1) / length, (y2 - y1) / length)
    ends = []
    for x, y in (other["start"], other["end"]):
        off = u[0] * (y - y1) - u[1] * (x - x1)
        if abs(off) > OFF:
            return None
        ends.append(u[0] * (x - x1) + u[1] * (y - y1))
    return max(0.0, min(ends)), min(length, max(ends))


def covered(wall, others, with_thickness=True):
    """The share of a wall's axis that others cover."""
    (x1, y1), (x2, y2) = wall["start"], wall["end"]
    length = math.hypot(x2 - x1, y2 - y1)
    parts = []
    for other in others:
        if with_thickness and abs(other["thickness"] - wall["thickness"]) > THICK:
            continue
        own = along(wall, other)
        if own and own[1] > own[0]:
            parts.append(own)
    parts.sort()
    total, reached = 0.0, 0.0
    for a, b in parts:
        total += max(0.0, b - max(a, reached))
        reached = max(reached, b)
    return total / length


def ends_meet(wall, walls):
    """True if one wall begins and ends where this one does, within 20 mm."""
    for own in walls:
        for a, b in ((own["start"], own["end"]), (own["end"], own["start"])):
            if math.dist(a, wall["start"]) < 20 and math.dist(b, wall["end"]) < 20:
                return True
    return False


def score(plan, truth, is_single=False):
    """How many walls, doors, windows and rooms were found, of how many, and how many that are none."""
    walls, doors, windows = world(plan)
    found = [covered(wall, walls, not is_single) > 0.95 for wall in truth["walls"]]
    extra = [own for own in walls if covered(own, truth["walls"], False) < 0.5]

    def matched(wanted, got):
        left = list(got)
        hits = 0
        for own in wanted:
            near = [other for other in left if math.dist(other["centre"], own["centre"]) < 100 and abs(other["width"] - own["width"]) < 0.1 * own["width"]]
            if near:
                left.remove(near[0])
                hits += 1
        return hits, len(left)

    names = [(room["name"] or "").lower() for room in plan["rooms"]]
    door_hits, door_extra = matched(truth["doors"], doors)
    window_hits, window_extra = matched(truth["windows"], windows)
    return {
        "walls": (sum(found), len(found)),
        "exact": sum(ends_meet(wall, walls) for wall in truth["walls"]),
        "walls_extra": len(extra),
        "doors": (door_hits, len(truth["doors"])),
        "doors_extra": door_extra,
        "windows": (window_hits, len(truth["windows"])),
        "windows_extra": window_extra,
        "rooms": (sum(name.lower() in names for name in truth["rooms"]), len(truth["rooms"])),
        "scale": plan["scale"]["source"],
        "asked": len(plan["questions"]),
    }


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plans")
    found = {}
    for name, (_, manner) in MANNERS.items():
        drawing, truth = make(name)
        path = folder / f"{name}.dxf"
        drawing.saveas(path)
        found[name] = score(read(path), truth, manner.get("walls") == "single")
    return found


def total(scores, what):
    return sum(own[what][0] for own in scores.values()) / sum(own[what][1] for own in scores.values())


def table(scores):
    rows = ["manner | walls | ends | extra | doors | extra | windows | extra | rooms | scale"]
    for name, own in scores.items():
        share = {what: "{}/{}".format(*own[what]) for what in ("walls", "doors", "windows", "rooms")}
        rows.append(
            f"{name} | {share['walls']} | {own['exact']} | {own['walls_extra']} | {share['doors']} | {own['doors_extra']} | {share['windows']} | {own['windows_extra']} | {share['rooms']} | {own['scale']}"
        )
    return "\n".join(rows)


def test_there_are_fifty_manners(scores):
    assert len(scores) >= 50


@pytest.mark.parametrize("what", ["walls", "doors", "windows", "rooms"])
def test_of_what_is_drawn_at_least_95_per_cent_are_found(scores, what):
    assert total(scores, what) >= 0.95, table(scores)


def test_hardly_anything_is_found_that_is_not_there(scores):
    walls = sum(own["walls"][1] for own in scores.values())
    doors = sum(own["doors"][1] for own in scores.values())
    assert sum(own["walls_extra"] for own in scores.values()) < 0.03 * walls, table(scores)
    assert sum(own["doors_extra"] for own in scores.values()) < 0.03 * doors, table(scores)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for name, (base, manner) in plan_svg.SVG_MANNERS.items():
        drawing, truth = make(base)
        path = folder / f"{name}.svg"
        path.write_text(plan_svg.write(drawing, MANNERS[base][1].get("unit", 1.0), **manner), encoding="utf-8")
        found[name] = score(read(path), truth)
    return found


@pytest.mark.parametrize("what", ["walls", "doors", "rooms"])
def test_of_what_is_on_pages_at_least_95_per_cent_are_found(pages, what):
    assert total(pages, what) >= 0.95, table(pages)


def bodies(file, storey):
    """The walls of a storey by their bodies, seen from above: the axis in their middle, in mm."""
    settings = ifcopenshell.geom.settings()
    settings.set("use-world-coords", True)
    for wall in file.by_type("IfcWall"):
        if get_container(wall).Name != storey:
            continue
        shape = ifcopenshell.geom.create_shape(settings, wall)
        points = numpy.array(shape.geometry.verts).reshape(-1, 3) * 1000
        turned = numpy.array(ifcopenshell.util.placement.get_local_placement(wall.ObjectPlacement))[:2, 0]
        u = turned / numpy.linalg.norm(turned)
        n = numpy.array([-u[1], u[0]])
        along, off = points[:, :2] @ u, points[:, :2] @ n
        if numpy.ptp(along) < numpy.ptp(off):
            u, n, along, off = n, -u, off, points[:, :2] @ -u
        middle = (off.max() + off.min()) / 2
        start, end = (list(u * k + n * middle) for k in (along.min(), along.max()))
        yield {"name": wall.Name, "start": start, "end": end, "thickness": float(numpy.ptp(off)), "low": points[:, 2].min(), "high": points[:, 2].max()}


@pytest.mark.parametrize(("kind", "standard"), [("dxf", "aia"), ("dxf", "iso13567"), ("svg", None)])
def test_our_own_plan_is_read_as_the_walls_of_the_model(shared_session, tmp_path, kind, standard, monkeypatch):
    [house] = models_named("AC20-FZK-Haus")
    shared_session.call("load_model", file_path=str(house))
    layers = {"layers": standard} if standard else {}
    drawn = shared_session.call("create_section", cut_plane={"level_id": "Erdgeschoss"}, format=kind, **layers)
    path = tmp_path / f"own.{kind}"
    with urllib.request.urlopen(drawn["links"][0]["href"]) as answer:
        path.write_bytes(answer.read())
    plan = read(path)
    walls, doors, windows = world(plan)
    file = ifcopenshell.open(house)
    truth = list(bodies(file, "Erdgeschoss"))
    if kind == "svg":
        # a page has no place in the world: it is laid on the model by its lower left corner
        corner = [min(own[k][n] for own in truth for k in ("start", "end")) for n in (0, 1)]
        read_corner = plan["origin"]["drawing"]
        off = [corner[n] - read_corner[n] * plan["scale"]["mm_per_unit"] for n in (0, 1)]
        walls = [{**own, **{k: [own[k][n] + off[n] for n in (0, 1)] for k in ("start", "end")}} for own in walls]
    monkeypatch.setattr("test_plans.OFF", 1.0)
    monkeypatch.setattr("test_plans.THICK", 1.0)
    missed = [own["name"] for own in truth if covered(own, walls) < 0.95]
    assert not missed and len(walls) == len(truth), (missed, walls)
    on_storey = {kind: len([own for own in file.by_type(kind) if get_container(own).Name == "Erdgeschoss"]) for kind in ("IfcDoor", "IfcWindow")}
    assert len(doors) == on_storey["IfcDoor"] and len(windows) == on_storey["IfcWindow"]
    names = {room["name"] for room in plan["rooms"]} | {name for room in plan["rooms"] for name in room.get("further_names", [])}
    assert {"Bad", "Buero", "Schlafzimmer", "Flur", "Wohnen", "Küche"} <= names, names


if __name__ == "__main__":
    import sys
    import tempfile
    from pathlib import Path

    folder = Path(tempfile.mkdtemp())
    wanted = sys.argv[1:] or list(MANNERS)
    every = {}
    for each in wanted:
        made, shown = make(each)
        made.saveas(folder / f"{each}.dxf")
        every[each] = score(read(folder / f"{each}.dxf"), shown, MANNERS[each][1].get("walls") == "single")
    print(table(every))
    for part in ("walls", "doors", "windows", "rooms"):
        print(part, round(total(every, part), 4))
    print(folder)
