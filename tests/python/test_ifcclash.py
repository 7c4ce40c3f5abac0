"""A house against its electrical model: what Pensaer and ifcclash find, and why they differ, by reasons that are computed here.

ifcclash looks at triangles. Its mode `intersection` finds points of one element inside the other and edges that go through it, for which both have
to be manifold to it; `collision` finds triangles that cross, among which it counts pairs that only touch, and not many of those whose
triangles end in each other's faces. A pair that only one of the two programs finds is judged by the volume of a boolean that neither of them made.
"""

import functools
from collections import Counter

import ifcopenshell
import ifcopenshell.geom
from compare_interference import ours
from conftest import example, models_named
from intersections import by_ifcopenshell, by_manifold, shapes
from measure_clash import clasher, found

MODELS = {path.stem: str(path) for path in models_named("Duplex_A_20110907", "Duplex_Electrical")}
HOUSE, ELECTRICAL = MODELS["Duplex_A_20110907"], MODELS["Duplex_Electrical"]
#: m³: what shares no more than this only touches.
LEAST = 1e-6

SHARES, BROKEN, TOUCHES = "shares a volume", "shares a volume, but one is not manifold to ifcclash", "only touches"
OPEN = "crosses a surface that encloses nothing"
#: How many pairs both find in `intersection`, and why only one of them finds the others: Pensaer, then ifcclash. `collision` finds some pairs
#: in one run and others in the next, so that its reasons are held and not their numbers.
DIFFERENCES = (70, {BROKEN: 6, OPEN: 1}, {})
REASONS = ({SHARES, BROKEN, OPEN}, {TOUCHES})


@functools.cache
def opened(path):
    """A file as IfcOpenShell reads it."""
    return ifcopenshell.open(path)


@functools.cache
def volume(pair):
    """What a boolean of the two elements measures in m³: Manifold's, or where one of them is not manifold IfcOpenShell's."""
    house, electrical = shapes(HOUSE), shapes(ELECTRICAL)
    [a], [b] = [guid for guid in pair if guid in house], [guid for guid in pair if guid in electrical]
    measured = by_manifold(house[a], electrical[b])
    return by_ifcopenshell(house[a], electrical[b]) if measured is None else measured


@functools.cache
def is_manifold(path, guid):
    """True if an element has an inside for ifcclash, as it makes its triangles."""
    shape = ifcopenshell.geom.create_shape(ifcopenshell.geom.settings(), opened(path).by_guid(guid))
    return ifcopenshell.geom.tree(backend="opencascade.trianglebvh").is_manifold(shape.geometry.faces)


def reason(pair, line=None):
    """Why a pair is found by one program alone; `line` is what Pensaer says of it."""
    own = {guid: kind[guid] for kind in (shapes(HOUSE), shapes(ELECTRICAL)) for guid in pair if guid in kind}
    if line and line["volume"] is None:
        return OPEN if not all(shape.is_closed() for shape in own.values()) else "Pensaer has no volume of two closed bodies"
    shared = volume(pair)
    if shared is None:
        return "no boolean measures it"
    if shared <= LEAST:
        return TOUCHES
    whole = [is_manifold(path, guid) for path in (HOUSE, ELECTRICAL) for guid in pair if guid in shapes(path)]
    return SHARES if all(whole) else BROKEN


def compared(mode):
    """How many pairs both programs find, and the reasons for which only Pensaer or only ifcclash finds the others."""
    interferences, _ = ours(example("geometry", "clashes"), [HOUSE, ELECTRICAL])
    own = {pair: line for pair, line in interferences.items() if line["kind"] not in ("touching", "clearance")}
    their = found(clasher(), HOUSE, ELECTRICAL, mode).keys()
    only_own = Counter(reason(pair, own[pair]) for pair in own.keys() - their)
    return len(own.keys() & their), dict(only_own), dict(Counter(map(reason, their - own.keys())))


def test_of_intersections_every_pair_that_only_one_finds_has_its_reason():
    assert compared("intersection") == DIFFERENCES


def test_of_collisions_every_pair_that_only_one_finds_has_a_reason():
    both, only_own, only_their = compared("collision")
    assert both > 0
    assert only_own.keys() <= REASONS[0]
    assert only_their.keys() <= REASONS[1]
