"""All tables of the product: every module of this package that defines some, found by itself."""

import sqlalchemy as sa

from domain.shared.registry import import_members
from infra.impl.repository import sql
from infra.impl.repository.sql.mapping.column import ONLY_WHERE, metadata


def complete_metadata() -> sa.MetaData:
    """Import every module of the package and return the metadata they all share."""
    import_members(sql.__name__, has_rooms=True)
    for table in metadata.tables.values():
        for index in table.indexes:
            if ONLY_WHERE in index.info:
                index.dialect_options["postgresql"]["where"] = index.info[ONLY_WHERE]
    return metadata
