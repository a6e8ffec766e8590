"""Connections to the database: engines, transactions, limits, migrations."""
