"""The outbox of events, its relay and its dead letters in SQL."""
