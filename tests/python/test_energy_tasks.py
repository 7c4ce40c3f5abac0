"""The tasks of tests/peers/idfkit played with Pensaer: every answer holds what was asked for, and is no longer than need be, beside
what idfkit-mcp was recorded to answer.

A task that is `over` in tests/peers/idfkit/tasks.json may be longer than a fifth over the peer, and one that `lacks` something may
lack it; both marks say why, and a mark that is not needed any more fails here, so that it goes.
"""

import sys
from pathlib import Path

import needs
import pytest
from client import Client

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "peers" / "idfkit"))
import tasks as energy_tasks

ENERGYPLUS = needs.energyplus()
PROTOTYPES = needs.prototypes()
TASKS = energy_tasks.read_tasks()
COUNTED = [task for task in TASKS["tasks"] if energy_tasks.counted(task)]
# what hangs on a network, or on programs that are not everywhere, is not played here
PLAYED = [task for task in TASKS["tasks"] if task.get("apart", "viewer") == "viewer"]
MOST = 1.2
SHARE = 0.5


@pytest.fixture(scope="module")
def played(program, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    where = energy_tasks.places(TASKS, ENERGYPLUS, PROTOTYPES, out)
    options = ["--energyplus-dir", ENERGYPLUS]
    with Client(program, tmp_path_factory.mktemp("data"), "energy", options=options) as session:
        return energy_tasks.play_all(session, "ours", PLAYED, where)


def named(tasks):
    return pytest.mark.parametrize("task", tasks, ids=[task["id"] for task in tasks])


@named(PLAYED)
def test_an_answer_holds_what_was_asked_for(played, task):
    missing = played[task["id"]].missing
    if "lacks" in task:
        assert missing, f"{task['id']} lacks nothing any more: take its mark off in tests/peers/idfkit/tasks.json"
    else:
        assert not missing, played[task["id"]].answer


@named(COUNTED)
def test_an_answer_is_not_much_longer_than_the_peers(played, task):
    text, most = played[task["id"]].text, MOST * task["peer"]["text"]
    if "over" in task:
        assert text > most, f"{task['id']} is short enough: take its mark off in tests/peers/idfkit/tasks.json"
    else:
        assert text <= most, f"{text} characters, where {most:.0f} would do"


def test_all_answers_together_are_less_than_half_of_the_peers(played):
    ours = sum(played[task["id"]].text for task in COUNTED)
    theirs = sum(task["peer"]["text"] for task in COUNTED)
    assert ours < SHARE * theirs, f"{ours} characters to {theirs}"
