"""Where the tools of a plugin come from, as the admin surface spells it."""

import msgspec

from domain.plugin.value import McpSource, McpTransport


class McpForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How an MCP server is reached, besides the plugin's ``server_url``.

    ``program`` is the name of a program that the operator lists; commands and arguments cannot be
    given. ``call_timeout_s``: the longest silence of a call, 0 for the deployment's limit.
    """

    program: str = ""
    transport: McpTransport = McpTransport.AUTO
    call_timeout_s: float = 0.0

    def source(self) -> McpSource:
        return McpSource(
            program=self.program.strip(), transport=self.transport, call_s=self.call_timeout_s
        )

    @classmethod
    def of(cls, source: McpSource) -> "McpForm":
        return cls(program=source.program, transport=source.transport, call_timeout_s=source.call_s)
