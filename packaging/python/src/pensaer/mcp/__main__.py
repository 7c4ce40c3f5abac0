"""`python -m pensaer.mcp`: the MCP server with the usual tools."""

from pensaer._program import serve

if __name__ == "__main__":
    serve()
