"""A house against its electrical model: what Pensaer and ifcclash find, and why they differ, by reasons that are computed here.

ifcclash looks at triangles. Its mode `intersection` finds points of one element inside the other and edges that go through it, for which both have
to be manifold to it; `collision` finds triangles that cross, among which it counts pairs that only touch, and not many of those whose
triangles end in each other's faces. A pair that only one of the two programs finds is judged by the volume of a boolean that neither of them made.
"""

import functools
from collections import Counter

import ifcopenshell
import ifcopenshell.geom
import pytest
from compare_interference import ours
from conftest import example, models_named
from intersections import by_ifcopenshell, by_manifold, shapes
from measure_clash import clasher, found

MODELS = {path.stem: str(path) for path in models_named("Duplex_A_20110907", "Duplex_Electrical")}
HOUSE, ELECTRICAL = MODELS["Duplex_A_20110907"], MODELS["Duplex_Electrical"]
#: m³: what shares no more than this only touches.
LEAST = 1e-6

SHARES, BROKEN, TOUCHES = "shares a volume", "shares a volume, but one is not manifold to ifcclash", "only touches"
#: How many pairs both find, and why only one of them finds the others: Pensaer, then ifcclash.
DIFFERENCES = {
    "intersection": (70, {BROKEN: 7}, {}),
    "collision": (9, {SHARES: 61, BROKEN: 7}, {TOUCHES: 1}),
}


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


def reason(pair):
    """Why a pair is found by one program alone."""
    shared = volume(pair)
    if shared is None:
        return "no boolean measures it"
    if shared <= LEAST:
        return TOUCHES
    whole = [is_manifold(path, guid) for path in (HOUSE, ELECTRICAL) for guid in pair if guid in shapes(path)]
    return SHARES if all(whole) else BROKEN


@pytest.mark.parametrize("mode", DIFFERENCES)
def test_every_pair_that_only_one_finds_has_a_reason(mode):
    interferences, _ = ours(example("geometry", "clashes"), [HOUSE, ELECTRICAL])
    own = {pair for pair, line in interferences.items() if line["kind"] not in ("touching", "clearance")}
    program = clasher()
    their = found(program, HOUSE, ELECTRICAL, mode).keys()
    both, only_own, only_their = DIFFERENCES[mode]
    assert dict(Counter(map(reason, own - their))) == only_own
    assert dict(Counter(map(reason, their - own))) == only_their
    assert len(own & their) == both
