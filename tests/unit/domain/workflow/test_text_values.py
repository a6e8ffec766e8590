"""JSON texts in the input of a run: as many values as a request may have, however they are cut."""

import json

import pytest

from domain.workflow.convert import convert, convert_fields
from domain.workflow.error import InvalidValue
from domain.workflow.value import Field, Type, TypeKind

ROW = Type(kind=TypeKind.OBJECT, fields=(Field(name="a", type=Type(kind=TypeKind.STRING)),))
ROWS = Type(kind=TypeKind.LIST, item=ROW)
SCHEMA = (Field(name="rows", type=ROWS),)


def rows(count: int) -> list[dict[str, str]]:
    return [{"a": "x"}] * count


def test_a_text_may_stand_for_a_list() -> None:
    found = convert_fields({"rows": json.dumps(rows(40))}, SCHEMA, text_values=300)

    assert found.value == {"rows": rows(40)}


@pytest.mark.parametrize(
    "given",
    [
        json.dumps(rows(400)),
        [json.dumps(row) for row in rows(400)],
        "[" + "[]," * 400 + "[]]",
    ],
    ids=["one text", "many texts", "of no use"],
)
def test_texts_bring_no_more_values_than_allowed_all_together(given: object) -> None:
    with pytest.raises(InvalidValue, match="more than"):
        convert_fields({"rows": given}, SCHEMA, text_values=300)  # type: ignore[dict-item]


def test_inside_of_a_run_they_may_bring_more() -> None:
    assert len(convert(json.dumps(rows(400)), ROWS).value or ()) == 400  # type: ignore[arg-type]
