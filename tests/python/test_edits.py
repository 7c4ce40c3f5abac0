"""Random edits on a house through the server: after each the quantities that the file states are the volumes and areas of the bodies
that IfcOpenShell makes, rooms share no space, and every edit taken back leaves the file that was there before; after every sixth what overlaps
was told by `sound` of the edit that made it so, and what that tells of overlaps is so."""

import functools
import math
import random
import re

import client
import ifcopenshell
import ifcopenshell.geom
import ifcopenshell.util.element
import ifcopenshell.util.shape
import pytest
from passed import found_well, is_found_well
from soundness import TOUCH, Building, near

#: Classes and the set that states their net volume.
SETS = {
    "IfcWall": "Qto_WallBaseQuantities",
    "IfcSlab": "Qto_SlabBaseQuantities",
    "IfcSpace": "Qto_SpaceBaseQuantities",
    "IfcColumn": "Qto_ColumnBaseQuantities",
    "IfcBeam": "Qto_BeamBaseQuantities",
}
#: Edits of one walk.
EDITS = 25
#: Edits from one look at all bodies to the next.
LOOK = 6


class Walk:
    """A house of the server, and edits on it drawn from a seed."""

    def __init__(self, session, schema, seed, folder):
        self.session, self.dice, self.folder = session, random.Random(f"{schema} {seed}"), folder
        made = session.call("create_project", name=f"Edits {seed}", schema=schema, storeys=[{"name": "Ground", "elevation": 0}])
        self.model = made["model_id"]
        x, y = self.dice.randrange(9000, 14000, 500), self.dice.randrange(7000, 11000, 500)
        shell = self.call(
            "create_building_shell",
            footprint=[[0, 0], [x, 0], [x, y], [0, y]],
            storeys=self.dice.choice([1, 2]),
            wall_thickness=self.dice.randrange(200, 400, 50),
            roof=self.dice.choice(["flat", "gable", "hip"]),
            overhang=300,
        )
        for storey in shell["storeys"]:
            rooms = [{"name": f"Room {n}", "area": self.dice.randrange(10, 20)} for n in range(3)]
            self.call("create_rooms", level_id=storey["level_id"], rooms=rooms, doors=True)
            for wall in storey["walls"]:
                self.call(
                    "create_opening", host_id=wall["wall_id"], location={"at": "center"}, width=1200, height=1300, opening_type="window"
                )
        self.saved = 0

    def call(self, tool, **arguments):
        return self.session.call(tool, model_id=self.model, **arguments)

    def save(self):
        """The model as a file."""
        self.saved += 1
        path = self.folder / f"{self.saved}.ifc"
        self.call("save_model", file_path=str(path))
        return path

    def any(self, selector):
        """The GlobalId of an element of a class. It is drawn by its place in the order of creation, which is the same in every run."""
        rows = self.call("query_elements", selector=selector, limit=200)["rows"]
        return self.dice.choice([row["id"] for row in rows]) if rows else None

    def elevation(self, storey):
        """The height of a storey in mm; the houses are in metres."""
        rows = self.call("query_elements", selector="IfcBuildingStorey", fields=["Elevation"])["rows"]
        return next(float(row.get("Elevation") or 0) for row in rows if row["id"] == storey) * 1000

    def drawn(self):
        """The next edit: a tool and its arguments."""
        dice = self.dice
        wall, opening = self.any("IfcWall"), self.any(dice.choice(["IfcDoor", "IfcWindow"]))
        by = [dice.choice([-1, 1]) * dice.randrange(50, 500, 50), dice.choice([-1, 0, 1]) * dice.randrange(0, 300, 50)]
        dice.shuffle(by)

        def parameter(element, name, value):
            return "modify_parameter", {"element_id": element, "parameter_name": name, "value": value}

        storey = self.any("IfcBuildingStorey")
        return dice.choice(
            [
                ("move_elements", {"element_ids": [wall], "by": by}),
                ("move_elements", {"element_ids": [wall], "by": by}),
                ("rotate_elements", {"element_ids": [wall], "angle": dice.randrange(-8, 8)}),
                parameter(wall, "thickness", dice.randrange(100, 400, 10)),
                parameter(wall, "height", dice.randrange(2200, 3300, 50)),
                parameter(opening, "width", dice.randrange(600, 2000, 50)),
                parameter(opening, "height", dice.randrange(600, 2300, 50)),
                parameter(opening, "along", dice.randrange(600, 6000, 50)),
                parameter(storey, "elevation", self.elevation(storey) + dice.randrange(-300, 400, 100)),
                parameter(self.any("IfcSlab"), "thickness", dice.randrange(120, 320, 20)),
                ("create_opening", {"host_id": wall, "location": {"fraction": dice.random()}, "width": 900, "height": 2000, "opening_type": "door"}),
                ("create_column", {"level_id": storey, "at": [[dice.randrange(500, 8000), dice.randrange(500, 6000)]], "width": 300}),
                ("create_beam", {"level_id": storey, "start": [dice.randrange(500, 8000), 1000], "end": [5000, 5000], "width": 200, "depth": 300}),
                ("copy_elements", {"element_ids": [wall], "by": [30_000, 0]}),
                ("mirror_elements", {"element_ids": [wall], "line": [[40_000, 0], [40_000, 1000]], "copy": True}),
                ("join_elements", {"element_ids": [wall, self.any("IfcWall")], "join_type": dice.choice(["auto", "mitre", "butt"])}),
                ("delete_elements", {"element_ids": [dice.choice([wall, opening])]}),
            ]
        )


@functools.lru_cache(maxsize=1)
def opened(path):
    """The bodies of a file."""
    return Building(ifcopenshell.open(str(path)))


def misstated(path):
    """What is wrong with a file; nothing, without making bodies, where a file that is alike was looked at and found well."""
    if is_found_well("quantities", path):
        return set()
    found = set(wrong(opened(path)))
    if not found:
        found_well("quantities", path)
    return found


def wrong(building):
    """Stated quantities that IfcOpenShell's bodies do not bear out, and rooms that share space, in sentences."""
    model = building.model
    settings = ifcopenshell.geom.settings()
    settings.set("use-world-coords", True)
    for element in (element for name in SETS for element in model.by_type(name) if element.Representation):
        called = f"{element.is_a()} {element.Name}"
        shape = ifcopenshell.geom.create_shape(settings, element).geometry
        stated = ifcopenshell.util.element.get_pset(element, next(SETS[name] for name in SETS if element.is_a(name))) or {}
        measured = {"NetVolume": ifcopenshell.util.shape.get_volume(shape)}
        if element.is_a("IfcSpace"):
            measured["NetFloorArea"] = ifcopenshell.util.shape.get_footprint_area(shape)
        for name, value in measured.items():
            if name not in stated:
                yield f"{called} states no {name}"
            elif not math.isclose(stated[name], value, rel_tol=1e-5, abs_tol=1e-5):
                yield f"{called} states {name} {stated[name]:.6f}, its body has {value:.6f}"
    for one, other in near(building.spaces):
        volume = one.shared(other)
        if volume > TOUCH:
            yield f"{one.name} and {other.name} share {volume:.4f} m3"


#: What meets in nodes, and so may share space there.
FRAME = ("IfcColumn", "IfcBeam", "IfcMember")


class Overlaps:
    """Pairs of elements that share space, measured on IfcOpenShell's bodies and held against what edits told of them."""

    def __init__(self, building):
        #: Pairs of GlobalIds that were told, or there from the beginning, and are there still.
        self.said = set(overlaps(building))

    def look(self, building, answer=None):
        """What no answer told of a building, and what the last one told of it and is not so, in sentences."""
        there = overlaps(building)
        silent = [f"untold: {what}" for pair, what in there.items() if pair not in self.said]
        # what parted has to be told again when it comes back
        self.said &= set(there)
        bodies = {item.element.GlobalId: item for item in building.solids}
        wrong = [
            f"told, and not so: {bodies[one].name} and {bodies[other].name} overlap"
            for one, other in (sorted(pair) for pair in told(answer or {}))
            if {one, other} <= bodies.keys() and building.measured(bodies[one], bodies[other]) < NOTHING
        ]
        return silent + wrong


#: Bodies that share no more cubic metres than this are apart.
NOTHING = 1e-7


def overlaps(building):
    """Pairs of GlobalIds of elements that share space, with a sentence on each."""
    found = {}
    for one, other in near(building.solids):
        if all(any(item.element.is_a(name) for name in FRAME) for item in (one, other)):
            continue
        volume = building.measured(one, other)
        if volume > TOUCH:
            pair = frozenset(item.element.GlobalId for item in (one, other))
            found[pair] = f"{one.name} and {other.name} share {volume:.4f} m3"
    return found


def told(answer):
    """The pairs of elements that an answer says to share space."""
    sound = answer.get("sound")
    found = [] if sound in (None, True) else sound
    return {frozenset(item["elements"]) for item in found if item["kind"] == "overlap"}


def left_out(answer):
    """The number of findings that an answer says it does not list."""
    sound = answer.get("sound")
    notes = [item["say"] for item in sound if item["kind"] == "more"] if isinstance(sound, list) else []
    return sum(int(found[1]) for say in notes if (found := re.match(r"(\d+) more are not listed", say)))


def content(path):
    """The data of a file, without its header, which says when it was written."""
    return path.read_text().partition("DATA;")[2]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("schema", ["IFC2X3", "IFC4", "IFC4X3"])
def test_quantities_are_those_of_ifcopenshell_after_every_edit_and_each_can_be_taken_back(shared_session, tmp_path, schema, seed):
    walk = Walk(shared_session, schema, seed, tmp_path)
    states, refused = [walk.save()], 0
    known = misstated(states[0])
    bad, seen = list(known), Overlaps(opened(states[0]))
    for step in range(EDITS):
        tool, arguments = walk.drawn()
        try:
            answer = walk.call(tool, **arguments)
        except client.Fault:
            refused += 1
            continue
        saved = walk.save()
        # what comes to nothing, such as a turn by 0 degrees, makes no version
        if content(saved) == content(states[-1]):
            continue
        states.append(saved)
        seen.said |= told(answer)
        if more := left_out(answer):
            silent = set(overlaps(opened(saved))) - seen.said
            # as many as it says that it does not list, and no more
            if len(silent) <= more:
                seen.said |= silent
        new = misstated(saved) - known
        known |= new
        found = sorted(new) + (seen.look(opened(saved), answer) if len(states) % LOOK == 0 else [])
        bad += [f"{step}: {tool} {arguments}: {what}" for what in found]
    bad += seen.look(opened(states[-1]))
    assert not bad, "\n".join(bad)
    assert len(states) > EDITS / 3, f"{refused} of {EDITS} edits were refused"
    states.pop()
    while states:
        walk.call("undo")
        assert content(walk.save()) == content(states.pop())
