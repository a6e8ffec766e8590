"""Agents that work together, in the spelling of the admin surface."""

from typing import Any

import msgspec

from api.wire import WireId, required_id
from application.agent.dto import (
    AgentBinding,
    MemberKind,
    RouterMode,
    RouterRule,
    RouterSettings,
)


class MemberFields(msgspec.Struct, frozen=True, kw_only=True):
    """Another agent of the workspace; ``parameters`` is a JSON Schema of type object.

    ``agent_name`` is shown, and ignored when it is sent. Publishing fills in the version.
    """

    agent_id: WireId
    kind: MemberKind = MemberKind.DELEGATE
    name: str = ""
    description: str = ""
    version: str = ""
    parameters: dict[str, Any] = {}
    agent_name: str = ""

    def binding(self) -> AgentBinding:
        """Translate; raise ``InvalidRequest``."""
        return AgentBinding(
            agent_id=required_id(self.agent_id, field="agents.agent_id"),
            kind=self.kind,
            name=self.name,
            description=self.description,
            version=self.version,
            parameters=self.parameters,
        )

    @classmethod
    def of(cls, binding: AgentBinding, *, agent_name: str) -> "MemberFields":
        return cls(
            agent_id=str(binding.agent_id),
            kind=binding.kind,
            name=binding.name,
            description=binding.description,
            version=binding.version,
            parameters=dict(binding.parameters),
            agent_name=agent_name,
        )


class RouterRuleFields(msgspec.Struct, frozen=True, kw_only=True):
    """Questions with one of these words go to this agent."""

    agent_id: WireId
    words: tuple[str, ...]


class RouterFields(msgspec.Struct, frozen=True, kw_only=True):
    """Who takes a question; without ``default_agent_id`` the agent itself takes the rest."""

    mode: RouterMode = RouterMode.OFF
    rules: list[RouterRuleFields] = []
    default_agent_id: WireId | None = None
    model_id: WireId | None = None

    def settings(self) -> RouterSettings:
        """Translate; raise ``InvalidRequest``."""
        default = self.default_agent_id
        return RouterSettings(
            mode=self.mode,
            rules=tuple(
                RouterRule(
                    agent_id=required_id(each.agent_id, field="router.rules.agent_id"),
                    words=each.words,
                )
                for each in self.rules
            ),
            default_agent_id=required_id(default, field="router.default_agent_id")
            if default
            else 0,
            model_id="" if self.model_id is None else str(self.model_id),
        )

    @classmethod
    def of(cls, settings: RouterSettings) -> "RouterFields":
        default = settings.default_agent_id
        return cls(
            mode=settings.mode,
            rules=[
                RouterRuleFields(agent_id=str(each.agent_id), words=each.words)
                for each in settings.rules
            ],
            default_agent_id=str(default) if default else None,
            model_id=settings.model_id or None,
        )
