"""`python -m pensaer.mcp.model`: the MCP server with the tools of `model`."""

from pensaer._program import serve

if __name__ == "__main__":
    serve("model")
