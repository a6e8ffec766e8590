"""A channel of a running server, and a platform that calls it."""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from infra.contract.channel import PlatformCall
from tests.support.channel.caller import Caller, Said
from tests.support.channel.platform import Platform
from tests.support.wait import until


def settings_for(platform: Platform) -> dict[str, str]:
    """What a server has to know to find the scripted platform."""
    names = ("FEISHU", "LARK", "SLACK", "WECOM")
    return {f"COTERIE_CHANNEL__{name}_URL": platform.url for name in names}


@dataclass
class Place:
    """One channel; ``http`` has the token of its workspace."""

    http: httpx.Client
    caller: Caller
    platform: Platform
    channel: Mapping[str, Any]

    def deliver(self, said: Said, **changes: Any) -> httpx.Response:
        """Deliver a message as the platform does, without any token."""
        return self.send(self.caller.message(said, at=time.time()), **changes)

    def send(self, call: PlatformCall) -> httpx.Response:
        with httpx.Client(timeout=60) as client:
            return client.request(
                call.method,
                f"{str(self.http.base_url).rstrip('/')}/channels/{self.channel['code']}",
                params=dict(call.query),
                headers=dict(call.headers),
                content=call.body,
            )

    def say(self, said: Said) -> None:
        """Deliver a message that is to be taken."""
        answer = self.deliver(said)
        assert answer.status_code == 200, answer.text

    def shows(self, *texts: str) -> None:
        """Wait until readers see exactly these messages."""
        until(lambda: self.platform.texts == list(texts), what=lambda: self.platform.texts)

    def waits(self, condition: Callable[[list[str]], bool]) -> None:
        """Wait until what readers see is so."""
        until(lambda: condition(self.platform.texts), what=lambda: self.platform.texts)

    def change(self, **changes: Any) -> Any:
        return data(self.http.patch(f"/admin/v1/channels/{self.channel['id']}", json=changes))


def published(http: httpx.Client, *, base_url: str, behaviour: str) -> str:
    """Publish an agent whose model behaves so."""
    space = space_of(http)
    connection = {"base_url": base_url, "model": behaviour}
    name = f"{behaviour}-{secrets.token_hex(4)}"
    model = {"display": {"name": name}, "connection": connection}
    made = data(http.post("/admin/v1/models", json=model))
    agent = {"name": behaviour, "model": {"model_id": made["id"]}}
    agent_id = data(http.post(f"/admin/v1/workspaces/{space}/agents", json=agent))["id"]
    publication = {"connector_ids": ["1024"], "description": "test"}
    data(http.post(f"/admin/v1/agents/{agent_id}/publish", json=publication))
    return str(agent_id)


def make_place(
    http: httpx.Client, caller: Caller, platform: Platform, *, agent_id: str, **settings: Any
) -> Place:
    """Make a channel for an agent."""
    body = {
        "platform": caller.platform,
        "target_type": "agent",
        "target_id": agent_id,
        "settings": {"name": caller.platform, "edits": False, **settings},
        "credentials": dict(caller.credentials),
    }
    made = data(http.post(f"/admin/v1/workspaces/{space_of(http)}/channels", json=body))
    return Place(http, caller, platform, made)


def space_of(http: httpx.Client) -> str:
    return str(data(http.get("/admin/v1/workspaces"))["items"][0]["id"])


def data(answer: httpx.Response) -> Any:
    assert answer.status_code < 300, answer.text
    return answer.json()
