"""Talks to MCP servers over streamable HTTP, over HTTP with events, and as child processes."""
