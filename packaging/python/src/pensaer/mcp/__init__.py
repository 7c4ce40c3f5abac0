"""The MCP servers on standard input and output, a module for each: `python -m pensaer.mcp.geometry`."""
