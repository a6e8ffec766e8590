"""Files in SQL."""
