"""The socket, the lock and the way down of a process."""

import asyncio
import os
import signal
import socket
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
import uvloop
from litestar import Litestar, get

from application.operation.health import Drain
from bootstrap.server.announce import Announcement
from bootstrap.server.listener import SEND_BUFFER_BYTES, adopt, listen, port_of
from bootstrap.server.lock import LAST_NODE, exclusive, free_node
from bootstrap.server.serve import make_server, serve
from domain.shared.error import SettingsInvalid
from domain.shared.limits import Limits


def test_port_zero_takes_any_free_port() -> None:
    with listen("127.0.0.1", 0) as listener:
        assert port_of(listener) > 0
        assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= SEND_BUFFER_BYTES * 2


def test_a_taken_port_is_refused_with_advice() -> None:
    with (
        listen("127.0.0.1", 0) as listener,
        pytest.raises(SettingsInvalid, match="--port"),
    ):
        listen("127.0.0.1", port_of(listener))


def test_behind_a_balancer_nobody_waits_for_a_server_that_starts() -> None:
    with (
        listen("127.0.0.1", 0, at_once=False) as listener,
        pytest.raises(ConnectionRefusedError),
    ):
        socket.create_connection(("127.0.0.1", port_of(listener)), timeout=60)


def test_a_name_that_does_not_resolve_is_refused() -> None:
    with pytest.raises(SettingsInvalid, match="Cannot listen"):
        listen("256.256.256.256", 0)


def test_a_descriptor_that_is_no_socket_is_refused(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        with pytest.raises(SettingsInvalid, match="not a socket"):
            adopt(descriptor)
    finally:
        os.close(descriptor)


def test_one_server_per_data_directory(tmp_path: Path) -> None:
    with (
        exclusive(tmp_path),
        pytest.raises(SettingsInvalid, match="Another server"),
        exclusive(tmp_path),
    ):
        pass

    with exclusive(tmp_path):
        pass


def test_processes_on_one_data_directory_get_numbers_of_their_own(tmp_path: Path) -> None:
    with free_node(tmp_path, first=5) as one, free_node(tmp_path, first=5) as two:
        assert (one, two) == (5, 6)
    with free_node(tmp_path, first=5) as again:
        assert again == 5


def test_no_number_is_given_twice(tmp_path: Path) -> None:
    with (
        free_node(tmp_path, first=LAST_NODE),
        pytest.raises(SettingsInvalid, match="are taken"),
        free_node(tmp_path, first=LAST_NODE),
    ):
        pass


@get("/")
async def _hello() -> str:
    return "hello"


async def _ask(port: int, path: str = "/") -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    return answer


async def _until_refused(port: int) -> None:
    while True:
        try:
            await _ask(port)
        except OSError:
            return


async def _until_answered(port: int) -> None:
    while True:
        try:
            await _ask(port)
        except OSError:
            await asyncio.sleep(0.01)
        else:
            return


async def test_a_signal_drains_before_the_listener_closes() -> None:
    drain, finished, aborted = Drain(), asyncio.Event(), []
    listener = listen("127.0.0.1", 0)
    port = port_of(listener)
    announced = asyncio.Event()

    async def finish_runs(grace_s: float) -> None:
        assert (drain.is_on, grace_s) == (True, 5.0)
        assert (await _ask(port)).endswith(b"hello")  # still answering while runs end
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(0.05)
        finished.set()

    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(
            serve(
                Litestar([_hello], openapi_config=None, logging_config=None),
                listener,
                drain=drain,
                finish_runs=finish_runs,
                announce=announced.set,
                abort=lambda: aborted.append(True),
                limits=Limits(shutdown_grace_s=5.0),
            )
        )
        await announced.wait()
        assert not drain.is_on
        os.kill(os.getpid(), signal.SIGTERM)

    assert finished.is_set()
    assert aborted == [True]
    with pytest.raises(OSError, match=r"refused|failed"):
        await _ask(port)


async def test_behind_a_balancer_everything_is_answered_until_nobody_can_ask() -> None:
    drain, announced, asked, release = Drain(), asyncio.Event(), asyncio.Event(), asyncio.Event()
    listener = listen("127.0.0.1", 0, at_once=False)
    port = port_of(listener)

    @get("/slow")
    async def slow() -> str:
        asked.set()
        await release.wait()
        return "late" if not drain.is_on else "too late"

    async def finish_runs(grace_s: float) -> None:
        assert drain.is_on
        assert 0 < grace_s < 20

    async def client() -> None:
        await announced.wait()
        await _until_answered(port)
        waiting = group.create_task(_ask(port, "/slow"))
        await asked.wait()
        os.kill(os.getpid(), signal.SIGTERM)
        assert (await _ask(port)).endswith(b"hello")
        assert drain.is_leaving
        await _until_refused(port)
        release.set()
        assert (await waiting).endswith(b"late")

    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(client())
        await serve(
            Litestar([_hello, slow], openapi_config=None, logging_config=None),
            listener,
            drain=drain,
            finish_runs=finish_runs,
            announce=announced.set,
            abort=release.set,
            limits=Limits(shutdown_grace_s=20.0),
            linger_s=1.5,
        )


def _announcement(token: str, *, is_configured: bool = False) -> Announcement:
    return Announcement(
        version="1",
        url="http://127.0.0.1:1",
        operations_url="http://127.0.0.1:3",
        port=1,
        pid=2,
        token=token,
        is_token_configured=is_configured,
        agent_id=7528041100000000101,
        agent_name="Assistant",
        docs_url="http://127.0.0.1:1/docs",
        is_offline=True,
    )


def test_the_first_start_prints_a_command_to_paste() -> None:
    text = "\n".join(_announcement("pat_abc").lines())

    assert "curl -N http://127.0.0.1:1/v3/chat" in text
    assert "Bearer pat_abc" in text
    assert '"bot_id": "7528041100000000101"' in text
    assert "(pid 2)" in text
    assert "http://127.0.0.1:3" in text


def test_a_configured_token_is_named_and_not_shown() -> None:
    announced = _announcement("", is_configured=True)
    text = "\n".join(announced.lines())

    assert "the one in COTERIE_BOOTSTRAP_TOKEN" in text
    assert "Bearer $COTERIE_BOOTSTRAP_TOKEN" in text
    assert announced.document()["token"] is None


def test_later_starts_have_no_token_to_print() -> None:
    text = "\n".join(_announcement("").lines())

    assert "coterie token create" in text
    assert "$COTERIE_TOKEN" in text


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "])
async def test_a_connection_without_a_whole_request_is_closed(
    monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr("bootstrap.server.protocol.HEAD_S", 0.05)
    app = Litestar([_hello], openapi_config=None, logging_config=None)
    server = make_server(app, limits=Limits(), trusted_proxies=())
    listener = listen("127.0.0.1", 0)
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(server.serve(sockets=[listener]))
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(listener))
        writer.write(sent)
        with suppress(ConnectionResetError):  # the end came before what was sent
            assert await reader.read() == b""
        writer.close()
        monkeypatch.undo()
        assert (await _ask(port_of(listener))).endswith(b"hello")
        server.should_exit = True


def test_whoever_waits_in_line_for_a_busy_server_is_let_in_at_once() -> None:
    crowd, turns, arrivals = 50, 0, list[int]()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        arrivals.append(turns)
        await send({"type": "http.response.start", "status": 204})
        await send({"type": "http.response.body"})

    async def main() -> None:
        nonlocal turns
        server = make_server(app, limits=Limits(), trusted_proxies=())
        listener = listen("127.0.0.1", 0)
        address = ("127.0.0.1", port_of(listener))
        with ExitStack() as clients:
            for _ in range(crowd):
                client = clients.enter_context(socket.create_connection(address, timeout=60))
                client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            async with asyncio.timeout(60), asyncio.TaskGroup() as group:
                group.create_task(server.serve(sockets=[listener]))
                while len(arrivals) < crowd:
                    turns += 1
                    await asyncio.sleep(0)
                server.should_exit = True

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # as servers have it
        runner.run(main())

    assert max(arrivals) - min(arrivals) < crowd / 2
