"""`python -m pensaer.mcp.governance`: the MCP server with the tools of `governance`."""

from pensaer._program import serve

if __name__ == "__main__":
    serve("governance")
