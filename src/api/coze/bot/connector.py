"""Publishing channels on the Coze surface."""

from collections.abc import Mapping
from typing import Final

import msgspec
from litestar import Controller, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from api.envelope import Envelope, done
from api.wire import required_id
from application.agent.publishing import AgentPublishingService
from domain.agent.value import Verdict
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest

_VERDICTS: Final[Mapping[int, Verdict]] = {
    1: Verdict.PENDING,
    2: Verdict.APPROVED,
    3: Verdict.REJECTED,
}


class ReviewBotBody(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of a connector's review: ``audit_status`` 1 pending, 2 approved, 3 rejected."""

    audit_status: int | None = None
    reason: str | None = None


class ConnectorController(Controller):
    """What connectors say of the bots that are published on them."""

    path = "/v1/connectors"

    @put("/{connector_id:str}/bots/{bot_id:str}", operation_id="connectors.update_bot")
    async def review(
        self,
        *,
        data: JSONBody[ReviewBotBody],
        principal: NamedDependency[Principal],
        publishing: NamedDependency[AgentPublishingService],
        connector_id: FromPath[str],
        bot_id: FromPath[str],
    ) -> Envelope[None]:
        """Note the outcome of a connector's review; a rejection takes the bot off the connector."""
        verdict = _VERDICTS.get(data.audit_status or 0)
        if verdict is None:
            raise InvalidRequest(
                "audit_status: expected 1 (pending), 2 (approved) or 3 (rejected).",
                field="audit_status",
            )
        await publishing.review(
            principal,
            required_id(bot_id, field="bot_id"),
            required_id(connector_id, field="connector_id"),
            verdict=verdict,
            reason=data.reason or "",
        )
        return done()
