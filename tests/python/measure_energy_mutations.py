"""Records what EnergyPlus says of models with faults, for `test_energy_mutations.py`.

`measure_energy_mutations.py WORK MUTATIONS [PER_KIND [held-out|held-out-again]]` makes the mutations of every kind that the data file does not have yet (PER_KIND of each, of
other prototypes), simulates their design days in the folder WORK, one after another, and writes the data file anew. The folders of EnergyPlus and its
prototypes are named as for the tests.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import needs
from energy_idf import Model
from energy_mutations import HELD_OUT, HELD_OUT_AGAIN, TUNED, load, mutated

# a model that is simulated for longer than this has not failed by then
LIMIT = 200


def said(folder):
    """The severe and fatal messages of a run, each as its first line, without what tells numbers and times."""
    lines = (folder / "eplusout.err").read_text(errors="replace").splitlines() if (folder / "eplusout.err").exists() else []
    marked = {"** Severe  **": "severe", "**  Fatal  **": "fatal"}
    found = []
    for line in lines:
        for mark, word in marked.items():
            if mark in line:
                found.append([word, line.split(mark, 1)[1].strip()])
    return found


def run(path, folder):
    """Simulates the design days of a model; its messages, and whether it came to an end."""
    folder.mkdir(parents=True, exist_ok=True)
    program = Path(needs.energyplus())
    command = ["nice", "-n", "10", str(program / "energyplus"), "-D", "-i", str(program / "Energy+.idd"), "-d", str(folder), str(path)]
    try:
        done = subprocess.run(command, check=False, capture_output=True, timeout=LIMIT)
        crashed = done.returncode < 0
    except subprocess.TimeoutExpired:
        crashed = False
    found = said(folder)
    if crashed:
        found.append(["fatal", "the program crashed"])
    for left in folder.iterdir():
        if left.suffix != ".err":
            left.unlink()
    return found


def chosen(kinds, models, made, used, per_kind, cost):
    """Mutations that are not made yet, one of each kind before the second of any, of prototypes that have been changed least so far."""
    for least in range(1, per_kind + 1):
        for name in kinds:
            have = {prototype for kind, prototype in made if kind == name}
            if len(have) >= least:
                continue
            for prototype in sorted(models.keys() - have, key=lambda one: (used[one] * cost[one], one)):
                text = mutated(name, models[prototype], prototype)
                if text is not None:
                    used[prototype] += 1
                    made.add((name, prototype))
                    yield name, prototype, text
                    break


def main(work, data, per_kind="2", part="tuned"):
    work, data = Path(work), Path(data)
    known = json.loads(data.read_text()) if data.exists() else {"unchanged": {}, "mutations": []}
    models = {path.stem: Model(path.read_text(encoding="latin-1")) for path in sorted(Path(needs.prototypes()).glob("*.idf"))}
    for prototype in models:
        if prototype not in known["unchanged"]:
            known["unchanged"][prototype] = sorted({message for _, message in run(Path(needs.prototypes()) / f"{prototype}.idf", work / prototype)})
    made = {(one["kind"], one["prototype"]) for one in known["mutations"]}
    used = {prototype: 1 + sum(one["prototype"] == prototype for one in known["mutations"]) for prototype in models}
    cost = {prototype: 1 + len(model.text) / 1e6 for prototype, model in models.items()}
    for name, prototype, text in chosen(load({"held-out": HELD_OUT, "held-out-again": HELD_OUT_AGAIN}.get(part, TUNED)), models, made, used, int(per_kind), cost):
        path = work / f"{name}__{prototype}.idf"
        path.write_text(text, encoding="latin-1")
        begin = time.monotonic()
        messages = [one for one in run(path, work / path.stem) if one[1] not in known["unchanged"][prototype]]
        row = {
            "kind": name,
            "prototype": prototype,
            "severe": sum(word == "severe" for word, _ in messages),
            "fatal": any(word == "fatal" for word, _ in messages),
            "first": messages[0][1] if messages else "",
        }
        known["mutations"].append(row)
        print(f"{time.monotonic() - begin:.1f} s", json.dumps(row), flush=True)
        lines = ",\n".join(json.dumps(one) for one in known["mutations"])
        unchanged = ",\n".join(f"{json.dumps(one)}: {json.dumps(known['unchanged'][one])}" for one in sorted(known["unchanged"]))
        data.write_text(f'{{"unchanged": {{\n{unchanged}\n}}, "mutations": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    main(*sys.argv[1:])
