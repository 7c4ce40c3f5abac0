"""`python -m pensaer.mcp.spatial`: the MCP server with the tools of `spatial`."""

from pensaer._program import serve

if __name__ == "__main__":
    serve("spatial")
