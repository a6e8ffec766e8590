"""Operations that answer with a file, in the format and so of the type that is asked for."""

from collections.abc import Mapping
from typing import Any, Final

TABLE_TYPES: Final = (
    "text/csv",
    "application/x-ndjson",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)
FILES: Final[Mapping[str, tuple[str, ...]]] = {
    "admin.audit_log.export": TABLE_TYPES,
    "admin.databases.export": TABLE_TYPES,
    "admin.databases.get_template": TABLE_TYPES,
    "admin.documents.export": TABLE_TYPES,
    "admin.traces.export": ("application/jsonl",),
    "admin.usage.list_entries": TABLE_TYPES,
}
"""Types by operation, beside JSON where the framework has seen that."""


def file_contents(types: tuple[str, ...]) -> dict[str, Any]:
    """Contents of a response, by type."""
    return {each: {"schema": {"type": "string"}} for each in types}
