"""Bodies that no client library would send: always refused, never a defect."""

import gzip
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.body.shape import BodyShape
from domain.shared.error import InvalidRequest
from domain.shared.text.json_scan import JsonBounds, check_json
from tests.unit.api.harness import Surface

ROUTES = [
    "/v3/chat",
    "/v3/chat/cancel",
    "/v3/chat/submit_tool_outputs?conversation_id=1&chat_id=2",
    "/v1/chat/completions",
    "/api/v1/chat/completions",
]
BODIES = [
    b"",
    b"null",
    b"1",
    b'"text"',
    b"[]",
    b"{",
    b'{"bot_id":"\xff"}',
    b'{"bot_id":"\xed\xa0\x80"}',
    b'{"bot_id":"\\ud800"}',
    b'{"bot_id":"\\u0000","user_id":"u"}',
    b"\xef\xbb\xbf{}",
    '{"bot_id":1}'.encode("utf-16"),
    b'{"bot_id":1e400,"user_id":"u"}',
    b'{"bot_id":-0,"user_id":"u"}',
    b'{"bot_id":NaN}',
    b'{"bot_id":"0","bot_id":"1"}',
    b'{"messages":' + b"[" * 65 + b"]" * 65 + b"}",
    b"[" * 100_000,
    b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    gzip.compress(b"{}"),
    b"{}{}",
    b"--boundary\r\n",
]


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
async def test_hostile_bodies_are_bad_requests(path: str, body: bytes) -> None:
    surface = Surface()
    async with surface.client() as client:
        response = await client.post(
            path, content=body, headers={"content-type": "application/json; charset=utf-8"}
        )

    assert response.status_code in {400, 409, 413}
    assert response.json()["error"]
    assert not surface.runs.started


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded"])
async def test_json_under_another_name_is_refused(content_type: str) -> None:
    async with Surface().client() as client:
        response = await client.post(
            "/v3/chat", content=b"{}", headers={"content-type": content_type}
        )

    assert (response.status_code, response.json()["code"]) == (415, 4000)


@given(st.binary(max_size=64))
def test_any_bytes_decode_or_are_refused(body: bytes) -> None:
    with suppress(InvalidRequest):
        decode(body)


@pytest.mark.parametrize(("levels", "fits"), [(64, True), (65, False)])
def test_the_depth_limit_is_exact(levels: int, fits: bool) -> None:
    body = b"[" * levels + b"]" * levels
    if fits:
        assert decode(body)
    else:
        with pytest.raises(InvalidRequest, match="deeper"):
            decode(body)


def test_brackets_in_texts_do_not_count_as_depth() -> None:
    assert decode(b'{"a":"' + b"[" * 1000 + b'"}', depth=2)


def test_the_words_backslash_u0000_are_ordinary_text() -> None:
    assert decode(rb'{"a":"\\u0000"}', depth=2) == {"a": "\\u0000"}


def decode(body: bytes, *, depth: int = 64) -> object:
    check_json(body, JsonBounds(depth, 1000))
    return BodyShape(Any).decode(body)
