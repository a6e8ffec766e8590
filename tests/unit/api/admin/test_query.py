"""Pages of lists, as calls of the admin surface ask for them."""

from dataclasses import dataclass

import pytest
from litestar.datastructures import State

from api.admin.query import Paging, asked_page
from application.shared.page import Listed
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

STATE = State({"limits": Limits(page_size=50)})


@dataclass(frozen=True, slots=True)
class Item:
    """Something in a list."""

    id: int


def listed(count: int, *, total: int) -> Listed[Item]:
    return Listed(items=[Item(id=number) for number in range(count)], total=total)


@pytest.mark.parametrize(
    ("limit", "size"), [(None, 20), ("", 20), ("7", 7), ("0", 1), ("-3", 1), ("51", 50)]
)
def test_sizes_are_kept_within_bounds(limit: str | None, size: int) -> None:
    assert asked_page(STATE, limit).size == size


def test_a_wrong_size_is_told_by_the_name_it_was_sent_under() -> None:
    with pytest.raises(InvalidRequest, match="limit"):
        asked_page(STATE, "many")


def test_cursors_that_count_items_go_on_to_the_last_one() -> None:
    first = Paging(3, None)
    second = Paging(3, first.next_offset(listed(3, total=5)))

    assert second.offset == 3
    assert second.next_offset(listed(2, total=5)) is None
    assert second.next_offset(listed(0, total=5)) is None, "some are gone meanwhile"


def test_cursors_that_count_pages_go_on_to_the_last_one() -> None:
    first = Paging(3, None)
    second = Paging(3, first.next_number(listed(3, total=5)))

    assert (first.number, second.number) == (1, 2)
    assert second.next_number(listed(2, total=5)) is None


def test_cursors_that_name_an_item_are_there_while_there_is_more() -> None:
    items = [Item(9), Item(8), Item(7)]

    assert Paging(2, None).cut(items) == ([Item(9), Item(8)], "8")
    assert Paging(3, None).cut(items) == (items, None)
    assert Paging(2, "8").last_id == 8
    assert Paging(2, None).last_id is None


@pytest.mark.parametrize("kind", ["offset", "number", "last_id"])
@pytest.mark.parametrize("cursor", ["-1", "x"])
def test_cursors_of_no_page_are_refused(cursor: str, kind: str) -> None:
    with pytest.raises(InvalidRequest, match="cursor"):
        getattr(Paging(3, cursor), kind)
