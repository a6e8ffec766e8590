"""Where the tools of a plugin come from, as the admin surface spells it."""

from application.shared.projection import Projection
from domain.plugin.value import McpSource


class McpForm(
    Projection,
    of=McpSource,
    absent="default",
    rename={"call_s": "call_timeout_s"},
    forbid_unknown_fields=True,
):
    """How an MCP server is reached, besides the plugin's ``server_url``.

    ``program`` is the name of a program that the operator lists; commands and arguments cannot be
    given. ``call_timeout_s``: the longest silence of a call, 0 for the deployment's limit.
    """

    program: str = ""

    def source(self) -> McpSource:
        return McpSource(**self.taken() | {"program": self.program.strip()})
