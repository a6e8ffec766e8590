"""Regular expressions of tenants."""
