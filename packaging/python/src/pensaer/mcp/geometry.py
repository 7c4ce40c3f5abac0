"""`python -m pensaer.mcp.geometry`: the MCP server with the tools of `geometry`."""

from pensaer._program import serve

if __name__ == "__main__":
    serve("geometry")
