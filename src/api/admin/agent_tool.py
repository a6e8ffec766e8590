"""What models of an agent may call besides other agents, as clients send and read it."""

from typing import Any, Literal

import msgspec

from api.wire import WireId, required_id
from application.agent.dto import PluginBinding, WorkflowBinding
from domain.shared.chat import ToolSpec


class PluginToolFields(msgspec.Struct, frozen=True, kw_only=True):
    """A tool of a plugin; the model neither sees nor overrides the ``defaults``.

    Those named in ``secrets``, or like one (``api_key``, ``token`` …), are answered as ``******``;
    sending that back keeps the value.
    """

    plugin_id: WireId
    tool_id: WireId
    version: str = ""
    """Without one, publishing binds the newest."""
    defaults: dict[str, Any] = {}
    secrets: list[str] = []
    approval: Literal["auto", "always", "exempt"] = "auto"
    """When the user is asked before a call; ``exempt``: not because of untrusted content."""

    def binding(self) -> PluginBinding:
        return PluginBinding(
            plugin_id=required_id(self.plugin_id, field="plugins.plugin_id"),
            tool_id=required_id(self.tool_id, field="plugins.tool_id"),
            version=self.version,
            defaults=self.defaults,
            secrets=tuple(self.secrets),
            approval=self.approval,
        )

    @classmethod
    def of(cls, binding: PluginBinding) -> "PluginToolFields":
        return cls(
            plugin_id=str(binding.plugin_id),
            tool_id=str(binding.tool_id),
            version=binding.version,
            defaults=dict(binding.defaults),
            secrets=list(binding.secrets),
            approval=binding.approval,
        )


class WorkflowFields(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow that the model may call; without a version its newest one."""

    workflow_id: WireId
    tool_name: str = ""
    version: str = ""
    effect: Literal["read", "external_write", "irreversible"] = "read"
    """What a run changes outside this deployment."""
    approval: Literal["auto", "always", "exempt"] = "auto"

    def binding(self) -> WorkflowBinding:
        """Translate; raise ``InvalidRequest``."""
        return WorkflowBinding(
            workflow_id=required_id(self.workflow_id, field="workflows.workflow_id"),
            tool_name=self.tool_name,
            version=self.version,
            effect=self.effect,
            approval=self.approval,
        )

    @classmethod
    def of(cls, binding: WorkflowBinding) -> "WorkflowFields":
        return cls(
            workflow_id=str(binding.workflow_id),
            tool_name=binding.tool_name,
            version=binding.version,
            effect=binding.effect,
            approval=binding.approval,
        )


class ClientToolFields(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that runs at the client; ``parameters`` is a JSON Schema of type object."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = msgspec.field(
        default_factory=lambda: {"type": "object", "properties": {}}
    )

    def spec(self) -> ToolSpec:
        return ToolSpec(name=self.name, description=self.description, parameters=self.parameters)

    @classmethod
    def of(cls, spec: ToolSpec) -> "ClientToolFields":
        return cls(name=spec.name, description=spec.description, parameters=dict(spec.parameters))
