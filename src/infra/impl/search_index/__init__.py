"""Search indexes without a server: one SQLite file per collection and kind."""
