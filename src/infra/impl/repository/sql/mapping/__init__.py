"""Tables and rows: column types, the mapper of aggregates, reading within a scope."""
