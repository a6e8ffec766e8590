"""Which variables can be written, and how values and lists come about."""

import json

import pytest

from crossdomain.memory.contract import DeclaredVariable, DeclaredVariables
from domain.memory.database import Side
from domain.memory.error import VariableInvalid
from domain.memory.variable import (
    MAX_LIST_ITEMS,
    MAX_VALUE_BYTES,
    Holder,
    Owner,
    OwnerKind,
    StoredValue,
    changed_list,
    current_values,
    list_items,
    require_list,
    require_writable,
)
from domain.shared.ids import SpaceId
from tests.support.clock import FrozenClock

ANN = Holder(
    owner=Owner(kind=OwnerKind.APP, id=5), side=Side.ONLINE, connector_id=1, end_user_id="ann"
)
DECLARED = DeclaredVariables(
    space_id=SpaceId(2),
    items=(
        DeclaredVariable(keyword="sys_uuid", is_system=True),
        DeclaredVariable(keyword="city", default_value="Oslo"),
        DeclaredVariable(keyword="off", is_enabled=False),
        DeclaredVariable(keyword="fixed", is_read_only=True),
        DeclaredVariable(keyword="likes", is_list=True),
        DeclaredVariable(keyword="news", is_shared=True),
    ),
)


def test_what_was_written_comes_before_the_default(clock: FrozenClock) -> None:
    stored = StoredValue(value="Rome", created_at=clock.now(), updated_at=clock.now())

    found = current_values(DECLARED, {"city": stored, "off": stored}, ANN, key=b"k")
    values = {each.declaration.keyword: each.value for each in found}

    assert values["city"] == "Rome"
    assert values["likes"] == ""
    assert "off" not in values
    assert len(values["sys_uuid"]) == 26
    assert found[-1].declaration.is_system


@pytest.mark.parametrize("keyword", ["sys_uuid", "off", "fixed", "unknown"])
def test_what_cannot_be_written_is_refused_by_name(keyword: str) -> None:
    with pytest.raises(VariableInvalid, match=keyword):
        require_writable(DECLARED, [("city", "x"), (keyword, "x")])


@pytest.mark.parametrize("value", ["x" * (MAX_VALUE_BYTES + 1), "a\0b"])
def test_values_have_a_size_and_are_text(value: str) -> None:
    with pytest.raises(VariableInvalid, match="city"):
        require_writable(DECLARED, [("city", value)])


def test_the_last_of_several_values_counts() -> None:
    assert require_writable(DECLARED, [("city", "a"), ("city", "b")]) == {"city": "b"}
    with pytest.raises(VariableInvalid):
        require_writable(DECLARED, [])


def test_lists_grow_at_the_end_without_repeats() -> None:
    assert changed_list('["a", "b"]', add=["c", "a"], remove=["b"]) == ("a", "c")
    assert changed_list("", add=["x"], remove=["y"]) == ("x",)
    assert list_items('[1, {"a": "é"}]') == ("1", '{"a": "é"}')
    assert list_items("plain") == ("plain",)
    assert list_items("[" * 50_000) == ("[" * 50_000,)


def test_lists_have_limits() -> None:
    full = json.dumps([str(number) for number in range(MAX_LIST_ITEMS)])
    for text, add in ((full, ["more"]), ("", ["x" * MAX_VALUE_BYTES]), ("", ["a\0"])):
        with pytest.raises(VariableInvalid):
            changed_list(text, add=add, remove=[])
    assert len(changed_list(full, add=["more"], remove=["0"])) == MAX_LIST_ITEMS


@pytest.mark.parametrize("keyword", ["city", "unknown"])
def test_only_lists_are_changed_like_lists(keyword: str) -> None:
    with pytest.raises(VariableInvalid):
        require_list(DECLARED, keyword)
    assert require_list(DECLARED, "likes").keyword == "likes"


def test_shared_variables_belong_to_everybody() -> None:
    news = DECLARED.find("news")
    city = DECLARED.find("city")
    assert news is not None
    assert city is not None
    assert ANN.of(news).end_user_id == ""
    assert ANN.of(city) is ANN
