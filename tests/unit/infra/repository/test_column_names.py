"""Names of columns in statements: each is one of the table it is asked of."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import sqlalchemy as sa

from infra.impl.repository import sql
from infra.impl.repository.sql.mapping.row_mapper import RowMapper


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(sql.__path__, f"{sql.__name__}."):
        yield importlib.import_module(found.name)


def columns_of(value: object) -> set[str] | None:
    return set(value.c.keys()) if isinstance(value, sa.Table | sa.Alias) else None


def misspelt(tree: ast.AST, names: dict[str, object]) -> Iterator[str]:
    """Find ``table.c.name`` and ``table.c["name"]`` that are not there."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.Attribute(value=ast.Attribute(value=ast.Name(id=table), attr="c"), attr=column)
                | ast.Subscript(
                    value=ast.Attribute(value=ast.Name(id=table), attr="c"),
                    slice=ast.Constant(value=str(column)),
                )
            ):
                known = columns_of(names.get(table))
                if known is not None and column not in known | {"keys", "values", "items"}:
                    yield f"{table}.c.{column}, line {node.lineno}"
            case ast.Call(func=ast.Attribute(value=ast.Name(id=table), attr="read")):
                mapper = names.get(table)
                given = {each.arg for each in node.keywords if each.arg is not None}
                if isinstance(mapper, RowMapper) and not given <= mapper.omitted:
                    yield f"{table}.read of {given - mapper.omitted}, line {node.lineno}"
            case _:
                pass


def test_each_column_that_a_statement_names_exists() -> None:
    found = {
        module.__name__: wrong
        for module in modules()
        if (wrong := list(misspelt(ast.parse(inspect.getsource(module)), vars(module))))
    }

    assert found == {}


def test_a_misspelt_column_is_found() -> None:
    table = sa.Table("t", sa.MetaData(), sa.Column("name", sa.Text))
    tree = ast.parse('sa.select(t.c.nmae).where(t.c["nam"] == t.c.name)')

    assert len(list(misspelt(tree, {"t": table}))) == 2
