"""Filters let through what they say, and refuse what is no filter."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.knowledge.error import KnowledgeInvalid
from domain.knowledge.ranking.filter import DocumentFacts, SliceFacts, parse_filter

NOON = datetime(2030, 5, 1, 12, tzinfo=UTC)
DOCUMENT = DocumentFacts(
    document_id=5,
    name="Price list.pdf",
    type=0,
    source_type=2,
    creator_id=9,
    create_time=NOON,
    update_time=NOON + timedelta(days=1),
    tags={"lang": "en", "year": 2029, "public": True, "areas": ("sales", "law"), "tags.x": "y"},
)
PART = SliceFacts(pages=(3, 4), sheet="Costs")


def leaf(field: str, operator: str, value: Any) -> dict[str, Any]:
    return {"field": field, "op": operator, "value": value}


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (leaf("document_id", "eq", "5"), True),
        (leaf("document_id", "in", [1, "5"]), True),
        (leaf("document_id", "nin", ["5"]), False),
        (leaf("name", "contains", "price"), True),
        (leaf("type", "ne", 0), False),
        (leaf("source_type", "eq", 2), True),
        (leaf("creator_id", "eq", 9), True),
        (leaf("create_time", "gte", "2030-05-01T12:00:00Z"), True),
        (leaf("create_time", "gt", "2030-05-01T14:00:00+02:00"), False),
        (leaf("create_time", "lt", "2030-05-02"), True),
        (leaf("update_time", "gte", NOON.timestamp()), True),
        (leaf("lang", "eq", "en"), True),
        (leaf("lang", "eq", "EN"), False),
        (leaf("tags.lang", "eq", "en"), True),
        (leaf("year", "gt", 2028), True),
        (leaf("year", "lte", 2028.5), False),
        (leaf("year", "gt", "2028"), False),
        (leaf("public", "eq", True), True),
        (leaf("public", "eq", 1), False),
        (leaf("areas", "contains", "law"), True),
        (leaf("areas", "in", ["law", "none"]), True),
        (leaf("areas", "eq", "art"), False),
        (leaf("missing", "eq", "x"), False),
        (leaf("missing", "ne", "x"), True),
        (leaf("missing", "nin", ["x"]), True),
        (leaf("missing", "gt", 0), False),
        (leaf("missing", "exists", False), True),
        ({"field": "lang", "op": "exists"}, True),
        (leaf("page", "eq", 4), True),
        (leaf("page", "gt", 4), False),
        (leaf("sheet", "eq", "Costs"), True),
        (leaf("tags", "contains", "sales"), True),
        ({"and": [leaf("lang", "eq", "en"), leaf("year", "eq", 2029)]}, True),
        ({"and": [leaf("lang", "eq", "en"), leaf("year", "eq", 1)]}, False),
        ({"or": [leaf("lang", "eq", "zh"), leaf("year", "eq", 2029)]}, True),
        ({"not": leaf("lang", "eq", "en")}, False),
        ({"tags": {"$and": ["lang", "sales"]}}, True),
        ({"tags": {"$and": ["lang", "art"]}}, False),
        ({"tags": {"$or": ["art", None]}}, False),
        ({"tags": {"$or": ["art", "law"]}, "createTime": {"$gte": "2030-01-01"}}, True),
        ({"createTime": {"$lte": "2030-01-01T00:00:00Z"}}, False),
    ],
)
def test_a_filter_holds_or_not(condition: dict[str, Any], holds: bool) -> None:
    assert parse_filter(condition).holds(DOCUMENT, PART) is holds


def test_untagged_documents_are_found_by_null() -> None:
    bare = DocumentFacts(
        document_id=1,
        name="a",
        type=0,
        source_type=0,
        creator_id=1,
        create_time=NOON,
        update_time=NOON,
        tags={},
    )
    condition = parse_filter({"tags": {"$or": ["law", None]}})
    assert condition.holds(bare)
    assert condition.holds(DOCUMENT)
    assert not parse_filter({"tags": {"$and": ["law"]}}).holds(bare)


def _nested(depth: int) -> dict[str, Any]:
    condition: dict[str, Any] = leaf("a", "eq", 1)
    for _ in range(depth):
        condition = {"not": condition}
    return condition


@pytest.mark.parametrize(
    "condition",
    [
        {},
        {"field": "a"},
        {"field": "", "op": "eq", "value": 1},
        {"field": 1, "op": "eq", "value": 1},
        leaf("a", "like", "x"),
        leaf("a", "eq", None),
        leaf("a", "eq", {"x": 1}),
        leaf("a", "eq", [1]),
        leaf("a", "in", "x"),
        leaf("a", "in", [[1]]),
        leaf("a", "in", list(range(1001))),
        leaf("a", "gt", True),
        leaf("a", "exists", "yes"),
        leaf("a", "eq", "x" * 1001),
        leaf("document_id", "eq", "five"),
        leaf("document_id", "eq", 1.5),
        {"field": "a", "op": "eq", "value": 1, "more": 2},
        {"and": []},
        {"and": leaf("a", "eq", 1)},
        {"and": [leaf("a", "eq", 1)], "or": [leaf("a", "eq", 1)]},
        {"not": [leaf("a", "eq", 1)]},
        {"or": ["x"]},
        {"and": [leaf("a", "eq", 1)] * 51},
        _nested(5),
        {"tags": ["x"]},
        {"tags": {"$nor": ["x"]}},
        {"tags": {"$and": []}},
        {"tags": {"$and": [1]}},
        {"tags": {"$and": ["x"] * 51}},
        {"createTime": {"$gt": "2030-01-01"}},
        {"createTime": {"$gte": True}},
        {"tags": None},
    ],
)
def test_what_is_no_filter_is_refused(condition: dict[str, Any]) -> None:
    with pytest.raises(KnowledgeInvalid):
        parse_filter(condition)


def test_five_levels_are_allowed() -> None:
    assert parse_filter(_nested(4)).holds(DOCUMENT) is False


LEAVES = st.builds(
    leaf,
    st.sampled_from(["lang", "year", "areas", "missing", "page", "sheet", "name"]),
    st.sampled_from(["eq", "ne", "gt", "gte", "lt", "lte", "contains"]),
    st.one_of(st.integers(0, 3000), st.sampled_from(["en", "law", "Costs", "2030-01-01"])),
)
CONDITIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda parts: {"and": parts}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda parts: {"or": parts}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda part: {"not": part}, inner),
    ),
    max_leaves=6,
)


def _depth(condition: dict[str, Any]) -> int:
    parts = condition.get("and") or condition.get("or") or [condition.get("not")]
    return 1 + max((_depth(part) for part in parts if isinstance(part, dict)), default=0)


@given(CONDITIONS.filter(lambda condition: _depth(condition) <= 4))
def test_not_turns_every_answer_around(condition: dict[str, Any]) -> None:
    plain = parse_filter(condition).holds(DOCUMENT, PART)
    assert parse_filter({"not": condition}).holds(DOCUMENT, PART) is (not plain)


@given(
    CONDITIONS.filter(lambda condition: _depth(condition) <= 5),
    st.integers(0, 3000),
    st.sampled_from(["", "Costs", "en"]),
)
def test_a_document_that_is_kept_out_holds_no_slice_that_is_let_in(
    condition: dict[str, Any], page: int, sheet: str
) -> None:
    read = parse_filter(condition)
    whole = read.holds(DOCUMENT)
    part = read.holds(DOCUMENT, SliceFacts(pages=(page,), sheet=sheet))
    assert part is not None
    assert whole is None or whole is part
