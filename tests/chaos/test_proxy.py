"""The proxy does to connections what it is told."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from tests.chaos.proxy import FINE, REFUSED, SILENT, Fault, Proxy

WAIT_S = 60.0


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    """A proxy in front of a server that repeats what it hears."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=_echo, args=(listener,), daemon=True)
        thread.start()
        with Proxy(("127.0.0.1", listener.getsockname()[1])).listening() as proxy:
            yield proxy
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(WAIT_S)


def _echo(listener: socket.socket) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_repeat, args=(connection,), daemon=True).start()


def _repeat(connection: socket.socket) -> None:
    with connection:
        try:
            while piece := connection.recv(65536):
                connection.sendall(piece)
        except OSError:
            return


def connected(proxy: Proxy) -> socket.socket:
    return socket.create_connection(("127.0.0.1", proxy.port), timeout=WAIT_S)


def said(connection: socket.socket, text: bytes) -> bytes:
    """Say something and return what comes back."""
    connection.sendall(text)
    heard = b""
    while len(heard) < len(text) and (piece := connection.recv(65536)):
        heard += piece
    return heard


@pytest.mark.parametrize(
    "fault",
    [FINE, Fault(slice_bytes=3), Fault(latency_s=0.05), Fault(bytes_per_s=1000, slice_bytes=20)],
)
def test_what_is_slow_or_cut_into_pieces_arrives_whole(proxy: Proxy, fault: Fault) -> None:
    text = b"0123456789" * 20
    proxy.set(fault)
    began = time.monotonic()
    with connected(proxy) as connection:
        assert said(connection, text) == text
    least = 2 * fault.latency_s + (len(text) / fault.bytes_per_s if fault.bytes_per_s else 0)
    assert time.monotonic() - began >= least


def test_silence_ends_and_nothing_is_lost(proxy: Proxy) -> None:
    with connected(proxy) as connection:
        assert said(connection, b"before") == b"before"
        with proxy.suffering(SILENT):
            connection.sendall(b"during")
            connection.settimeout(0.2)
            with pytest.raises(TimeoutError):
                connection.recv(10)
        connection.settimeout(WAIT_S)
        assert connection.recv(10) == b"during"


def test_connections_are_reset_and_refused(proxy: Proxy) -> None:
    with connected(proxy) as connection:
        assert said(connection, b"x") == b"x"
        proxy.reset()
        with pytest.raises(ConnectionResetError):
            connection.recv(10)
    refused = pytest.raises(ConnectionResetError)
    with proxy.suffering(REFUSED), refused, connected(proxy) as connection:
        connection.recv(10)
    with connected(proxy) as connection:
        assert said(connection, b"y") == b"y"


def test_a_server_says_nothing_more_or_only_a_part(proxy: Proxy) -> None:
    with connected(proxy) as connection:
        assert said(connection, b"x") == b"x"
        proxy.half_close()
        assert connection.recv(10) == b""
    proxy.set(Fault(cut_after=4))
    with connected(proxy) as connection:
        connection.sendall(b"0123456789")
        assert connection.recv(10) == b"0123"
        assert connection.recv(10) == b""


def test_another_answer_is_given(proxy: Proxy) -> None:
    proxy.set(Fault(answer=b"HTTP/1.1 503 Slow Down\r\n\r\n"))
    with connected(proxy) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 503")
