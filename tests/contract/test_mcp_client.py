"""The MCP client against the official server, over every transport and in both eras."""

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import psutil
import pytest

from domain.shared.error import NotFound
from domain.shared.limits import Limits
from infra.contract.egress import EgressDenied
from infra.contract.mcp import McpServer, McpTool, McpUnavailable, Transport
from infra.impl.http.gateway import HttpGateway
from infra.impl.mcp.client import ProtocolMcpClient
from infra.impl.mcp.confinement import Confinement, own_folders
from infra.impl.mcp.mirror import encoded, is_well_marked, parameter_headers
from infra.impl.mcp.program import McpProgram
from infra.impl.mcp.programs import McpPrograms
from tests.support.process.port import free_port

SERVERS = Path(__file__).parents[1] / "mcp_servers"
WAYS = ("modern", "handshake", "sse", "program")


@contextmanager
def reference(*arguments: str) -> Iterator[int]:
    """Run the official server on a free port."""
    port = free_port()
    transport, *rest = arguments
    command = [sys.executable, str(SERVERS / "reference.py"), transport, str(port), *rest]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert process.poll() is None, "The reference server did not start."
                assert time.monotonic() < deadline
                time.sleep(0.05)
        yield port
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def ports() -> Iterator[dict[str, int]]:
    with (
        reference("http") as modern,
        reference("http", "handshake") as handshake,
        reference("sse", "handshake") as sse,
    ):
        yield {"modern": modern, "handshake": handshake, "sse": sse}


def python(name: str, script: str, *arguments: str) -> McpProgram:
    """A confined program that may read its modules, and write what it is told to."""
    modules = (*own_folders(sys.executable, {}, hidden=()), *filter(None, sys.path), str(SERVERS))
    files = tuple(each for each in arguments if each.startswith("/"))
    for each in files:
        Path(each).touch()
    return McpProgram(
        name=name,
        command=sys.executable,
        args=(str(SERVERS / script), *arguments),
        env={"A": "b"},
        confinement=Confinement(readable=modules, writable=files),
    )


async def to_loopback(host: str, port: int) -> Sequence[str]:
    return ["127.0.0.1"]


@asynccontextmanager
async def client(
    *programs: McpProgram, ports: Sequence[int] = (), **limits: float
) -> AsyncGenerator[ProtocolMcpClient, None]:
    bounds = Limits(**limits)  # type: ignore[arg-type]
    gateway = HttpGateway(
        limits=bounds, allow_private=[f"local.test:{port}" for port in ports], resolve=to_loopback
    )
    running = McpPrograms(programs, limits=bounds)
    await running.start()
    try:
        yield ProtocolMcpClient(gateway=gateway, programs=running, limits=bounds)
    finally:
        await running.aclose()
        await gateway.aclose()


def at(port: int, path: str = "/mcp", transport: Transport = "auto", **more: str) -> McpServer:
    url = f"http://local.test:{port}{path}"
    return McpServer(owner="1", url=url, transport=transport, headers=more)


@asynccontextmanager
async def reached(
    way: str, ports: dict[str, int], **limits: float
) -> AsyncGenerator[tuple[ProtocolMcpClient, McpServer], None]:
    """A client and the reference server on the given way to it."""
    if way == "program":
        async with client(
            python("reference", "reference.py", "stdio"), ports=(), **limits
        ) as found:
            yield found, McpServer(owner="1", program="reference")
        return
    async with client(ports=[ports[way]], **limits) as found:
        yield found, at(ports[way], "/sse" if way == "sse" else "/mcp")


@pytest.mark.parametrize("way", WAYS)
async def test_tools_are_listed_and_called(way: str, ports: dict[str, int]) -> None:
    progress: list[tuple[float, str]] = []
    async with reached(way, ports) as (mcp, server):
        listed = await mcp.list_tools(server)
        again = await mcp.list_tools(server)
        tools = {tool.name: tool for tool in listed.tools}
        both = await asyncio.gather(
            mcp.call(server, tools["add"], {"a": 2, "b": 40}),
            mcp.call(server, tools["add"], {"a": 1, "b": 1}),
        )
        image = await mcp.call(server, tools["picture"], {})
        failed = await mcp.call(server, tools["fail"], {})
        slow = await mcp.call(
            server, tools["slow"], {"steps": 2}, on_progress=lambda *said: progress.append(said)
        )

    assert sorted(tools) == ["add", "fail", "hang", "picture", "slow"]
    assert tools["add"].description == "Add two numbers."
    assert tools["add"].input_schema["required"] == ["a", "b"]
    assert listed.digest == again.digest
    assert [each.structured for each in both] == [{"result": 42}, {"result": 2}]
    assert [each.data for each in image.parts] == [b"\x89PNG"]
    assert failed.is_error
    assert "fail" in failed.text
    assert slow.structured == {"result": "done"}
    assert progress[-1] == (1.0, "step 2")


@pytest.mark.parametrize("way", WAYS)
async def test_silence_ends_a_call_and_progress_extends_it(way: str, ports: dict[str, int]) -> None:
    async with reached(way, ports, mcp_call_s=2.0) as (mcp, server):
        if way == "program":  # the first start of an interpreter is slow
            await mcp.list_tools(server)
        slow = await mcp.call(server, McpTool(name="slow"), {"steps": 11})
        with pytest.raises(McpUnavailable, match=r"within 2 s"):
            await mcp.call(server, McpTool(name="hang"), {})
        after = await mcp.call(server, McpTool(name="add"), {"a": 1, "b": 2})

    assert slow.structured == {"result": "done"}
    assert after.structured == {"result": 3}


async def test_an_ended_session_is_opened_anew(ports: dict[str, int]) -> None:
    async with client(ports=[ports["handshake"]]) as mcp:
        server = at(ports["handshake"])
        await mcp.list_tools(server)
        (known,) = mcp._known.values()  # the server forgets every session when it restarts
        known.session_id = "0" * 32
        assert (await mcp.list_tools(server)).tools


async def test_other_addresses_than_public_ones_are_refused(ports: dict[str, int]) -> None:
    async with client() as mcp:
        for url in ("http://127.0.0.1:80/mcp", "http://local.test/mcp", "file:///etc/passwd"):
            with pytest.raises(EgressDenied):
                await mcp.list_tools(McpServer(owner="1", url=url))
        for name in ("Host", "Mcp-Session-Id", "X-Forwarded-For", "Transfer-Encoding"):
            with pytest.raises(EgressDenied):
                await mcp.list_tools(
                    McpServer(owner="1", url="https://example.com/", headers={name: "x"})
                )


async def test_a_server_that_is_not_there_or_silent_is_reported() -> None:
    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(100):
            pass
        writer.close()
        gone.set()

    gone = asyncio.Event()
    listener = await asyncio.start_server(mute, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    async with client(ports=[port], mcp_connect_s=0.3) as mcp:
        with pytest.raises(McpUnavailable, match="does not answer"):
            await mcp.list_tools(at(port))
        await asyncio.wait_for(gone.wait(), 60)
        listener.close()
    async with client(ports=[port]) as mcp:
        with pytest.raises(McpUnavailable, match="could not be reached"):
            await mcp.list_tools(at(port))


async def test_a_program_that_ends_is_started_again_but_not_at_once(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    async with client(python("odd", "odd.py", "dies", str(marker))) as mcp:
        server = McpServer(owner="1", program="odd")
        await mcp.list_tools(server)
        with pytest.raises(McpUnavailable, match="has ended"):
            await mcp.call(server, McpTool(name="echo"), {})
        with pytest.raises(McpUnavailable, match="next try"):
            await mcp.list_tools(server)
    starts = {line.split()[0] for line in marker.read_text().splitlines()}
    assert len(starts) == 1


@pytest.mark.parametrize(
    ("way", "words"),
    [("floods", "has ended"), ("silent", "did not answer"), ("pages", "")],
)
async def test_a_misbehaving_program_ends_with_a_reason(way: str, words: str) -> None:
    async with client(python("odd", "odd.py", way), mcp_call_s=1.0, mcp_pages=3) as mcp:
        server = McpServer(owner="1", program="odd")
        listed = await mcp.list_tools(server)
        assert [tool.name for tool in listed.tools] == ["echo"]
        if words:
            with pytest.raises(McpUnavailable, match=words):
                await mcp.call(server, listed.tools[0], {})


async def test_a_program_that_is_slow_to_start_is_still_known_for_what_it_speaks() -> None:
    async with client(python("odd", "odd.py", "late"), mcp_connect_s=4.0) as mcp:
        listed = await mcp.list_tools(McpServer(owner="1", program="odd"))
    assert [tool.name for tool in listed.tools] == ["echo"]


async def test_programs_get_their_own_variables_only_and_end_with_their_owner(
    tmp_path: Path,
) -> None:
    marker = tmp_path / "marker"
    async with client(python("odd", "odd.py", "well", str(marker))) as mcp:
        said = await mcp.call(McpServer(owner="1", program="odd"), McpTool(name="echo"), {})
        await mcp.call(McpServer(owner="2", program="odd"), McpTool(name="echo"), {})
        with pytest.raises(NotFound):
            await mcp.list_tools(McpServer(owner="1", program="/bin/sh"))
    processes = {int(line.split()[0]) for line in marker.read_text().splitlines()}

    assert set(json.loads(said.text)) <= {"A", "LANG", "LC_CTYPE", "PATH"}
    assert len(processes) == 2
    assert not [each for each in processes if psutil.pid_exists(each)]


async def test_a_tool_that_is_not_there_fails(ports: dict[str, int]) -> None:
    async with client(ports=[ports["modern"]]) as mcp:
        said = await mcp.call(at(ports["modern"]), McpTool(name="missing"), {})

    assert said.is_error
    assert "missing" in said.text


def test_arguments_are_mirrored_as_the_schema_marks_them() -> None:
    schema = {
        "type": "object",
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "deep": {
                "type": "object",
                "properties": {"on": {"type": "boolean", "x-mcp-header": "On"}},
            },
            "none": {"type": "integer", "x-mcp-header": "None"},
        },
    }
    tool = McpTool(name="t", input_schema=schema)
    wrong = McpTool(
        name="t",
        input_schema={"items": {"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}},
    )

    assert is_well_marked(tool)
    assert not is_well_marked(wrong)
    assert parameter_headers(tool, {"region": "köln", "deep": {"on": True}, "none": None}) == {
        "Mcp-Param-Region": "=?base64?a8O2bG4=?=",
        "Mcp-Param-On": "true",
    }
    assert encoded("=?base64?literal?=") == "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="
    assert encoded("plain text") == "plain text"
