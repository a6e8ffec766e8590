"""Port: likeness of embeddings that are kept as rows, for the exact search of a small set."""

from collections.abc import Sequence
from typing import Protocol


class VectorMath(Protocol):
    """Packs vectors and compares them; pure computation, safe to call in a thread."""

    def pack(self, vector: Sequence[float]) -> bytes:
        """Return the vector at length one, in two bytes per dimension."""
        ...

    def similarities(self, query: bytes, others: Sequence[bytes]) -> list[float]:
        """Return the cosine of ``query`` with each of the others, all of one dimension."""
        ...
