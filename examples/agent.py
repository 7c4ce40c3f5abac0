"""An agent that builds with Pensaer, on Pydantic AI: `MODEL=openai:NAME python examples/agent.py "A house of 9 by 7 m with a gable roof."`"""

import asyncio
import os
import sys

from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset

pensaer = MCPToolset(StdioTransport(os.environ.get("PENSAER", "pensaer"), ["mcp"], env=dict(os.environ)))
modeller = Agent(toolsets=[pensaer], instructions="Build what is asked for with the tools. Say the model's name and version at the end.")


async def main(wish):
    async with modeller:
        answer = await modeller.run(wish, model=os.environ["MODEL"])
    print(answer.output)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
