"""Database tables, variables and recollections in SQL."""
