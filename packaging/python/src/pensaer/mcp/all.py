"""`python -m pensaer.mcp.all`: the MCP server with every tool."""

from pensaer._program import serve

if __name__ == "__main__":
    serve("all")
