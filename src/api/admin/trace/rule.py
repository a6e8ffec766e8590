"""What a workspace says about its traces: how much is kept, and what is masked."""

from typing import Final

import msgspec
from litestar import Controller, get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.wire import required_id
from application.trace.rule_service import SetTraceRules, TraceRuleService, TraceRulesView
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.trace.value import Capture

_CAPTURES: Final = {each.value: each for each in Capture}


class AdminTraceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How much of runs of a workspace is kept; for how long stands in its retention."""

    capture: str | None
    """`off`, `metadata` or `content`; null: as the deployment says."""
    redaction: list[str]
    """Regular expressions (RE2): what they match is masked before anything is stored."""
    updated_at: int | None
    """When they were changed last, in Unix seconds; null if never."""
    updated_by: str | None
    """Who changed them last."""

    @classmethod
    def of(cls, rules: TraceRulesView) -> "AdminTraceSettings":
        """Show the rules of a workspace."""
        return cls(
            capture=rules.capture.value if rules.capture else None,
            redaction=list(rules.expressions),
            updated_at=int(rules.updated_at.timestamp()) if rules.updated_at else None,
            updated_by=str(rules.updated_by) if rules.updated_by else None,
        )


class AdminTraceSettingsBody(msgspec.Struct, frozen=True, kw_only=True):
    """All that a workspace says about its traces."""

    capture: str | None
    """`off`, `metadata` or `content`; null: as the deployment says. An agent or workflow may say
    otherwise for itself."""
    redaction: list[str]
    """At most 20 regular expressions in the notation of RE2, each of at most 500 characters. What
    is no text is masked as JSON. None may match where there is nothing."""

    def command(self, space_id: int) -> SetTraceRules:
        """Read the body."""
        if self.capture is not None and self.capture not in _CAPTURES:
            words = ", ".join(_CAPTURES)
            raise InvalidRequest(f"capture: one of {words}, or null.", field="capture")
        return SetTraceRules(
            space_id=space_id,
            capture=None if self.capture is None else _CAPTURES[self.capture],
            expressions=tuple(self.redaction),
        )


class AdminTraceSettingsController(Controller):
    """Settings of traces by workspace."""

    path = "/admin/v1/workspaces/{workspace_id:str}/trace-settings"

    @get(operation_id="admin.trace_settings.get")
    async def retrieve(
        self,
        *,
        workspace_id: FromPath[str],
        principal: NamedDependency[Principal],
        trace_rules: NamedDependency[TraceRuleService],
    ) -> AdminTraceSettings:
        """Return what a workspace says about its traces."""
        wanted = required_id(workspace_id, field="workspace_id")
        return AdminTraceSettings.of(await trace_rules.get(principal, wanted))

    @put(operation_id="admin.trace_settings.set")
    async def replace(
        self,
        *,
        workspace_id: FromPath[str],
        data: JSONBody[AdminTraceSettingsBody],
        principal: NamedDependency[Principal],
        trace_rules: NamedDependency[TraceRuleService],
    ) -> AdminTraceSettings:
        """Replace what a workspace says about its traces; it holds for runs that begin later."""
        command = data.command(required_id(workspace_id, field="workspace_id"))
        return AdminTraceSettings.of(await trace_rules.set(principal, command))
