"""`python -m pensaer.mcp.knowledge`: the MCP server with the tools of `knowledge`."""

from pensaer._program import serve

if __name__ == "__main__":
    serve("knowledge")
