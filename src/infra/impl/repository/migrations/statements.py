"""Schemas kept as the statements that make them."""

from collections.abc import Mapping
from typing import Final

import sqlalchemy as sa

END: Final = ";\n"
_TYPES: Final[Mapping[str, Mapping[str, str]]] = {
    "sqlite": {
        "bytes": "BLOB",
        "double": "DOUBLE",
        "money": "VARCHAR(32)",
        "counter": "INTEGER",
        "serial": "BIGINT",
    },
    "postgresql": {
        "bytes": "BYTEA",
        "double": "DOUBLE PRECISION",
        "money": "NUMERIC(20, 8)",
        "counter": "BIGSERIAL",
        "serial": "BIGSERIAL",
    },
}
"""What databases call differently; a file writes ``{bytes}`` instead."""


def spelled(text: str, dialect: str) -> str:
    """Return statements in the words of a database."""
    for word, name in _TYPES[dialect].items():
        text = text.replace(f"{{{word}}}", name)
    return text


def execute(connection: sa.Connection, text: str) -> None:
    """Execute statements that each end with ``END``."""
    for statement in text.split(END)[:-1]:
        connection.execute(sa.DDL(statement.replace("%", "%%")))  # type: ignore[no-untyped-call]
