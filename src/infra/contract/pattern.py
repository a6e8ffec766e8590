"""Port: regular expressions of tenants, which take a time that grows with the text alone."""

from collections.abc import Callable, Sequence
from typing import Protocol

from domain.shared.error import InvalidRequest


class InvalidPattern(InvalidRequest):
    """An expression cannot be read, or takes more memory than one may; the message says which."""


class Patterns(Protocol):
    """Compiles expressions in the notation of RE2: no look-around, no back-references."""

    def replacing(self, expressions: Sequence[str], *, by: str) -> Callable[[str], str]:
        """Return what puts a text in the place of all that one of the expressions matches.

        Raises:
            InvalidPattern: one of them is none, or matches nothing at all, which is everywhere.
        """
        ...
