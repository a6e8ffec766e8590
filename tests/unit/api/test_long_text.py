"""Files leave JSON bodies while they arrive, and nothing else does."""

import base64
import json

import pytest

from api.body.long_text import LongTextExtractor
from api.coze.knowledge.document_request import decode_base64
from domain.shared.error import InvalidRequest

FILE = bytes(range(251)) * 300
LONG = base64.b64encode(FILE).decode()


def lifted(body: bytes, *, size: int) -> tuple[bytes, LongTextExtractor]:
    lifter = LongTextExtractor()
    for start in range(0, len(body), size):
        lifter.feed(body[start : start + size])
    return lifter.finish(), lifter


@pytest.mark.parametrize("size", [7, 64, 1000, 1_000_000])
def test_long_files_leave_and_can_be_decoded(size: int) -> None:
    wrapped = base64.encodebytes(FILE).decode()
    escaped = LONG.replace("/", "\\/").replace("+", "\\u002B")
    body = b'{"a":[{"file_base64":"%s"},{"file_base64" : "%s"},{"file_base64":"%s"}],"z":"%s"}' % (
        LONG.encode(),
        json.dumps(wrapped)[1:-1].encode(),
        escaped.encode(),
        LONG.encode(),
    )
    rest, lifter = lifted(body, size=size)
    value = json.loads(rest)

    assert value["z"] == LONG
    for each in value["a"]:
        pieces = lifter.texts.take(each["file_base64"])
        assert pieces
        assert decode_base64(pieces, field="f", max_bytes=len(FILE)) == FILE
    assert lifter.texts.is_empty


@pytest.mark.parametrize("size", [1, 13, 1000])
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b'{"file_base64":"aGk="}',
        b'{"file_base64":null,"b":"file_base64\\":\\"x"}',
        b'{"file_base64":"a\\\\","b":"\\""}',
        b'{"file_base64":"never ends',
        b'{"file_base64":"ends in an escape\\',
        json.dumps({"text": '"file_base64":"' + LONG}).encode(),
        b'{"other":"%s"}' % LONG.encode(),
    ],
)
def test_everything_else_stays_as_it_is(body: bytes, size: int) -> None:
    rest, lifter = lifted(body, size=size)

    assert rest == body
    assert lifter.texts.is_empty


@pytest.mark.parametrize("flaw", [b"\n", b"\xff", b"%", b"====", b"\\x", b"\\"])
def test_long_texts_that_are_no_base64_are_refused(flaw: bytes) -> None:
    with pytest.raises(InvalidRequest, match="not valid base64"):
        decode_base64([LONG.encode(), flaw, LONG.encode()], field="f", max_bytes=10**9)
