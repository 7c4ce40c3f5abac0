"""`python -m pensaer.mcp.validation`: the MCP server with the tools of `validation`."""

from pensaer._program import serve

if __name__ == "__main__":
    serve("validation")
