"""Commands of ``coterie workflow``."""
