"""Naming provider failures: by words where they say more than the status, safely always."""

from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.shared.secret import Secret
from infra.contract.model.chat_model import ModelFailure
from infra.impl.http.provider import address, retry_after, status_failed

NOW = datetime(2030, 5, 1, 9, 0, tzinfo=UTC)
KEY = "sk-canary-0123456789"


def failure_of(status: int, body: bytes) -> ModelFailure:
    return status_failed(status, body, {}, secret=Secret(KEY), now=NOW).failure


@pytest.mark.parametrize(
    ("status", "body", "failure"),
    [
        (
            400,
            b'{"error":{"message":"maximum context length is 8"}}',
            ModelFailure.CONTEXT_OVERFLOW,
        ),
        (400, b'{"error":{"code":"context_length_exceeded"}}', ModelFailure.CONTEXT_OVERFLOW),
        (413, b"", ModelFailure.CONTEXT_OVERFLOW),
        (429, b'{"error":{"code":"insufficient_quota"}}', ModelFailure.QUOTA),
        (403, '{"message":"账户余额不足"}'.encode(), ModelFailure.QUOTA),
        (400, b'{"error":{"code":"content_filter"}}', ModelFailure.CONTENT_FILTER),
        (400, b'{"code":"data_inspection_failed"}', ModelFailure.CONTENT_FILTER),
        (400, b'{"error":{"message":"The model `m` does not exist"}}', ModelFailure.UNKNOWN_MODEL),
        (404, b'{"detail":"Not Found"}', ModelFailure.UNKNOWN_MODEL),
        (301, b"", ModelFailure.UNKNOWN_MODEL),
        (400, b'{"error":{"code":"invalid_api_key"}}', ModelFailure.AUTH),
        (401, b"", ModelFailure.AUTH),
        (422, b'{"detail":[{"msg":"field required"}]}', ModelFailure.INVALID_REQUEST),
        (400, b'[{"error":{"message":"Bad"}}]', ModelFailure.INVALID_REQUEST),
        (500, b"The model was not found in the cache", ModelFailure.OVERLOADED),
        (503, b"<html>", ModelFailure.OVERLOADED),
        (504, b"", ModelFailure.TIMEOUT),
    ],
)
def test_status_and_words_decide(status: int, body: bytes, failure: ModelFailure) -> None:
    assert failure_of(status, body) is failure


@pytest.mark.parametrize(
    "said",
    [
        f"Bad key {KEY}.",
        "Use Bearer abc.def-ghi now",
        "see https://api.example.com/v1?key=abcdefgh",
        "api_key=abcdefgh1234 is wrong",
    ],
)
def test_keys_and_addresses_are_masked(said: str) -> None:
    body = msgspec.json.encode({"error": {"message": said}})
    failed = status_failed(400, body, {}, secret=Secret(KEY), now=NOW)

    shown = f"{failed.message} {failed.context}"
    assert "******" in shown
    for secret in (KEY, "abc.def", "abcdefgh", "example.com"):
        assert secret not in shown


@settings(deadline=None)
@given(st.integers(300, 599), st.binary(max_size=200))
def test_any_answer_is_named(status: int, body: bytes) -> None:
    failed = status_failed(status, body, {}, secret=Secret(KEY), now=NOW)

    assert failed.message.isprintable()
    assert len(failed.message) < 500


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "Wed, 01 May 2030 09:01:00 GMT"}, 60.0),
        ({"retry-after": "Wed, 01 May 2030 08:00:00 GMT"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "9" * 40}, None),
        ({}, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, now=NOW) == seconds


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("http://a/v1", "http://a/v1/chat/completions"),
        ("http://a/v1/", "http://a/v1/chat/completions"),
        ("http://a/v1/chat/completions", "http://a/v1/chat/completions"),
        ("http://a/x?api-version=1", "http://a/x/chat/completions?api-version=1"),
    ],
)
def test_the_path_is_put_before_the_query(base: str, expected: str) -> None:
    assert address(base, "/chat/completions") == expected
