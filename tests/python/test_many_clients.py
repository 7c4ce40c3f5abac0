"""Eight agents, each in a process of its own, make walls on one storey at once."""

import concurrent.futures

import client
import ifcopenshell

CLIENTS, WALLS = 8, 5


def test_eight_clients_on_one_storey_lose_nothing(program, data, tmp_path):
    with client.Client(program, data) as first:
        model = first.call("create_project", name="Shared", storeys=[{"name": "Ground Floor", "elevation": 0}])["model_id"]
        level = first.call("query_elements", model_id=model, selector="IfcBuildingStorey")["rows"][0]["id"]

        def work(number):
            with client.Client(program, data) as session:
                return [
                    session.call(
                        "create_wall",
                        model_id=model,
                        level_id=level,
                        name=f"wall {number}.{at}",
                        start=[0, 1000 * (number * WALLS + at)],
                        end=[4000, 1000 * (number * WALLS + at)],
                    )["wall_id"]
                    for at in range(WALLS)
                ]

        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            made = [wall for walls in pool.map(work, range(CLIENTS)) for wall in walls]
        assert len(set(made)) == CLIENTS * WALLS
        saved = tmp_path / "shared.ifc"
        first.call("save_model", model_id=model, file_path=str(saved))
    reference = ifcopenshell.open(str(saved))
    walls = {wall.GlobalId: wall for wall in reference.by_type("IfcWall")}
    assert set(walls) == set(made)
    assert {wall.Name for wall in walls.values()} == {f"wall {n}.{at}" for n in range(CLIENTS) for at in range(WALLS)}
    for wall in walls.values():
        assert [rel.RelatingStructure.GlobalId for rel in wall.ContainedInStructure] == [level]
