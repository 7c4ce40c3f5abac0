"""What Pensaer writes of a model of EnergyPlus is what EnergyPlus' own converter writes: the text form as epJSON, and epJSON as
the text form again."""

import json
import subprocess
from pathlib import Path

import needs
import pytest
from conftest import example

CONVERTER = Path(needs.energyplus()) / "ConvertInputFormat"
MODELS = sorted(Path(needs.prototypes()).glob("*.idf"))


def ours(form, path):
    """The model in a form, as Pensaer writes it."""
    return subprocess.run([*example("energy", form), str(path)], check=True, capture_output=True).stdout


def theirs(path, folder):
    """The model as the converter writes it in the other form; it writes nothing where its schema is not kept to."""
    folder.mkdir(exist_ok=True)
    said = subprocess.run([str(CONVERTER), "-n", "-o", str(folder), str(path)], check=False, capture_output=True, text=True)
    written = list(folder.glob(f"{path.stem}.*"))
    assert written, said.stdout + said.stderr
    return written[0]


@pytest.mark.parametrize("path", MODELS, ids=[path.stem for path in MODELS])
def test_a_model_is_the_same_in_either_form(path, tmp_path):
    converted = json.loads(theirs(path, tmp_path / "theirs").read_text())
    mine = tmp_path / f"{path.stem}.epJSON"
    mine.write_bytes(ours("epjson", path))
    assert json.loads(mine.read_text()) == converted
    # back: our text form of epJSON says to the converter what the first did, numbers by their values
    text = tmp_path / f"{path.stem}.idf"
    text.write_bytes(ours("idf", mine))
    again = json.loads(theirs(text, tmp_path / "again").read_text())
    assert again == converted


def test_there_are_models():
    assert len(MODELS) >= 32
