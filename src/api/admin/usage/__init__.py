"""Usage and its cost on the admin surface."""
