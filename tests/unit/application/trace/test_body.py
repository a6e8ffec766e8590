"""Bodies of traces are sealed."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import cast

import pytest

from application.trace.body import TraceBodies
from domain.shared.ids import SpaceId
from domain.shared.tracing.span import SpanKind, SpanLog
from domain.trace.body import encode_stretch
from domain.trace.error import TraceUnreadable
from domain.trace.value import TraceBody
from infra.contract.storage.object_store import ObjectStore
from infra.impl.secret_box.aes_gcm import AesGcmSecretBox
from tests.support.clock import FrozenClock

NOW = datetime(2026, 11, 29, tzinfo=UTC)


class NoObjects:
    """Bodies here are too small for it."""


def bodies_under(*, key: int) -> TraceBodies:
    return TraceBodies(
        objects=cast(ObjectStore, NoObjects()),
        box=AesGcmSecretBox(bytes([key]) * 32),
        clock=FrozenClock(NOW),
    )


async def packed(log: SpanLog) -> TraceBody:
    log.close()
    stretch = encode_stretch(log, masks=(), field_bytes=1000, most_bytes=10_000)
    return await bodies_under(key=1).pack(
        stretch.spans, run_id=7, space_id=SpaceId(1), began_at=NOW
    )


def log_of(*, keeps_content: bool) -> SpanLog:
    log = SpanLog(7, keeps_content=keeps_content, began_at=NOW)
    model = log.open(SpanKind.MODEL, "gpt", parent=log.root)
    model.note(provider="openai", attempt=1)
    model.given("Who is there?")
    return log


async def test_names_and_numbers_are_sealed() -> None:
    body = await packed(log_of(keeps_content=False))

    assert b"gpt" not in body.sealed
    [span] = await bodies_under(key=1).open(body)
    assert (span.name, span.attributes) == ("gpt", {"provider": "openai", "attempt": 1})
    with pytest.raises(TraceUnreadable):
        await bodies_under(key=2).open(body)


async def test_a_body_that_was_left_unsealed_is_read_and_sealed() -> None:
    log = log_of(keeps_content=False)
    log.close()
    spans = encode_stretch(log, masks=(), field_bytes=1000, most_bytes=10_000).spans
    bare = TraceBody(run_id=7, space_id=SpaceId(1), began_at=NOW, sealed=b"\0" + spans)

    anew = await bodies_under(key=1).reseal(bare)

    assert anew is not None
    assert b"gpt" not in anew.sealed
    for body in (bare, anew):
        [span] = await bodies_under(key=1).open(body)
        assert span.name == "gpt"


async def test_what_was_said_is_sealed() -> None:
    body = await packed(log_of(keeps_content=True))

    assert b"Who is there?" not in body.sealed
    [span] = await bodies_under(key=1).open(body)
    assert span.input == "Who is there?"
    with pytest.raises(TraceUnreadable):
        await bodies_under(key=2).open(body)


async def test_words_of_an_error_a_leaf_and_a_tool_are_sealed() -> None:
    failed, called, looped = (
        SpanLog(7, keeps_content=keeps, began_at=NOW) for keeps in (False, False, True)
    )
    failed.open(SpanKind.MODEL, "gpt", parent=failed.root).fail("No such key: secret-1.")
    called.open(SpanKind.TOOL, "look_up", parent=called.root).note(call_id="secret-1")
    node = SimpleNamespace(id="1", title="node", kind="text")
    looped.leaf(0, node, looped.began_ns, looped.began_ns, None, "", {"in": "secret-1"}, None)

    for log in (failed, called, looped):
        body = await packed(log)

        assert b"secret-1" not in body.sealed
        assert "secret-1" in str(await bodies_under(key=1).open(body))
        with pytest.raises(TraceUnreadable):
            await bodies_under(key=2).open(body)


async def test_a_long_body_is_sealed_whatever_is_in_it() -> None:
    log = SpanLog(7, keeps_content=False, began_at=NOW)
    for number in range(200):
        log.open(SpanKind.NODE, f"node {number}", parent=log.root)

    body = await packed(log)

    assert len(await bodies_under(key=1).open(body)) == 200
    with pytest.raises(TraceUnreadable):
        await bodies_under(key=2).open(body)
