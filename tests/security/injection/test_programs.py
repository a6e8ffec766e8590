"""T09: nobody but the operator says which programs run, and nothing starts by itself."""

from pathlib import Path
from typing import Any, Final

import pytest

from tests.security.injection.world import World
from tests.support.process.in_process import ADMIN

NAMES: Final = (
    "../../bin/sh",
    "/bin/sh",
    "sh -c id",
    "$(id)",
    "`id`",
    "npx",
    "a\x00b",
    "-y",
    "reference; id",
)
DEFINITIONS: Final[tuple[dict[str, Any], ...]] = (
    {"command": "/bin/sh", "args": ["-c", "id"]},
    {"stdio": {"command": "npx", "args": ["-y", "evil"]}},
    {"mcp": {"command": "uvx", "args": ["evil"]}},
    {"mcp": {"program": "npx", "args": ["--yes", "evil"], "env": {"LD_PRELOAD": "/tmp/x.so"}}},
    {"mcp": {"docker": {"image": "evil"}}},
    {"mcp": {"transport": "stdio"}},
)


@pytest.mark.parametrize("name", NAMES)
async def test_a_program_that_the_operator_does_not_list_never_starts(
    world: World, name: str
) -> None:
    path = f"/admin/v1/workspaces/{world.space}/plugins"
    document = {"name": "Program", "type": "mcp", "mcp": {"program": name}}
    made = await world.deployment.send("POST", path, token=ADMIN, document=document)
    if made.status != 201:
        assert made.status in {400, 404}, str(made)
        return
    asked = f"/admin/v1/plugins/{made.json['id']}/server-tools:inspect"
    found = await world.deployment.send("POST", asked, token=ADMIN, document={})
    assert found.status == 404, str(found)
    assert "operator" in found.text


@pytest.mark.parametrize("number", range(len(DEFINITIONS)))
async def test_a_definition_with_a_command_is_refused_or_says_nothing(
    world: World, number: int, tmp_path: Path
) -> None:
    """Fields that would start something do not exist: not in what is kept, nor in what is shown."""
    path = f"/admin/v1/workspaces/{world.space}/plugins"
    document = {"name": "Command", "type": "mcp", **DEFINITIONS[number]}
    made = await world.deployment.send("POST", path, token=ADMIN, document=document)
    if made.status == 201:
        shown = await world.call("GET", f"/plugins/{made.json['id']}")
        kept = str(shown)
        for word in ("/bin/sh", "evil", "LD_PRELOAD", "docker", "--yes"):
            assert word not in kept
    else:
        assert made.status == 400, str(made)


async def test_making_and_opening_a_plugin_asks_no_server(world: World) -> None:
    """Listing tools is what somebody does on purpose, never what opening leads to."""
    world.new_calls()
    document = {"name": "Quiet", "type": "mcp", "server_url": f"http://{world.mailbox.host}/mcp"}
    made = await world.call("POST", f"/workspaces/{world.space}/plugins", document, 201)
    await world.call("GET", f"/plugins/{made['id']}")
    await world.call("GET", f"/plugins/{made['id']}/tools")
    assert world.mailbox.seen == []
