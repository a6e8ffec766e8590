"""JSON Lines: one object a row, for programs."""

from collections.abc import Iterator, Sequence

import msgspec

from infra.contract.table.sql_guard import Scalar
from infra.impl.table_file import FILES


class JsonLinesFile:
    """Values keep their types."""

    media_type = "application/x-ndjson"
    extension = "jsonl"

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = tuple(columns)

    def add(self, rows: Sequence[Sequence[Scalar]]) -> bytes:
        objects = [dict(zip(self._columns, row, strict=True)) for row in rows]
        return msgspec.json.Encoder().encode_lines(objects)

    def finish(self) -> Iterator[bytes]:
        return iter(())

    def discard(self) -> None:
        """Nothing is kept."""


@FILES.register("jsonl")
def open_lines(_: str, columns: Sequence[str], __: Sequence[int]) -> JsonLinesFile:
    """Begin a file of JSON Lines."""
    return JsonLinesFile(columns)
