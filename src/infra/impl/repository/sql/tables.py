"""All tables of the product: every module of this package that defines some, found by itself."""

import pkgutil
from importlib import import_module

import sqlalchemy as sa

from infra.impl.repository import sql
from infra.impl.repository.sql.schema import metadata


def complete_metadata() -> sa.MetaData:
    """Import every module of the package and return the metadata they all share."""
    for module in pkgutil.iter_modules(sql.__path__, f"{sql.__name__}."):
        import_module(module.name)
    return metadata
