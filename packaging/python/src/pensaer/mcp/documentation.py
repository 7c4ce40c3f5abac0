"""`python -m pensaer.mcp.documentation`: the MCP server with the tools of `documentation`."""

from pensaer._program import serve

if __name__ == "__main__":
    serve("documentation")
