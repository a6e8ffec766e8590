"""Mapping between dataclasses and rows: what follows from types, and what is refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum, StrEnum
from itertools import count
from typing import Any, NewType

import pytest
import sqlalchemy as sa

from domain.shared.aggregate import Aggregate
from infra.impl.repository.sql.mapping.column import Json, metadata
from infra.impl.repository.sql.mapping.row_mapper import RowMapper

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SHELF_NUMBERS = count(1)

ShelfId = NewType("ShelfId", int)


class Kind(StrEnum):
    OPEN = "open"
    CLOSED = "closed"


class Floor(IntEnum):
    GROUND = 0
    FIRST = 1


@dataclass(frozen=True, slots=True)
class Place:
    row: int
    label: str


@dataclass(kw_only=True, eq=False)
class Shelf(Aggregate):
    id: ShelfId
    name: str
    kind: Kind
    floor: Floor = Floor.GROUND
    place: Place
    tags: tuple[str, ...] = ()
    facts: Mapping[str, int]
    weight: float = 0.0
    is_full: bool = False
    next_id: ShelfId | None = None
    closed_kind: Kind | None = None
    opened_at: datetime
    books: int = 0


def mapped(**exceptions: Any) -> RowMapper[Shelf]:
    return RowMapper(Shelf, f"test_shelf_{next(SHELF_NUMBERS)}", **exceptions)


@pytest.fixture(autouse=True)
def own_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.impl.repository.sql.mapping.row_mapper.metadata", sa.MetaData())


def shelf() -> Shelf:
    return Shelf(
        id=ShelfId(7),
        name="north",
        kind=Kind.CLOSED,
        floor=Floor.FIRST,
        place=Place(3, "c"),
        tags=("old",),
        facts={"height": 2},
        weight=1.5,
        is_full=True,
        next_id=ShelfId(8),
        opened_at=NOW,
        books=40,
    )


def stored(mapper: RowMapper[Shelf], item: Shelf, **more: object) -> sa.Row[Any]:
    """Write the item to a table that is made as the mapper says, and read its row."""
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        mapper.table.metadata.create_all(connection, [mapper.table])
        connection.execute(sa.insert(mapper.table), {**mapper.row(item), "revision": 1, **more})
        return connection.execute(sa.select(mapper.table)).one()


def fields_of(item: Shelf) -> dict[str, Any]:
    return {name: value for name, value in vars(item).items() if name != "revision"}


@pytest.mark.parametrize(
    "exceptions",
    [
        {},
        {"flat": {"place": ""}},
        {"flat": {"place": "at_"}, "names": {"place.label": "sign", "name": "title"}},
        {"columns": {"name": sa.String(20), "books": sa.BigInteger, "tags": Json(tuple[str, ...])}},
    ],
)
def test_an_item_comes_back_as_it_was(exceptions: dict[str, Any]) -> None:
    mapper, item = mapped(**exceptions), shelf()

    found = mapper.read(stored(mapper, item))

    assert fields_of(found) == fields_of(item)
    assert type(found.kind) is Kind
    assert type(found.floor) is Floor
    assert found.revision == 1


def test_types_and_nullability_follow_from_annotations() -> None:
    columns = mapped(columns={"name": sa.String(20)}).table.c

    kinds = {column.name: str(column.type.compile()) for column in columns}
    assert kinds == {
        "revision": "INTEGER",
        "id": "BIGINT",
        "name": "VARCHAR(20)",
        "kind": "VARCHAR(16)",
        "floor": "SMALLINT",
        "place": "TEXT",
        "tags": "TEXT",
        "facts": "TEXT",
        "weight": "FLOAT",
        "is_full": "BOOLEAN",
        "next_id": "BIGINT",
        "closed_kind": "VARCHAR(16)",
        "opened_at": "BIGINT",
        "books": "INTEGER",
    }
    assert {column.name for column in columns if column.nullable} == {"next_id", "closed_kind"}
    assert [column.name for column in columns if column.primary_key] == ["id"]


def test_what_others_write_is_read_only() -> None:
    mapper = mapped(read_only=["books"])

    assert "books" not in mapper.row(shelf())
    assert "revision" not in mapper.row(shelf())
    assert mapper.read(stored(mapper, shelf(), books=41)).books == 41


def test_columns_beside_the_fields_are_computed_or_given() -> None:
    mapper = mapped(
        extra=[sa.Column("name_key", sa.Text), sa.Column("seen_at", sa.Integer)],
        derived={"name_key": lambda item: item.name.upper()},
    )

    row = stored(mapper, shelf(), seen_at=5)

    assert (row.name_key, row.seen_at) == ("NORTH", 5)
    assert mapper.read(row).name == "north"


def test_fields_without_columns_are_given_to_read() -> None:
    mapper = mapped(omitted=["name"])

    row = stored(mapper, shelf())

    assert mapper.read(row, name="given").name == "given"
    with pytest.raises(TypeError, match="come from the row"):
        mapper.read(row, name="given", books=3)


def test_an_empty_value_may_be_kept_as_null() -> None:
    mapper, item = mapped(columns={"tags": Json(tuple[str, ...], empty=())}), shelf()
    item.tags = ()

    row = stored(mapper, item)

    assert mapper.table.c.tags.nullable
    assert row.tags == ()


def test_a_value_that_stands_for_no_member_is_an_error() -> None:
    mapper = mapped()

    with pytest.raises(ValueError, match="'ajar' is no Kind"):
        stored(mapper, shelf(), kind="ajar")


@pytest.mark.parametrize(
    "exceptions",
    [
        {"columns": {"nmae": sa.Text}},
        {"flat": {"palce": ""}},
        {"names": {"place.lable": "sign"}, "flat": {"place": ""}},
        {"omitted": ["bokos"]},
        {"read_only": ["bokos"]},
        {"derived": {"name_kye": lambda item: item.name}},
    ],
)
def test_a_misspelt_name_is_refused_at_once(exceptions: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="no such fields or columns"):
        mapped(**exceptions)


def test_a_misspelt_key_is_refused_at_once() -> None:
    with pytest.raises(sa.exc.ConstraintColumnNotFoundError):
        mapped(key=["di"])


def test_tables_of_the_product_know_nothing_of_these() -> None:
    mapper = mapped()

    assert mapper.table.name not in metadata.tables
