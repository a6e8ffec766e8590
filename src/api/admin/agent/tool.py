"""What models of an agent may call besides other agents, as clients send and read it."""

from typing import Any

import msgspec

from api.shape import Fields
from domain.agent.value import PluginBinding, WorkflowBinding
from domain.shared.chat import ToolSpec


class PluginToolFields(Fields, of=PluginBinding):
    """A tool of a plugin; the model neither sees nor overrides the ``defaults``.

    Those named in ``secrets``, or like one (``api_key``, ``token`` …), are answered as ``******``;
    sending that back keeps the value. Without a ``version``, publishing binds the newest.
    """


class WorkflowFields(Fields, of=WorkflowBinding):
    """A workflow that the model may call; without a version its newest one.

    ``applied_effect`` is shown, and ignored when it is sent: the stronger one of ``effect`` and of
    what the workflow does, which decides about consent.
    """

    applied_effect: str = ""


class ClientToolFields(Fields, of=ToolSpec):
    """A tool that runs at the client; ``parameters`` is a JSON Schema of type object."""

    description: str = ""
    parameters: dict[str, Any] = msgspec.field(
        default_factory=lambda: {"type": "object", "properties": {}}
    )
