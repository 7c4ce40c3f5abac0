"""`python -m pensaer.mcp.viewer`: the MCP server with the tools of `viewer`."""

from pensaer._program import serve

if __name__ == "__main__":
    serve("viewer")
