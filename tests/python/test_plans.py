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

# a face may lie this far from where it is drawn, in mm
FACE = 1.0


def read(*paths):
    """What each of some drawings shows, read in one run."""
    done = subprocess.run([*example("plans", "read"), *map(str, paths)], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def world(plan):
    """Walls and openings where they are in the drawing, in mm."""
    ox, oy = (k * plan["scale"]["mm_per_unit"] for k in plan["origin"]["drawing"])

    def put(point):
        return [point[0] + ox, point[1] + oy]

    walls = [{**own, "start": put(own["start"]), "end": put(own["end"])} for own in plan["walls"]]
    doors = [{**own, "centre": put(own["centre"])} for own in plan["doors"]]
    windows = [{**own, "centre": put(own["centre"])} for own in plan["windows"]]
    return walls, doors, windows


def is_where(own, wall, has_faces=True):
    """True if a wall that was found is one that was drawn: both its faces within a mm of the drawn ones at both ends, and its ends no
    further from the drawn ends than the wall is thick. Of a wall that is drawn as one line the axis is compared, since it has no faces."""
    start, end = numpy.array(wall["start"]), numpy.array(wall["end"])
    length = math.dist(start, end)
    u = (end - start) / length
    ends = sorted(([float(u @ (p - start)), float(u[0] * (p - start)[1] - u[1] * (p - start)[0])] for p in (numpy.array(own["start"]), numpy.array(own["end"]))))
    (a, off_a), (b, off_b) = ends
    if b - a < 1 or abs(a) > wall["thickness"] or abs(b - length) > wall["thickness"]:
        return False
    slope = (off_b - off_a) / (b - a)
    half = (own["thickness"] - wall["thickness"]) / 2 if has_faces else 0.0
    offs = [off_a + slope * (at - a) for at in (0.0, length)]
    return all(abs(off + side * half) <= FACE for off in offs for side in (1, -1))


def by_position(made, found, has_faces=True):
    """How many of the walls that were drawn are found where they are, each as one, and how many are found that were not drawn."""
    left = list(found)
    hits = 0
    for wall in made:
        own = next((own for own in left if is_where(own, wall, has_faces)), None)
        if own is not None:
            left.remove(own)
            hits += 1
    return hits, len(left)


def score(plan, truth, is_single=False):
    """How many walls, doors, windows and rooms were found, of how many, and how many that are none."""
    walls, doors, windows = world(plan)
    wall_hits, wall_extra = by_position(truth["walls"], walls, not is_single)

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
        "walls": (wall_hits, len(truth["walls"])),
        "walls_extra": wall_extra,
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
    return measured(tmp_path_factory.mktemp("plans"), MANNERS)


def measured(folder, names):
    """The scores of manners by their names."""
    truths, paths = [], []
    for name in names:
        drawing, truth = make(name)
        paths.append(folder / f"{name}.dxf")
        drawing.saveas(paths[-1])
        truths.append(truth)
    plans = read(*paths)
    assert len(plans) == len(paths)
    return {name: score(plan, truth, MANNERS[name][1].get("walls") == "single") for name, plan, truth in zip(names, plans, truths)}


def total(scores, what):
    return sum(own[what][0] for own in scores.values()) / sum(own[what][1] for own in scores.values())


def table(scores):
    rows = ["manner | walls | extra | doors | extra | windows | extra | rooms | scale"]
    for name, own in scores.items():
        share = {what: "{}/{}".format(*own[what]) for what in ("walls", "doors", "windows", "rooms")}
        rows.append(
            f"{name} | {share['walls']} | {own['walls_extra']} | {share['doors']} | {own['doors_extra']} | {share['windows']} | {own['windows_extra']} | {share['rooms']} | {own['scale']}"
        )
    return "\n".join(rows)


def test_there_are_fifty_manners(scores):
    assert len([name for name in scores if not name.startswith("mixed-")]) >= 50


def test_a_wall_counts_only_where_it_is_and_as_one():
    wall = {"start": [0, 0], "end": [5000, 0], "thickness": 200}

    def moved(**other):
        return {**wall, **other}

    for own in (wall, moved(start=[5000, 0], end=[0, 0]), moved(end=[5150, 0]), moved(start=[0, 0.4], end=[5000, -0.4])):
        assert is_where(own, wall), own
    for own in (moved(thickness=203), moved(start=[0, 1.5], end=[5000, 1.5]), moved(end=[5000, 3]), moved(end=[5250, 0]), moved(start=[300, 0])):
        assert not is_where(own, wall), own
    assert by_position([wall], [moved(end=[2500, 0]), moved(start=[2500, 0])]) == (0, 2)
    assert by_position([wall, wall], [wall]) == (1, 0)


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
    truths, paths = [], []
    for name, (base, manner) in plan_svg.SVG_MANNERS.items():
        drawing, truth = make(base)
        paths.append(folder / f"{name}.svg")
        paths[-1].write_text(plan_svg.write(drawing, MANNERS[base][1].get("unit", 1.0), **manner), encoding="utf-8")
        truths.append(truth)
    return {name: score(plan, truth) for name, plan, truth in zip(plan_svg.SVG_MANNERS, read(*paths), truths)}


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
def test_our_own_plan_is_read_as_the_walls_of_the_model(shared_session, tmp_path, kind, standard):
    [house] = models_named("AC20-FZK-Haus")
    shared_session.call("load_model", file_path=str(house))
    layers = {"layers": standard} if standard else {}
    drawn = shared_session.call("create_section", cut_plane={"level_id": "Erdgeschoss"}, format=kind, **layers)
    path = tmp_path / f"own.{kind}"
    with urllib.request.urlopen(drawn["links"][0]["href"]) as answer:
        path.write_bytes(answer.read())
    [plan] = read(path)
    walls, doors, windows = world(plan)
    file = ifcopenshell.open(house)
    truth = list(bodies(file, "Erdgeschoss"))
    if kind == "svg":
        # a page has no place in the world: it is laid on the model by its lower left corner
        corner = [min(own[k][n] for own in truth for k in ("start", "end")) for n in (0, 1)]
        read_corner = plan["origin"]["drawing"]
        off = [corner[n] - read_corner[n] * plan["scale"]["mm_per_unit"] for n in (0, 1)]
        walls = [{**own, **{k: [own[k][n] + off[n] for n in (0, 1)] for k in ("start", "end")}} for own in walls]
    assert by_position(truth, walls) == (len(truth), 0), walls
    on_storey = {kind: len([own for own in file.by_type(kind) if get_container(own).Name == "Erdgeschoss"]) for kind in ("IfcDoor", "IfcWindow")}
    assert len(doors) == on_storey["IfcDoor"] and len(windows) == on_storey["IfcWindow"]
    names = {room["name"] for room in plan["rooms"]} | {name for room in plan["rooms"] for name in room.get("further_names", [])}
    assert {"Bad", "Buero", "Schlafzimmer", "Flur", "Wohnen", "Küche"} <= names, names


if __name__ == "__main__":
    import sys
    import tempfile
    from pathlib import Path

    folder = Path(tempfile.mkdtemp())
    every = measured(folder, sys.argv[1:] or list(MANNERS))
    print(table(every))
    for part in ("walls", "doors", "windows", "rooms"):
        print(part, round(total(every, part), 4))
    print(folder)
