"""Bodies cut into JSON texts: any split of the bytes gives the same."""

import pytest

from infra.impl.chat_model.frames import Frames, LineFrames, SseFrames

SSE = b'\xef\xbb\xbf: hi\r\nevent: a\r\ndata: {"x":"\xe4\xbd\xa0"}\r\n\r\ndata: {}\n\ndata: [DONE]'
LINES = b'\n{"x":"\xe4\xbd\xa0"}\r\n\n{}\n{"done":true}'
WHOLE = b' \n{"error":\n\n{"message":"no"}}\n'


def read(frames: Frames, pieces: list[bytes]) -> list[bytes]:
    return [*(text for piece in pieces for text in frames.feed(piece)), *frames.finish()]


def sse() -> Frames:
    return SseFrames(event_bytes=1000, body_bytes=1000)


@pytest.mark.parametrize(
    ("kind", "body", "texts"),
    [
        ("sse", SSE, ['{"x":"你"}', "{}", "[DONE]"]),
        ("sse", WHOLE, ['{"error":\n\n{"message":"no"}}']),
        ("lines", LINES, ['{"x":"你"}', "{}", '{"done":true}']),
    ],
)
def test_any_split_gives_the_same_texts(kind: str, body: bytes, texts: list[str]) -> None:
    expected = [text.encode() for text in texts]
    for at in range(len(body) + 1):
        frames = sse() if kind == "sse" else LineFrames(line_bytes=1000)
        assert read(frames, [body[:at], body[at:]]) == expected
        assert frames.has_noise
    single = sse() if kind == "sse" else LineFrames(line_bytes=1000)
    assert read(single, [body[at : at + 1] for at in range(len(body))]) == expected


def test_what_is_too_large_is_refused() -> None:
    whole = SseFrames(event_bytes=1000, body_bytes=10)
    lines = LineFrames(line_bytes=10)

    assert read(whole, [b'{"x": ', b'"0123456789"}']) == []
    assert read(lines, [b'{"x": ', b'"0123456789"}\n{}\n']) == [b"{}"]
    assert whole.is_refused
    assert lines.is_refused


def test_nothing_is_no_noise() -> None:
    frames = sse()

    assert read(frames, [b" ", b"\r\n"]) == []
    assert not frames.has_noise
