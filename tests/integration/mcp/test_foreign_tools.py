"""Tools of other servers are called only as somebody has seen them."""

import pytest

from domain.plugin.mcp.pinned import ForeignTools, McpToolChanged, McpToolNotFound
from domain.shared.limits import Limits
from infra.contract.mcp import McpServer
from tests.contract.test_mcp_client import client, python

SERVER = McpServer(owner="1", program="odd")


async def test_a_pinned_tool_is_called_without_asking_again() -> None:
    async with client(python("odd", "odd.py", "changes")) as mcp:
        tools = ForeignTools(client=mcp, limits=Limits())
        (seen,) = (await tools.inspect(SERVER)).tools

        said = await tools.call(SERVER, "echo", {}, digest=seen.digest)

    assert "PATH" in said.text


async def test_a_tool_that_changed_waits_for_another_look() -> None:
    async with client(python("odd", "odd.py", "changes")) as mcp:
        tools = ForeignTools(client=mcp, limits=Limits())
        before = await tools.inspect(SERVER)
        after = await tools.inspect(SERVER)

        assert before.digest != after.digest
        with pytest.raises(McpToolChanged):
            await tools.call(SERVER, "echo", {}, digest=before.tools[0].digest)
        said = await tools.call(SERVER, "echo", {}, digest=after.tools[0].digest)

    assert "PATH" in said.text


async def test_a_tool_that_is_gone_is_named_so() -> None:
    async with client(python("odd", "odd.py", "well")) as mcp:
        tools = ForeignTools(client=mcp, limits=Limits())
        with pytest.raises(McpToolNotFound):
            await tools.call(SERVER, "missing", {}, digest="0")
