"""Models of EnergyPlus with a fault in each, as EnergyPlus and as Pensaer's checks see them. What EnergyPlus said of each is recorded beside this file
(`measure_energy_mutations.py` writes it); it is asked again for a few. What it calls severe or ends with is flagged by the checks as an error, and
what it does not is not; the prototypes themselves have no error."""

import json
import subprocess
from pathlib import Path

import measure_energy_mutations as measure
import needs
import pytest
from conftest import example
from energy_idf import Model
from energy_mutations import HELD_OUT, HELD_OUT_AGAIN, TUNED, load, mutated

HERE = Path(__file__).resolve().parent
MODELS = {path.stem: path for path in sorted(Path(needs.prototypes()).glob("*.idf"))}
needs.energyplus()

# kinds that the checks were made with are found, each of them; of those that came later so many
LATER = [(HELD_OUT, "energy_mutations_held_out.json", 0.95), (HELD_OUT_AGAIN, "energy_mutations_held_out_again.json", 0.8)]

# run again: quick ones of different sorts, and one that EnergyPlus takes
AGAIN = [
    "branch_outlet_misspelt",
    "controller_list_removed",
    "curve_of_another_type",
    "fraction_above_one",
    "year_ends_in_june",
    "one_side_outdoors",
    "window_turned",
    "actuator_component_misspelt",
    "heating_above_cooling",
    "limits_misspelt",
]


def recorded(name):
    return json.loads((HERE / name).read_text())


RECORDED = recorded("energy_mutations.json")


def faults(paths):
    """What the checks say of each of these files."""
    said = subprocess.run([*example("energy", "faults"), *map(str, paths)], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in said.stdout.splitlines()]


@pytest.fixture(scope="module")
def unchanged():
    return {Path(one["file"]).stem: one for one in faults(MODELS.values())}


@pytest.fixture(scope="module")
def models():
    return {name: Model(path.read_text(encoding="latin-1")) for name, path in MODELS.items()}


def held(rows, models, unchanged, folder):
    """The mutations that EnergyPlus refuses and the checks do not flag, those that they flag and it takes, and how many it refuses."""
    paths = []
    for row in rows:
        text = mutated(row["kind"], models[row["prototype"]], row["prototype"])
        assert text is not None, row
        paths.append(folder / f"{row['kind']}__{row['prototype']}.idf")
        paths[-1].write_text(text, encoding="latin-1")
    missed, extra, refused = [], [], 0
    for row, said in zip(rows, faults(paths), strict=True):
        new = set(said["errors"]) - set(unchanged[row["prototype"]]["errors"])
        is_refused = row["fatal"] or row["severe"] > 0
        refused += is_refused
        if is_refused and not new:
            missed.append((row["kind"], row["prototype"], row["first"]))
        if new and not is_refused:
            extra.append((row["kind"], row["prototype"], sorted(new)[:3]))
    return missed, extra, refused


def test_there_are_many_mutations_of_every_model():
    rows = RECORDED["mutations"]
    assert len(rows) >= 100 and len({row["kind"] for row in rows}) >= 30
    assert {row["prototype"] for row in rows} == set(MODELS)
    load(TUNED)


def test_models_that_are_not_changed_have_no_errors(unchanged):
    assert {name: one["errors"] for name, one in unchanged.items() if one["errors"]} == {}


def test_what_energyplus_refuses_is_flagged_and_nothing_else(models, unchanged, tmp_path):
    load(TUNED)
    missed, extra, refused = held(RECORDED["mutations"], models, unchanged, tmp_path)
    assert refused >= 100
    assert missed == [] and extra == []


@pytest.mark.parametrize(("kinds", "data", "least"), LATER, ids=[data for _, data, _ in LATER])
def test_faults_of_later_kinds_are_mostly_flagged(kinds, data, least, models, unchanged, tmp_path):
    load(kinds)
    missed, extra, refused = held(recorded(data)["mutations"], models, unchanged, tmp_path)
    assert refused >= 20
    assert refused - len(missed) >= least * refused, missed
    assert extra == []


@pytest.mark.parametrize("kind", AGAIN)
def test_what_is_recorded_is_what_energyplus_says(kind, models, tmp_path):
    load(TUNED)
    row = next(row for row in RECORDED["mutations"] if row["kind"] == kind)
    path = tmp_path / "model.idf"
    path.write_text(mutated(kind, models[row["prototype"]], row["prototype"]), encoding="latin-1")
    known = RECORDED["unchanged"][row["prototype"]]
    said = [message for message in measure.run(path, tmp_path / "run") if message[1] not in known]
    assert (sum(word == "severe" for word, _ in said), any(word == "fatal" for word, _ in said)) == (row["severe"], row["fatal"])
