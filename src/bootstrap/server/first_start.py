"""A new deployment can be used at once: an administrator, a token, an agent that answers."""

from dataclasses import dataclass
from typing import Final

from application.agent.dto import (
    CreateAgent,
    ListAgents,
    PublishAgent,
)
from application.shared.patch import Patch
from bootstrap.compose.container import Container
from domain.agent.value import PublishState
from domain.shared.access import CONNECTOR_API, Principal
from domain.shared.secret import Secret

AGENT_NAME: Final = "Assistant"
PERSONA: Final = (
    "You are a helpful assistant. Answer in the language of the question, briefly and honestly. "
    "If you do not know something, say so."
)
PROLOGUE: Final = "Hello! What would you like to know?"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStart:
    """What a user needs to begin; ``agent_id`` 0 if there is none."""

    token: Secret | None
    """Only if it was generated now."""
    is_token_configured: bool
    """The one of the settings was made now; who set it has it."""
    agent_id: int
    agent_name: str
    is_offline: bool


async def ensure_ready(container: Container) -> FirstStart:
    """Make what is missing: the first administrator, and an agent if the workspace has none."""
    settings = container.settings()
    bootstrap = container.identity().bootstrap
    result = await bootstrap.ensure(settings.bootstrap_token or None)
    if result.token:
        container.redactor().register(result.token)
    principal = await bootstrap.operator()
    agent_id, name = await _ensure_agent(container, principal)
    model = await container.model().contract.describe("")
    is_configured = bool(result.token and settings.bootstrap_token)
    return FirstStart(
        token=None if is_configured else result.token,
        is_token_configured=is_configured,
        agent_id=agent_id,
        agent_name=name,
        is_offline=model.is_offline,
    )


async def _ensure_agent(container: Container, principal: Principal) -> tuple[int, str]:
    """Return the oldest published agent; make one only in a workspace without any agent."""
    agents, space_id = container.agent().agents, principal.personal_space_id
    page = await agents.list(
        principal,
        ListAgents(
            space_id=space_id,
            limit=1,
            by_id=True,
            descending=False,
            state=PublishState.ONLINE,
            connector_id=CONNECTOR_API,
        ),
    )
    if page.items:
        return page.items[0].id, page.items[0].name
    if (await agents.list(principal, ListAgents(space_id=space_id, limit=1))).total:
        return 0, ""
    view = await agents.create(
        principal,
        CreateAgent(
            space_id=space_id,
            name=AGENT_NAME,
            description="A general assistant, made by the first start.",
            config=Patch(
                {
                    "prompt": Patch({"text": PERSONA}),
                    "onboarding": Patch({"prologue": PROLOGUE}),
                }
            ),
        ),
    )
    await container.agent().publishing.publish(principal, PublishAgent(agent_id=view.id))
    return view.id, view.name
