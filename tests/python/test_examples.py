"""The example of an agent on a foreign framework runs: the framework reads our tools and calls them, a function speaks for the language model."""

import asyncio
import importlib.util
import json

from conftest import ROOT
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

WISH = "A house of 9 by 7 m with a gable roof."


def test_the_example_of_an_agent_builds_a_house(program, data, monkeypatch, capfd):
    monkeypatch.setenv("PENSAER", str(program))
    monkeypatch.setenv("PENSAER_DATA_DIR", str(data))
    monkeypatch.setenv("PENSAER_LISTEN", "127.0.0.1:0")
    spec = importlib.util.spec_from_file_location("agent_example", ROOT / "examples" / "agent.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    seen = []

    def speak(messages, info):
        returned = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
        if not returned:
            assert messages[0].parts[-1].content == WISH
            seen.extend(tool.name for tool in info.function_tools)
            house = {
                "project": {"name": "House"},
                "outline": {"form": "rectangle", "width": 9000, "depth": 7000},
                "storeys": [{"name": "Ground Floor"}],
                "roof": "gable",
            }
            return ModelResponse(parts=[ToolCallPart("create_building", house)])
        made = returned[-1].content
        made = json.loads(made) if isinstance(made, str) else made
        assert made["sound"] is True and made["roof_id"], made
        return ModelResponse(parts=[TextPart(f"House, version {made['model_version']}")])

    monkeypatch.setenv("MODEL", "unused")
    with example.modeller.override(model=FunctionModel(speak)):
        asyncio.run(example.main(WISH))
    assert {"create_building", "create_wall", "validate_model"} <= set(seen)
    assert capfd.readouterr().out.startswith("House, version ")
    lines = (ROOT / "examples" / "agent.py").read_text().splitlines()
    assert len(lines) <= 30, "an example is short"
