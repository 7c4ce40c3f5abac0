"""Pairs of real elements that share a volume are those of which other programs' booleans make one, and the volumes are the same."""

from collections import Counter

import pytest
from compare_interference import ours
from conftest import example, models_named
from intersections import by_ifcopenshell, by_manifold, is_quick, near, shapes

#: Walls against steel, coverings against each other, a house against its electrical model, a house whose roof goes through its rafters and walls:
#: how many pairs share a volume in each.
CASES = {
    ("kalkzandsteen", "staal"): 4,
    ("Vebo",): 0,
    ("Duplex_A_20110907", "Duplex_Electrical"): 74,
    ("AC20-FZK-Haus",): 147,
}
#: Fewer are judged by OCC, too, where it takes minutes for bodies as round and dense as lamps and sockets are.
TWICE = {("Duplex_A_20110907", "Duplex_Electrical"): 7}
MODELS = {path.stem: str(path) for path in models_named(*{name for case in CASES for name in case})}
#: Volumes of no more than this (m³) are nothing to Pensaer; boxes that share no more than this (m) only touch.
LEAST, TOUCHES = 1e-6, 1e-4
#: What volumes may differ by, in m³ and as a part: round things are made of chords by everyone.
EXACT, CHORDS = 1e-7, 0.005


def differs(own, other):
    """True if two volumes are not the same."""
    return abs(own - other) > EXACT + CHORDS * other


def compare(case):
    """Counts of what was compared by either program, and the pairs that differ with both volumes."""
    found, _ = ours(example("geometry", "clashes"), [MODELS[name] for name in case])
    hard = {pair: line for pair, line in found.items() if line["kind"] not in ("touching", "clearance")}
    first, second = shapes(MODELS[case[0]]), shapes(MODELS[case[-1]])
    counts, wrong = Counter(), []
    for a, b in near(first, second, TOUCHES):
        line = hard.pop(frozenset((a, b)), None)
        own = line["volume"] if line else 0.0
        if own is None:
            # it crosses something that encloses nothing: that is checked, and there is no volume to compare
            counts["without volume"] += 1
            if first[a].is_closed() and second[b].is_closed():
                wrong.append((a, b, None, "both are closed"))
            continue
        asked = {"manifold": by_manifold(first[a], second[b])}
        if asked["manifold"] is None or is_quick(first[a], second[b]):
            asked["ifcopenshell"] = by_ifcopenshell(first[a], second[b])
        told = {name: volume for name, volume in asked.items() if volume is not None}
        counts["shared" if line else "nothing shared" if told else "not judged"] += 1
        counts.update(name for name in told if line)
        if line and not told:
            wrong.append((a, b, own, "no other program measures it"))
        wrong += [(a, b, own, {name: volume}) for name, volume in told.items() if differs(own, volume) and max(own, volume) > LEAST]
    wrong += [(*pair, line["volume"], "the boxes do not meet") for pair, line in hard.items()]
    return counts, wrong


@pytest.mark.parametrize("case", CASES, ids=["-".join(case) for case in CASES])
def test_pairs_share_the_volumes_that_booleans_of_others_have(case):
    counts, wrong = compare(case)
    assert wrong == []
    assert counts["shared"] == CASES[case], counts
    assert counts["shared"] + counts["nothing shared"] > 0
    # what is judged twice, by programs that have nothing in common
    assert counts["ifcopenshell"] >= TWICE.get(case, 0.4 * counts["shared"]), counts
    print(dict(counts))
