"""The MCP server: what this deployment offers to MCP clients, as tools."""
