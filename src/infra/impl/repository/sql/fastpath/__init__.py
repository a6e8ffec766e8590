"""Fast paths around SQLAlchemy: writes that nobody waits for travel with the commit.

They rest on how SQLAlchemy compiles and adapts, which ``tests/contract/repository/fastpath`` pins;
``database.combine_writes`` turns them off. Without them a chat takes a sixth to a quarter more
processor time (``docs/benchmarks.md``).
"""
