"""Apps in SQL."""
