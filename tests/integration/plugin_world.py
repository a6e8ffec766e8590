"""A deployment whose plugins may call the service of the harbour."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.support.process.in_process import ADMIN, Deployment
from tests.support.web.harbour import PluginService

HARBOUR: Final = Path("tests/fixtures/plugin/harbour.yaml").read_text("utf-8")


@dataclass
class World:
    """A deployment, the service its plugins may call, and a workspace."""

    deployment: Deployment
    service: PluginService
    space: str

    async def call(
        self, method: str, path: str, document: object = None, *, status: int = 200
    ) -> Any:
        return await self.deployment.call(
            method, f"/admin/v1{path}", token=ADMIN, document=document, status=status
        )

    async def bring(self, server: str = "") -> tuple[str, dict[str, str]]:
        """Import the harbour; return the plugin and its tools by name."""
        made = await self.call(
            "POST",
            f"/workspaces/{self.space}/plugins:import",
            {
                "openapi": HARBOUR,
                "manifest": {"server_url": server or f"http://{self.service.host}/v2"},
            },
            status=201,
        )
        return made["plugin"]["id"], {each["name"]: each["id"] for each in made["tools"]}

    async def debug(self, plugin: str, tool: str, **arguments: Any) -> Any:
        path = f"/plugins/{plugin}/tools/{tool}/debug"
        return await self.call("POST", path, {"arguments": arguments})
