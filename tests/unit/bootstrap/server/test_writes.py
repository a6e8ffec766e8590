"""How often an answer goes to the system: the head along with the body, if there is one yet."""

import asyncio

import pytest

from bootstrap.server.protocol import Connection

HEAD = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"


class Written(asyncio.Transport):
    """A transport that remembers what it was given at once."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []
        self.is_lost = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.pieces.append(bytes(data))


@pytest.fixture
def written() -> Written:
    return Written()


@pytest.fixture
def connection(written: Written) -> Connection:
    return Connection(written, end=lambda: None, is_over=lambda: written.is_lost)


async def test_a_head_is_written_with_the_body_that_follows_at_once(
    connection: Connection, written: Written
) -> None:
    connection.write(HEAD)
    connection.write(b"1\r\na\r\n")
    connection.write(b"0\r\n\r\n")
    await asyncio.sleep(0)

    assert written.pieces == [HEAD + b"1\r\na\r\n", b"0\r\n\r\n"]


async def test_a_head_without_a_body_waits_for_one_step_alone(
    connection: Connection, written: Written
) -> None:
    connection.write(HEAD)
    await asyncio.sleep(0)
    connection.write(b"1\r\na\r\n")

    assert written.pieces == [HEAD, b"1\r\na\r\n"]


async def test_a_body_that_looks_like_a_head_is_written_once(
    connection: Connection, written: Written
) -> None:
    connection.write(HEAD)
    connection.write(b"HTTP/1.1 is what this is about")
    connection.write(b"HTTP/2 as well")
    await asyncio.sleep(0)

    assert b"".join(written.pieces) == HEAD + b"HTTP/1.1 is what this is aboutHTTP/2 as well"


async def test_nothing_is_written_to_a_connection_that_was_lost_meanwhile(
    connection: Connection, written: Written
) -> None:
    connection.write(HEAD)
    written.is_lost = True
    await asyncio.sleep(0)

    assert written.pieces == []
