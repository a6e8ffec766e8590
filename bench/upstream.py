"""A chat-completions server that stamps each token with the time it left.

``python -m bench.upstream`` prints its port. The model name says what to stream:
``tokens-<count>-<interval ms>``. A token is ``t<monotonic ns>;``, so any reader on this machine can
tell its age; those of ``words-<count>-<interval ms>`` are plain words. ``GET /slow-<ms>`` is
answered after so long. One timer feeds all paced streams, because a thousand sleeping tasks would
cost more than the server under test.
"""

import asyncio
import json
import re
import sys
import time
from collections.abc import Callable
from typing import Final, cast

_MODEL: Final = re.compile(rb'"model":\s*"(tokens|words)-(\d+)-(\d+)"')
_LENGTH: Final = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)
_SLOW: Final = re.compile(rb"GET /slow-(\d+) ")
_LATE: Final = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\nlate"
_HEAD: Final = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
)
_TICK_S: Final = 0.001
_BURST: Final = 16
"""Unpaced tokens per turn of the event loop, as a fast provider packs them."""


def _frame(payload: bytes) -> bytes:
    data = b"data: " + payload + b"\n\n"
    return b"%x\r\n%b\r\n" % (len(data), data)


def _chunk(delta: dict[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    body = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return json.dumps({**body, "choices": [choice]}).encode()


_BEFORE, _AFTER = _chunk({"content": "@"}).split(b"@")
_ROLE: Final = _frame(_chunk({"role": "assistant", "content": ""}))
_USAGE: Final = json.dumps(
    {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}}
).encode()
_END: Final = (
    _frame(_chunk({}, "stop"))
    + _frame(b'{"id":"c","object":"chat.completion.chunk","created":1,"model":"m",' + _USAGE[1:])
    + _frame(b"[DONE]")
    + b"0\r\n\r\n"
)


def _token() -> bytes:
    return _frame(b"%bt%d;%b" % (_BEFORE, time.monotonic_ns(), _AFTER))


_WORD: Final = _frame(_chunk({"content": "word "}))


class Pacer:
    """Writes the due token of every paced stream, one tick at a time."""

    def __init__(self) -> None:
        self._due: dict[int, list[Stream]] = {}
        self._tick = 0

    def add(self, stream: "Stream", *, in_ticks: int) -> None:
        self._due.setdefault(self._tick + max(1, in_ticks), []).append(stream)

    async def run(self) -> None:
        start = time.monotonic()
        while True:
            await asyncio.sleep(max(0.0, start + self._tick * _TICK_S - time.monotonic()))
            self._tick += 1
            for stream in self._due.pop(self._tick, ()):
                if stream.step():
                    self.add(stream, in_ticks=stream.interval)


class Stream(asyncio.Protocol):
    """One connection; answers one request after the other."""

    def __init__(self, pacer: Pacer) -> None:
        self._pacer = pacer
        self._buffer = b""
        self._writable = asyncio.Event()
        self._left = 0
        self._next: Callable[[], bytes] = _token
        self.interval = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is not a subclass
        self._writable.set()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()
        if self.interval == 0 and self._left:
            self._burst()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, separator, body = self._buffer.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not separator or (length and len(body) < int(length[1])):
            return
        self._buffer = b""
        if slow := _SLOW.match(head):
            loop = asyncio.get_running_loop()
            loop.call_later(int(slow[1]) / 1000, self._transport.write, _LATE)
            return
        model = _MODEL.search(body)
        self._left, self.interval = (int(model[2]), int(model[3])) if model else (1, 0)
        self._next = (lambda: _WORD) if model and model[1] == b"words" else _token
        self._transport.write(_HEAD + _ROLE)
        if self.interval:
            self._pacer.add(self, in_ticks=1 + id(self) // 64 % self.interval)
        else:
            self._burst()

    def step(self) -> bool:
        """Send one token; False once the stream is over."""
        if self._transport.is_closing():
            return False
        self._left -= 1
        self._transport.write(self._next() if self._left else self._next() + _END)
        return self._left > 0

    def _burst(self) -> None:
        if self._transport.is_closing() or not self._writable.is_set() or not self._left:
            return
        count = min(_BURST, self._left)
        self._left -= count
        data = b"".join(self._next() for _ in range(count))
        self._transport.write(data if self._left else data + _END)
        if self._left:
            asyncio.get_running_loop().call_soon(self._burst)


async def main() -> None:
    pacer = Pacer()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Stream(pacer), "127.0.0.1", 0, backlog=2048)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    async with server, asyncio.TaskGroup() as group:
        group.create_task(pacer.run())
        group.create_task(server.serve_forever())


if __name__ == "__main__":
    import uvloop

    uvloop.run(main())
