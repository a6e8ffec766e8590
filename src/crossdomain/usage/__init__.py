"""Usage as other contexts see it."""
