"""Programs of MCP servers reach what the operator lists for them, and nothing else."""

import json
import os
import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from domain.shared.limits import Limits
from infra.contract.mcp import McpServer, McpTool, McpUnavailable
from infra.impl.http.gateway import HttpGateway
from infra.impl.mcp import program as program_module
from infra.impl.mcp.client import ProtocolMcpClient
from infra.impl.mcp.confinement import Confinement, own_folders
from infra.impl.mcp.program import McpProgram
from infra.impl.mcp.programs import McpPrograms

PRYING = Path(__file__).parents[2] / "mcp_servers" / "prying.py"
LIMITS = Limits(mcp_connect_s=60.0, mcp_call_s=60.0)
NETWORK = frozenset({"tcp", "udp"})


@dataclass
class Loot:
    """What lies around a program that it must not reach, and what it may."""

    data: Path
    given: Path
    shelf: Path
    port: int
    gateway: Path

    @property
    def ways(self) -> dict[str, tuple[str, str]]:
        """Every attempt by its name."""
        own = os.getpid()
        child = [sys.executable, "-I", "-c", f"import os; os.kill({own}, 0)"]
        return {
            "database": ("read", str(self.data / "coterie.db")),
            "master key": ("read", str(self.data / "master.key")),
            "master key, from a child": ("child", str(self.data / "master.key")),
            "data": ("list", str(self.data)),
            "accounts": ("read", "/etc/passwd"),
            "environment of the parent": ("read", f"/proc/{own}/environ"),
            "command line of the parent": ("read", f"/proc/{own}/cmdline"),
            "processes": ("list", "/proc"),
            "write beside the data": ("write", str(self.data / "new")),
            "write what may be read": ("write", str(self.given / "new")),
            "signal": ("signal", str(own)),
            "signal, from a child": ("run", shlex.join(child)),
            "group of the parent": ("group", str(own)),
            "unix socket": ("unix", str(self.gateway)),
            "tcp": ("tcp", str(self.port)),
            "udp": ("udp", str(self.port)),
        }


@pytest.fixture
def loot(tmp_path: Path) -> Iterator[Loot]:
    folders = {name: tmp_path / name for name in ("data", "given", "shelf")}
    for folder in folders.values():
        folder.mkdir()
    for name in ("coterie.db", "master.key"):
        (folders["data"] / name).write_text("secret")
    (folders["given"] / "note").write_text("for you")
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        gateway = stack.enter_context(socket.socket(socket.AF_UNIX))
        short = Path(f"/tmp/prying-{os.getpid()}")
        gateway.bind(str(short))
        stack.callback(short.unlink)
        gateway.listen()
        yield Loot(port=tcp.getsockname()[1], gateway=short, **folders)


def confinement(loot: Loot, *, has_network: bool = False) -> Confinement:
    own = own_folders(sys.executable, {}, hidden=[loot.data])
    return Confinement(
        readable=(*own, str(PRYING.parent), str(loot.given)),
        writable=(str(loot.shelf),),
        has_network=has_network,
    )


async def pried(reach: Confinement | None, ways: list[tuple[str, str]]) -> list[str]:
    """What a program with this reach got of each attempt."""
    prying = McpProgram(
        name="prying",
        command=sys.executable,
        args=("-I", "-S", str(PRYING)),
        env={"MINE": "1"},
        confinement=reach,
    )
    programs, gateway = McpPrograms([prying], limits=LIMITS), HttpGateway(limits=LIMITS)
    await programs.start()
    try:
        client = ProtocolMcpClient(gateway=gateway, programs=programs, limits=LIMITS)
        server = McpServer(owner="1", program="prying")
        said = await client.call(server, McpTool(name="pry"), {"ways": ways})
    finally:
        await programs.aclose()
        await gateway.aclose()
    found: list[str] = json.loads(said.text)
    return found


def worked(ways: dict[str, tuple[str, str]], found: list[str]) -> set[str]:
    return {name for name, got in zip(ways, found, strict=True) if not got.startswith("refused")}


async def test_without_a_jail_all_of_it_is_in_reach(loot: Loot) -> None:
    """Otherwise the next test would prove nothing."""
    ways = loot.ways

    found = worked(ways, await pried(None, list(ways.values())))

    # Root's environment is hidden from who gave up root's capabilities.
    assert found | {"environment of the parent"} == set(ways)


@pytest.mark.parametrize("has_network", [False, True])
async def test_a_confined_program_reaches_nothing_of_it(loot: Loot, *, has_network: bool) -> None:
    ways = loot.ways
    reach = confinement(loot, has_network=has_network)

    found = worked(ways, await pried(reach, list(ways.values())))

    assert found == (NETWORK if has_network else set())
    assert not (loot.data / "new").exists()


async def test_it_has_what_is_listed(loot: Loot) -> None:
    note, made = str(loot.given / "note"), str(loot.shelf / "made")
    ways = [("read", note), ("child", note), ("write", made), ("read", made), ("environment", "")]

    found = await pried(confinement(loot), ways)

    assert [each.strip() for each in found[:4]] == ["for you", "for you", "written", "x"]
    assert set(found[4].split(",")) <= {"MINE", "LANG", "LC_CTYPE", "PATH"}


async def test_where_nothing_can_be_confined_it_is_not_started(
    loot: Loot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel without Landlock cannot be had here; the question to it is answered for it."""
    monkeypatch.setattr(program_module, "obstacle", lambda: "the kernel has no Landlock")

    with pytest.raises(McpUnavailable, match="jail = false"):
        await pried(confinement(loot), [])
    assert await pried(None, []) == []


@pytest.mark.parametrize("inside", ["data/bin", "bin", "env/bin"])
def test_its_own_folder_never_shows_what_is_hidden(tmp_path: Path, inside: str) -> None:
    """Programs beside the data, in it, and in an environment of their own."""
    hidden = tmp_path / "data"
    (tmp_path / inside).mkdir(parents=True)
    (tmp_path / inside / ".." / "lib").mkdir(exist_ok=True)
    hidden.mkdir(exist_ok=True)
    program = tmp_path / inside / "tool"
    program.write_text("#!/bin/sh\n")

    found = [Path(each) for each in own_folders(str(program), {}, hidden=[hidden])]

    assert not [each for each in found if hidden.is_relative_to(each)]
    assert not [each for each in found if each.is_relative_to(hidden)]
    assert (tmp_path / "env" in found) == (inside == "env/bin")


def test_the_interpreter_of_a_script_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "env" / "bin"
    folder.mkdir(parents=True)
    (tmp_path / "env" / "lib").mkdir()
    snake = folder / "snake"
    snake.write_bytes(b"")
    snake.chmod(0o755)
    direct, indirect = tmp_path / "a", tmp_path / "b"
    direct.write_text(f"#!{snake} -I\n")
    indirect.write_text("#!/usr/bin/env -S snake -I\n")

    assert str(tmp_path / "env") in own_folders(str(direct), {}, hidden=())
    assert str(tmp_path / "env") in own_folders(str(indirect), {"PATH": str(folder)}, hidden=())
