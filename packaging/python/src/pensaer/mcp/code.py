"""`python -m pensaer.mcp.code`: the MCP server with the few tools for agents who write code."""

from pensaer._program import serve

if __name__ == "__main__":
    serve("code")
