"""The event-stream reader: any split of the bytes gives the same events."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.impl.chat_model.sse import SseReader
from tests.support.effort import LINEAR, growth

LIMIT = 4096


def read(
    data: bytes, cuts: list[int], *, limit: int = LIMIT
) -> tuple[list[tuple[bytes, bytes]], int]:
    reader = SseReader(limit_bytes=limit)
    events = []
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    for start, end in itertools.pairwise(edges):
        events += reader.feed(data[start:end])
    events += reader.finish()
    return [(event.name, event.data) for event in events], reader.dropped


LINES = st.lists(
    st.one_of(
        st.text(max_size=12).map(lambda text: b"data: " + text.encode("utf-8", "replace")),
        st.sampled_from(
            [b"", b"", b"data", b"data:x", b"data:  y", b": comment", b"event: error", b"id: 1"]
        ),
        st.sampled_from([b"retry: 5", b"nonsense", b"\xef\xbb\xbfdata: z", b"data: \xff\xf0"]),
        st.binary(max_size=8),
    ),
    max_size=12,
)
ENDS = st.lists(st.sampled_from([b"\n", b"\r", b"\r\n"]), min_size=12, max_size=12)


@settings(deadline=None)
@given(LINES, ENDS, st.booleans(), st.lists(st.integers(0, 400), max_size=30))
def test_splits_do_not_change_events(
    lines: list[bytes], ends: list[bytes], marked: bool, cuts: list[int]
) -> None:
    data = b"".join(line + end for line, end in zip(lines, ends, strict=False))
    data = (b"\xef\xbb\xbf" if marked else b"") + data

    assert read(data, cuts) == read(data, [])
    assert read(data, list(range(len(data)))) == read(data, [])


@settings(deadline=None)
@given(LINES, st.lists(st.integers(0, 400), max_size=30), st.integers(4, 20))
def test_splits_do_not_change_what_is_dropped(
    lines: list[bytes], cuts: list[int], limit: int
) -> None:
    data = b"\n".join(lines)

    assert read(data, cuts, limit=limit) == read(data, [], limit=limit)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=10))
def test_any_bytes_are_survived(pieces: list[bytes]) -> None:
    reader = SseReader(limit_bytes=LIMIT)
    for piece in pieces:
        reader.feed(piece)
    reader.finish()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"data: a\n\n", [(b"", b"a")]),
        (b"\xef\xbb\xbfdata: a\r\rdata: b\r\n\r\n", [(b"", b"a"), (b"", b"b")]),
        (b"data: a\ndata: b\n\n", [(b"", b"a\nb")]),
        (b"data:a\ndata\n\n", [(b"", b"a\n")]),
        (b": ping\n\nevent: error\ndata: x\n\ndata: y\n\n", [(b"error", b"x"), (b"", b"y")]),
        (b"event: lost\n\ndata: y\n\n", [(b"", b"y")]),
        (b"data: no empty line", [(b"", b"no empty line")]),
        (b"id: 3\nretry: 10\nfield: x\n\n", []),
        ("data: a\u2028b\u0085c\n\n".encode(), [(b"", "a\u2028b\u0085c".encode())]),
    ],
)
def test_the_standard_is_followed(data: bytes, expected: list[tuple[bytes, bytes]]) -> None:
    assert read(data, []) == (expected, 0)


def test_an_oversized_event_is_dropped_and_the_next_one_read() -> None:
    data = b"data: " + b"x" * 2 * LIMIT + b"\ndata: more\n\ndata: next\n\n"

    assert read(data, []) == ([(b"", b"next")], 1)
    assert read(data, list(range(0, len(data), 100))) == ([(b"", b"next")], 1)


def test_a_long_comment_takes_no_memory_and_drops_nothing() -> None:
    data = b"data: a\n:" + b"x" * 3 * LIMIT + b"\n\n"

    assert read(data, list(range(0, len(data), 64))) == ([(b"", b"a")], 0)


def test_work_is_linear_in_a_line_that_arrives_in_small_pieces() -> None:
    def work(size: int) -> None:
        reader = SseReader(limit_bytes=64_000_000)
        reader.feed(b"data: ")
        for _ in range(size):
            reader.feed(b"xxxxxxxxxxxxxxxx")
        assert len(reader.feed(b"\n\n")[0].data) == 16 * size

    assert growth(work, small=10_000) < LINEAR
