"""Formats of tables as files, one module each: a new one registers itself here."""

from collections.abc import Callable, Sequence
from typing import Final

from domain.shared.error import InvalidRequest
from domain.shared.registry import Registry
from infra.contract.table.file import TableFile

Open = Callable[[str, Sequence[str], Sequence[int]], TableFile]
"""Begins a file of a title with these columns, some of which are dates."""

FILES: Final = Registry[Open]("format of tables", package=__name__)


def open_table_file(
    format_name: str, *, title: str, columns: Sequence[str], dates: Sequence[int] = ()
) -> TableFile:
    """Serve ``OpenTableFile`` with every format that has a module in this package."""
    if format_name not in FILES.names():
        known = ", ".join(FILES.names())
        raise InvalidRequest(f"format: expected one of {known}.", field="format")
    return FILES.get(format_name)(title, columns, dates)
