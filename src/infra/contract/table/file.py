"""Port: tables as files that people open in other programs."""

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

from infra.contract.table.sql_guard import Scalar

FORMULA_MARKS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What makes a text of a CSV file a formula or a command (OWASP, "CSV Injection").

The line feed is what a carriage return is read as, so imports have to know it.
"""
PLAIN_MARK: Final = "'"
"""Stands before such a text, and before those that begin with the mark itself and go on so."""


class TableFile(Protocol):
    """One file while it is written; text never becomes a formula of the program that opens it."""

    @property
    def media_type(self) -> str: ...

    @property
    def extension(self) -> str:
        """Without a dot."""
        ...

    def add(self, rows: Sequence[Sequence[Scalar]]) -> bytes:
        """Append rows and return the bytes that are ready, maybe none. Blocks for a moment."""
        ...

    def finish(self) -> Iterator[bytes]:
        """Yield the rest. Blocks; nothing may be added afterwards."""
        ...

    def discard(self) -> None:
        """Forget a file that is not finished."""
        ...


class OpenTableFile(Protocol):
    """Opens files by format: ``csv``, ``jsonl``, ``xlsx``."""

    def __call__(
        self, format_name: str, *, title: str, columns: Sequence[str], dates: Sequence[int] = ()
    ) -> TableFile:
        """Begin a file with its header; raise ``InvalidRequest`` for a format nobody knows.

        ``dates`` are the positions of columns whose texts are ``YYYY-MM-DD HH:MM:SS``: dates in
        formats that know them.
        """
        ...
