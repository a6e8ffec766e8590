"""Knowledge bases, documents, slices and their upkeep in SQL."""
