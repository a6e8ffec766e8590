"""Usage: what calls of models and the like amounted to, for whom, and what it cost."""
