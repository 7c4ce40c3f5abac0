"""Pairs that share space are those that IfcOpenShell finds, but for reasons that are known and checked."""

import pytest
from compare_interference import compare
from conftest import example, models_named

#: Walls against steel, coverings against each other, a house against its electrical model.
CASES = [("kalkzandsteen", "staal"), ("Vebo",), ("Duplex_A_20110907", "Duplex_Electrical")]
MODELS = {path.stem: str(path) for path in models_named(*{name for case in CASES for name in case})}


@pytest.mark.parametrize("case", CASES, ids=["-".join(case) for case in CASES])
def test_pairs_share_space_where_ifcopenshell_finds_them_to_clash(case):
    figures = compare(example("geometry", "clashes"), [MODELS[name] for name in case])
    assert figures["unknown"] == []
    assert figures["both"] + sum(figures["ours"].values()) == figures["totals"]["hard"]
