"""`python -m pensaer.mcp.energy`: the MCP server with the tools of `energy`."""

from pensaer._program import serve

if __name__ == "__main__":
    serve("energy")
