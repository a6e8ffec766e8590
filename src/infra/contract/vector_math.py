"""Port: likeness of embeddings that are kept as rows, for the exact search of a small set."""

from collections.abc import Callable, Sequence

PackVector = Callable[[Sequence[float]], bytes]
"""Returns the vector at length one, in two bytes per dimension. Safe to call in a thread."""

Similarities = Callable[[bytes, Sequence[bytes]], list[float]]
"""Returns the cosine of a packed vector with each of the others, all of one dimension."""
