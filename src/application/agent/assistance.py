"""Help with the texts of a draft: a model proposes them, and nothing is changed by that."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace

from application.agent.access import permitted_agent
from application.shared.reply_stream import TimedEvent, TrialEvent, timed_events
from crossdomain.identity.contract import SpaceDefaults
from crossdomain.model.contract import Models
from domain.agent.proposal import proposal_request
from domain.agent.repository import AgentStore
from domain.agent.value.proposal import ProposalKind
from domain.shared.access import Permission, Principal
from domain.shared.account import current_origin
from domain.shared.call import CallContext
from domain.shared.limits import Limits
from domain.shared.tracing.correlation import current_log_id
from infra.contract.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposeText:
    """What is to be written anew; without ``text`` it is the draft's own."""

    agent_id: int
    kind: ProposalKind
    instruction: str
    text: str | None


class AgentAssistance:
    """Asks the agent's own model; the call is counted for the agent as one that tries it out."""

    def __init__(
        self,
        *,
        store: AgentStore,
        models: Models,
        defaults: SpaceDefaults,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._store = store
        self._models = models
        self._defaults = defaults
        self._clock = clock
        self._limits = limits

    async def propose(
        self, principal: Principal, command: ProposeText
    ) -> AsyncGenerator[list[TimedEvent[TrialEvent]], None]:
        """Stream a proposal; iterate inside ``aclosing``.

        Raises:
            AgentNotFound, Forbidden: as for every change of the draft.
            AgentInvalid: a text is too long, or nothing says what to write.
            ModelNotFound, ModelBusy, ModelCallFailed: as for every call of a model.
        """
        async with self._store.snapshot() as uow:
            agent = await permitted_agent(uow, principal, command.agent_id, Permission.AGENT_WRITE)
        request = proposal_request(
            agent,
            kind=command.kind,
            instruction=command.instruction,
            text=command.text,
            language=self._defaults.language(agent.space_id),
            limits=self._limits,
        )
        context = CallContext(
            scope=principal.scope.within(agent.space_id),
            space_id=agent.space_id,
            connector_id=principal.connector_id,
            end_user_id=principal.end_user_id,
            log_id=current_log_id(),
        )
        account = replace(context.payer, origin=current_origin().of_draft(), agent_id=agent.id)
        events = self._models.stream(replace(context, account=account), request)
        async with aclosing(timed_events(events, clock=self._clock)) as batches:
            async for batch in batches:
                yield batch
