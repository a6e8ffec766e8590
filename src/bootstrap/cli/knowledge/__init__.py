"""Commands of ``coterie knowledge``."""
