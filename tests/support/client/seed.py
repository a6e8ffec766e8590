"""What tests need on a server, made over the admin surface."""

from typing import Any

import httpx

from tests.support.process.server import RunningServer
from tests.upstream.fixture import RunningUpstream

API_CONNECTOR = "1024"


class Seed:
    """Makes models, agents, workspaces and accounts; one agent per kind of model."""

    def __init__(self, server: RunningServer, upstream: RunningUpstream) -> None:
        self.server = server
        self.upstream_url = upstream.base_url
        self._http = httpx.Client(
            base_url=f"{server.url}/admin/v1", headers=server.headers, timeout=60
        )
        self._agents: dict[str, str] = {}
        self._models = 0
        self.workspace_id: str = self.call("GET", "/workspaces")["items"][0]["id"]

    def close(self) -> None:
        self._http.close()

    def call(self, method: str, path: str, body: object = None) -> Any:
        """Ask the admin surface and return what it says; fail if it refuses."""
        response = self._http.request(method, path, json=body)
        assert response.is_success, f"{method} {path}: {response.status_code} {response.text}"
        return response.json() if response.content else None

    def model(self, behaviour: str, **settings: Any) -> str:
        """Add a model of the scripted provider and return its id."""
        self._models += 1
        body = {
            "display": {"name": f"{behaviour} {self._models}"},
            "connection": {"base_url": self.upstream_url, "model": behaviour},
            **settings,
        }
        return str(self.call("POST", "/models", body)["id"])

    def agent(self, behaviour: str = "echo", **model_settings: Any) -> str:
        """Return the published agent that answers with a behaviour of the provider."""
        key = f"{behaviour} {model_settings}"
        if key not in self._agents:
            model_id = self.model(behaviour, **model_settings)
            self._agents[key] = self.new_agent(behaviour, model={"model_id": model_id})
        return self._agents[key]

    def new_agent(self, name: str, *, publish: bool = True, **config: Any) -> str:
        """Make an agent of its own, published for the API unless said otherwise."""
        path = f"/workspaces/{self.workspace_id}/agents"
        agent_id = str(self.call("POST", path, {"name": name[:20], **config})["id"])
        if publish:
            self.publish(agent_id)
        return agent_id

    def publish(self, agent_id: str) -> None:
        body = {"connector_ids": [API_CONNECTOR], "description": "test"}
        self.call("POST", f"/agents/{agent_id}/publish", body)

    def workspace(self, name: str) -> str:
        return str(self.call("POST", "/workspaces", {"name": name})["id"])

    def user(self, name: str) -> tuple[str, str]:
        """Open an account; return its id and its token."""
        made = self.call("POST", "/users", {"name": name})
        return made["user"]["id"], made["token"]
