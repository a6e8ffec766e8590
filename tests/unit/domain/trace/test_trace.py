"""Rules of traces: how much is kept, what is cut, how trees and differences are made."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.shared.tracing.span import SpanKind, SpanLog, begun, within
from domain.trace.body import cut, decode_spans, encode_stretch, without_content
from domain.trace.capture import decided
from domain.trace.diff import pairs
from domain.trace.leaf import has_longer_line
from domain.trace.tree import Stretch, tree
from domain.trace.value import Capture, StoredSpan, TreeSpan

NOW = datetime(2026, 11, 23, tzinfo=UTC)


def stored_spans(log: SpanLog, *, field_bytes: int, most_bytes: int) -> list[StoredSpan]:
    stretch = encode_stretch(log, masks=(), field_bytes=field_bytes, most_bytes=most_bytes)
    return decode_spans(stretch.spans)


@dataclass(frozen=True)
class Named:
    """A node of a workflow."""

    title: str
    id: str = "n1"
    kind: str = "text"


def leave(  # noqa: PLR0917 - as the fields are
    log: SpanLog,
    title: str,
    given: dict[str, Any] | None,
    gave: dict[str, Any] | None,
    index: int | None = None,
    port: str = "",
    parent_id: int = 0,
) -> None:
    log.leaf(parent_id, Named(title), log.began_ns, log.began_ns, index, port, given, gave)


def log_of(*, keeps_content: bool = True) -> SpanLog:
    return SpanLog(7, keeps_content=keeps_content, began_at=NOW)


@pytest.mark.parametrize(
    ("settings", "is_draft"), list(product(product([None, *Capture], repeat=3), [True, False]))
)
def test_the_narrowest_setting_counts_and_a_request_only_lowers(
    settings: tuple[Capture | None, ...], is_draft: bool
) -> None:
    told = [each for each in settings if each is not None]
    expected = told[-1] if told else (Capture.CONTENT if is_draft else Capture.METADATA)
    order = list(Capture)

    assert decided(settings, is_draft=is_draft) is expected
    for asked in Capture:
        found = decided(settings, is_draft=is_draft, lowered=asked)
        assert found is min(expected, asked, key=order.index)


def test_a_cut_says_how_much_is_missing() -> None:
    assert cut("a" * 300, 300) == "a" * 300
    assert cut("a" * 301, 300) == "a" * 300 + "…[1 bytes left out]"
    assert cut("é" * 200, 301) == "é" * 150 + "…[99 bytes left out]"


def test_a_trace_that_is_too_large_loses_its_oldest_large_fields() -> None:
    log = log_of()
    for number in range(4):
        log.open(SpanKind.NODE, str(number), parent=log.root).given(str(number) * 2000)
    log.close()

    spans = stored_spans(log, field_bytes=10_000, most_bytes=4_500)

    assert [span.input for span in spans] == [
        "…[2000 bytes left out]",
        "…[2000 bytes left out]",
        "2" * 2000,
        "3" * 2000,
    ]


def test_brief_nodes_are_cut_with_the_spans_around_them_in_the_order_of_their_ids() -> None:
    log = log_of()
    log.open(SpanKind.NODE, "first", parent=log.root).given("a" * 2000)
    leave(log, "nothing", None, None)
    leave(log, "both", {"in": "b" * 2000}, {"out": 1}, port="left")
    log.open(SpanKind.NODE, "last", parent=log.root).given("c" * 2000)
    log.close()

    spans = stored_spans(log, field_bytes=10_000, most_bytes=4_500)

    assert [(s.name, s.input, s.output) for s in spans] == [
        ("first", "…[2000 bytes left out]", None),
        ("nothing", None, None),
        ("both", f'{{"in":"{"b" * 2000}"}}', '{"out":1}'),
        ("last", "c" * 2000, None),
    ]
    assert spans[2].attributes == {"node_id": "n1", "kind": "text", "port": "left"}


def test_a_span_is_below_what_goes_on_in_its_task() -> None:
    log = log_of(keeps_content=False)
    assert not begun(SpanKind.TOOL, "nobody").is_on
    with within(log.root), begun(SpanKind.AGENT, "a") as agent:
        agent.given("secret")
        with pytest.raises(KeyError), begun(SpanKind.TOOL, "b"):
            raise KeyError("detail")
        begun(SpanKind.STEP, "c")
    log.close()

    assert [(s.name, s.parent_id, s.status.value) for s in log.spans] == [
        ("a", 0, "ok"),
        ("b", 1, "error"),
        ("c", 1, "cancelled"),
    ]
    assert log.spans[0].input is None
    assert log.spans[1].error == "KeyError"
    assert not log.open(SpanKind.STEP, "late", parent=agent).is_on


def stored(id_: int, parent: int = 0, name: str = "", **more: object) -> StoredSpan:
    return StoredSpan(id=id_, parent=parent, kind=SpanKind.NODE, name=name or str(id_), **more)  # type: ignore[arg-type]


def test_runs_stand_below_the_spans_that_name_them() -> None:
    later = NOW + timedelta(seconds=1)
    stretches = [
        Stretch(run_id=7, began_at=NOW, spans=[stored(1), stored(2, 1, links=(8,))]),
        Stretch(run_id=7, began_at=later, spans=[stored(1)]),
        Stretch(run_id=8, began_at=NOW, spans=[stored(1), stored(2, 1)]),
        Stretch(run_id=9, began_at=NOW, spans=[stored(1)]),
    ]

    found = {each.id: each for each in tree(7, stretches, {8: 7, 9: 7})}

    assert {name: each.parent for name, each in found.items()} == {
        "1": "",
        "2": "1",
        "2-1": "",
        "r8.1": "2",
        "r8.2": "r8.1",
        "r9.1": "",
    }
    assert found["2-1"].span.start_us == 1_000_000


def test_pairs_have_one_kind_and_name_at_one_place() -> None:
    def spans(*given: StoredSpan) -> list[TreeSpan]:
        return [TreeSpan(id=str(s.id), parent=str(s.parent or ""), run_id=7, span=s) for s in given]

    left = spans(stored(1, name="a", output="x"), stored(2, 1, "b"), stored(3, 1, "b"))
    right = spans(
        stored(1, name="a", output="y", duration_us=5), stored(2, 1, "b"), stored(3, 1, "c")
    )

    found = pairs(left, right)

    assert [(p.left.id if p.left else "", p.right.id if p.right else "") for p in found] == [
        ("1", "1"),
        ("2", "2"),
        ("3", ""),
        ("", "3"),
    ]
    assert found[0].changed == ("output",)
    assert found[0].duration_us == 5


@pytest.mark.parametrize("keeps_content", [True, False])
@pytest.mark.parametrize("most_bytes", [100_000, 4_500])
@pytest.mark.parametrize(
    "said", [{"a": "x" * 1500}, {"a": "line\nline\u2028"}, {"a": object}, None], ids=range(4)
)
def test_a_brief_step_is_stored_as_any_other(
    said: dict[str, Any] | None, most_bytes: int, *, keeps_content: bool
) -> None:
    brief, other = log_of(keeps_content=keeps_content), log_of(keeps_content=keeps_content)
    for log in (brief, other):
        above = log.open(SpanKind.WORKFLOW, "w", parent=log.root)
        above.given({"q": "4111 1111 1111 1111"})
        for number in range(3):
            if log is brief:
                leave(log, "n", said, {"out": number}, number, parent_id=above.id)
                continue
            span = log.open(SpanKind.NODE, "n", parent=above)
            span.attributes = {"node_id": "n1", "kind": "text", "index": number}
            span.given(said)
            span.gave({"out": number})
            span.end()
        log.close()

    stored_brief, stored_other = (
        stored_spans(log, field_bytes=1_000, most_bytes=most_bytes) for log in (brief, other)
    )

    assert [replace(s, start_us=0, duration_us=0) for s in stored_brief] == [
        replace(s, start_us=0, duration_us=0) for s in stored_other
    ]
    assert len(stored_brief) == 4
    leave(brief, "late", None, None)
    assert brief.last_id == 4


def test_leaves_stand_between_spans_as_they_came() -> None:
    log = log_of()
    first = log.open(SpanKind.WORKFLOW, "w", parent=log.root)
    for index, title in enumerate(("a", "b", "a")):
        log.leaf(
            first.id,
            Named(title, id=title),
            log.began_ns + 1000 * (9 - index),
            log.began_ns + 1000 * (11 - index),
            index,
            "right" if index else "",
            {"in": index},
            None,
        )
        log.open(SpanKind.TOOL, f"t{index}", parent=first)
    log.close()

    stretch = encode_stretch(log, masks=(), field_bytes=1_000, most_bytes=10_000)
    spans = decode_spans(stretch.spans)

    assert (stretch.count, stretch.steps) == (7, 3)
    assert [(s.id, s.parent, s.name) for s in spans] == [
        (1, 0, "w"),
        (2, 1, "a"),
        (3, 1, "t0"),
        (4, 1, "b"),
        (5, 1, "t1"),
        (6, 1, "a"),
        (7, 1, "t2"),
    ]
    assert spans[3] == StoredSpan(
        id=4,
        parent=1,
        kind=SpanKind.NODE,
        name="b",
        start_us=8,
        duration_us=2,
        attributes={"node_id": "b", "kind": "text", "index": 1, "port": "right"},
        input='{"in":1}',
    )
    assert [s.start_us for s in spans if s.kind is SpanKind.NODE] == [9, 8, 7]
    assert decode_spans(without_content(stretch.spans)) == [
        replace(span, input=None, output=None) for span in spans
    ]


def test_leaves_alike_take_few_bytes() -> None:
    log, node = log_of(keeps_content=False), Named("A node")
    for index in range(1000):
        log.leaf(0, node, log.began_ns, log.began_ns, index, "", {"in": index}, {"out": index})
    log.close()

    stretch = encode_stretch(log, masks=(), field_bytes=1_000, most_bytes=10_000)

    assert len(decode_spans(stretch.spans)) == 1000
    assert len(stretch.spans) < 6 * 1000


def test_a_mask_that_reaches_over_lines_of_leaves_counts_in_each_of_them() -> None:
    log = log_of()
    for word in ("secret", "word", "se", "cret"):
        leave(log, word, {"in": word}, {"out": word})
    log.close()

    def mask(text: str) -> str:
        return re.sub(r'secret"}|se"}\s+\S+cret"}', '***"}', text)

    stretch = encode_stretch(log, masks=(mask,), field_bytes=1_000, most_bytes=10_000)

    assert [span.input for span in decode_spans(stretch.spans)] == [
        '{"in":"***"}',
        '{"in":"word"}',
        '{"in":"se"}',
        '{"in":"cret"}',
    ]


def test_a_body_of_before_is_read_as_it_was_written() -> None:
    rows = [[1, 0, "workflow", "w"], [2, 1, "node", "n", 5, 7, "ok", 0, "", {"index": 0}, "{}"]]

    spans = decode_spans(msgspec.msgpack.encode(rows))

    assert [(s.id, s.parent, s.name, s.input) for s in spans] == [
        (1, 0, "w", None),
        (2, 1, "n", "{}"),
    ]
    assert decode_spans(without_content(msgspec.msgpack.encode(rows)))[1].input is None


@pytest.mark.parametrize("most", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("content", ["", "a", "abc", "a\nbc", "abc\n", "\nabc", "a\n\nab\nabcd\n"])
def test_a_long_line_is_found_between_others(content: str, most: int) -> None:
    assert has_longer_line(content, most) is any(len(line) > most for line in content.split("\n"))
