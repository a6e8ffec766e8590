"""Plugins of a server under test, over the admin surface, and chats that use their tools."""

from typing import Any

from cozepy import ChatEvent, ChatEventType, ChatStatus, Coze, Message

from tests.support.client.seed import Seed


class Plugins:
    """Makes plugins and agents that are bound to their tools."""

    def __init__(self, seed: Seed, *, workspace_id: str = "") -> None:
        self.seed = seed
        self._path = f"/workspaces/{workspace_id or seed.workspace_id}/plugins"

    def create(self, **fields: Any) -> str:
        return str(self.seed.call("POST", self._path, fields)["id"])

    def bring(self, document: str, server_url: str) -> tuple[str, dict[str, str]]:
        """Import a document; return the plugin and the ids of its tools by name."""
        body = {"openapi": document, "manifest": {"server_url": server_url}}
        made = self.seed.call("POST", f"{self._path}:import", body)
        return made["plugin"]["id"], {each["name"]: each["id"] for each in made["tools"]}

    def mcp(self, url: str, **fields: Any) -> tuple[str, dict[str, str]]:
        """Make a plugin of an MCP server and accept its tools."""
        plugin_id = self.create(name="Weather server", type="mcp", server_url=url, **fields)
        return plugin_id, self.accept(plugin_id)

    def accept(self, plugin_id: str) -> dict[str, str]:
        """Accept what the server offers now; return the ids of the tools by name."""
        listed = self.inspect(plugin_id)
        path = f"/plugins/{plugin_id}/server-tools:accept"
        taken = self.seed.call("POST", path, {"digest": listed["digest"]})
        return {each["name"]: each["id"] for each in taken["tools"]}

    def inspect(self, plugin_id: str) -> Any:
        return self.seed.call("POST", f"/plugins/{plugin_id}/server-tools:inspect")

    def publish(self, plugin_id: str) -> str:
        made = self.seed.call("POST", f"/plugins/{plugin_id}/publish", {"force": True})
        return str(made["version_name"])

    def debug(self, plugin_id: str, tool_id: str, **arguments: Any) -> Any:
        path = f"/plugins/{plugin_id}/tools/{tool_id}/debug"
        return self.seed.call("POST", path, {"arguments": arguments})

    def agent(
        self, plugin_id: str, tool_id: str, *, behaviour: str = "tool-call", **binding: Any
    ) -> str:
        """Publish an agent whose model calls this tool."""
        return self.seed.new_agent(
            "With a plugin",
            model={"model_id": self.seed.model(behaviour)},
            plugins=[{"plugin_id": plugin_id, "tool_id": tool_id, **binding}],
        )


def ask(coze: Coze, agent_id: str, text: str = "How is it?") -> tuple[str, list[ChatEvent]]:
    """Follow a chat to its end with the official client; return the answer and the events."""
    question = Message.build_user_question_text(text)
    events = list(coze.chat.stream(bot_id=agent_id, user_id="ada", additional_messages=[question]))
    return text_of(events), events


def text_of(events: list[ChatEvent]) -> str:
    """What the deltas of a stream add up to."""
    return "".join(
        each.message.content
        for each in events
        if each.event == ChatEventType.CONVERSATION_MESSAGE_DELTA and each.message
    )


def is_completed(events: list[ChatEvent]) -> bool:
    """Tell whether a chat ended well."""
    chats = [each.chat for each in events if each.chat is not None]
    return chats[-1].status == ChatStatus.COMPLETED
