"""The serving process: parts opened in order, the first start, requests, and the way down."""

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from dependency_injector import providers

from api.sign_in.url import SignInPages
from application.agent.dto import CreateAgent, ListAgents, PublishAgent
from application.shared.patch import Patch
from bootstrap.compose.container import Container
from bootstrap.compose.observe import log_context
from bootstrap.compose.siblings import Siblings
from bootstrap.server.announce import Announcement
from bootstrap.server.app import create_asgi, create_operations, create_served
from bootstrap.server.lifecycle import opened
from bootstrap.server.listener import port_of
from bootstrap.server.serve import operations_served, serve
from bootstrap.settings import Settings, url_of
from domain.agent.value import PublishState
from domain.shared.access import CONNECTOR_API, Principal
from domain.shared.error import SettingsInvalid
from domain.shared.secret import Secret
from infra.impl.logging.setup import BackgroundHandler, install

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
    ticket: Secret | None
    """Of a link that signs the administrator in once, when this is the first start."""
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
    ticket = None
    if result.created:
        ticket = await container.identity().sign_in.make_link(principal, principal.user_id)
        container.redactor().register(ticket)
    agent_id, name = await _ensure_agent(container, principal)
    model = await container.model().contract.describe("")
    is_configured = bool(result.token and settings.bootstrap_token)
    return FirstStart(
        token=None if is_configured else result.token,
        ticket=ticket,
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


_log: Final = logging.getLogger("coterie")
ABORTED: Final = 130
"""Exit status after a second signal."""


async def run(
    settings: Settings,
    listener: socket.socket,
    operations: socket.socket,
    *,
    announce: Callable[[Announcement], None],
    siblings: Siblings | None = None,
) -> None:
    """Serve on ``listener`` until a signal, and operators on theirs; log to standard error.

    ``siblings`` are given to one of several servers on the listener.
    """
    container = Container(settings=settings)
    container.siblings.override(providers.Object(siblings))
    handler = install(
        level=settings.log.level,
        style=settings.log.format,
        redactor=container.redactor(),
        context=log_context,
    )
    container.processor().serve(asyncio.get_running_loop())
    try:
        async with opened(container, serving=True):
            found = await ensure_ready(container)
            app = create_served(container)
            async with operations_served(
                create_operations(container, app), operations, limits=settings.limits
            ):
                await serve(
                    create_asgi(container, app),
                    listener,
                    drain=container.drain(),
                    finish_runs=partial(_finish_runs, container),
                    announce=lambda: announce(
                        _announcement(container, settings, found, port_of(operations))
                    ),
                    abort=lambda: _abort(handler),
                    limits=settings.limits,
                    linger_s=settings.serve.linger_s,
                    trusted_proxies=settings.trusted_proxies,
                    lifeline=None if siblings is None else siblings.lifeline,
                )
    except SettingsInvalid:  # whoever started it is told so, with what to do
        raise
    except BaseException:
        _log.exception("stopped by a failure")
        raise
    else:
        _log.info("stopped")
    finally:
        handler.close()


async def _finish_runs(container: Container, grace_s: float) -> None:
    """Let runs of agents and workflows end; what needs longer is told to its followers."""
    async with asyncio.TaskGroup() as group:
        group.create_task(container.conversation().registry.drain(grace_s))
        group.create_task(container.workflow_runs().registry.drain(grace_s))


def _announcement(
    container: Container, settings: Settings, found: FirstStart, operations_port: int
) -> Announcement:
    _log.info("serving", extra={"url": settings.external_url, "pid": os.getpid()})
    pages = SignInPages(settings.external_url)
    return Announcement(
        version=container.version(),
        url=settings.external_url,
        operations_url=url_of(settings.operations.host, operations_port),
        port=settings.port,
        pid=os.getpid(),
        token=found.token.reveal() if found.token else "",
        welcome_url=pages.welcome_url(found.ticket.reveal()) if found.ticket else "",
        is_token_configured=found.is_token_configured,
        agent_id=found.agent_id,
        agent_name=found.agent_name,
        docs_url=_docs_url(settings, operations_port),
        is_offline=found.is_offline,
    )


def _docs_url(settings: Settings, operations_port: int) -> str:
    if settings.docs == "off":
        return ""
    if settings.has_local_operations:
        return f"{settings.external_url}/docs"
    return f"{url_of(settings.operations.host, operations_port)}/docs"


def _abort(handler: BackgroundHandler) -> None:
    """Leave at once: what was acknowledged is stored, and the next start ends what was not."""
    _log.warning("second signal: leaving at once")
    handler.close()
    sys.stdout.flush()
    os._exit(ABORTED)
