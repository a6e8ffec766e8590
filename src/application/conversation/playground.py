"""Use case of an editor: ask an agent or a chat flow in any state, and be told what answers."""

from collections.abc import Mapping
from typing import Any

import msgspec

from application.conversation.dto import (
    FlowTarget,
    IncomingMessage,
    MessageQuery,
    StartRun,
    TurnOverrides,
)
from application.conversation.message_service import MessageService
from application.conversation.run.service import RunService
from domain.conversation.error import RunNotFound
from domain.conversation.value import MessageKind, Scene
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.ids import Id

DRAFT = "draft"


class TryAgent(msgspec.Struct, frozen=True, kw_only=True):
    """A question to an agent: to its draft, to a version by name, or (empty) to the active one.

    ``regenerate`` is the last run of the conversation, to be done again, with its own question
    unless there is a new one. Without ``end_user_id`` the caller's account is the end user.
    """

    agent_id: int
    message: IncomingMessage | None = None
    version: str = ""
    conversation_id: int | None = None
    end_user_id: str = ""
    variables: Mapping[str, str] = {}
    overrides: TurnOverrides = TurnOverrides()
    regenerate: int | None = None
    idempotency_key: str = ""
    log_id: str = ""


class TryFlow(msgspec.Struct, frozen=True, kw_only=True):
    """A message to a chat flow: to its draft, to a version by name, or (empty) to the newest one.

    ``parameters`` are inputs of the workflow besides the message. Nodes that need an agent or an
    application get that of ``agent_id`` or ``app_id``.
    """

    workflow_id: int
    message: IncomingMessage | None = None
    version: str = ""
    conversation_id: int | None = None
    end_user_id: str = ""
    parameters: Mapping[str, Any] = {}
    agent_id: int = 0
    app_id: int = 0
    regenerate: int | None = None
    idempotency_key: str = ""
    log_id: str = ""


class BegunChat(msgspec.Struct, frozen=True, kw_only=True):
    """A run that goes on by itself, its conversation, and the question it answers."""

    run_id: Id
    conversation_id: Id
    message_id: Id | None


class PlaygroundService:
    """Lets people try agents and chat flows, in conversations apart from those of clients."""

    def __init__(self, *, runs: RunService, messages: MessageService) -> None:
        self._runs = runs
        self._messages = messages

    async def ask(self, principal: Principal, command: TryAgent) -> BegunChat:
        """Begin a run; the errors are those of ``RunService.start``.

        Raises:
            InvalidRequest: a run is to be done again, but in no conversation (4000).
            RunNotFound: no such run in the conversation (4200).
        """
        return await self._begin(
            principal,
            command.regenerate,
            StartRun(
                agent_id=command.agent_id,
                end_user_id=_end_user(principal, command.end_user_id),
                messages=() if command.message is None else (command.message,),
                conversation_id=command.conversation_id,
                use_draft=command.version == DRAFT,
                agent_version="" if command.version == DRAFT else command.version,
                variables=command.variables,
                overrides=command.overrides,
                takes_outputs=True,
                idempotency_key=command.idempotency_key,
                log_id=command.log_id,
            ),
        )

    async def ask_flow(self, principal: Principal, command: TryFlow) -> BegunChat:
        """Begin a run in which a workflow answers; the errors are those of ``ask``."""
        return await self._begin(
            principal,
            command.regenerate,
            StartRun(
                agent_id=command.agent_id,
                end_user_id=_end_user(principal, command.end_user_id),
                messages=() if command.message is None else (command.message,),
                conversation_id=command.conversation_id,
                surface="workflow",
                flow=FlowTarget(
                    workflow_id=command.workflow_id,
                    version="" if command.version == DRAFT else command.version,
                    is_draft=command.version == DRAFT,
                    app_id=command.app_id,
                ),
                parameters=command.parameters,
                idempotency_key=command.idempotency_key,
                log_id=command.log_id,
            ),
        )

    async def _begin(
        self, principal: Principal, regenerate: int | None, command: StartRun
    ) -> BegunChat:
        repeated = None
        if regenerate is not None:
            if command.conversation_id is None:
                raise InvalidRequest(
                    "conversation_id: regenerate needs the conversation.", field="conversation_id"
                )
            repeated = await self._question(principal, command.conversation_id, regenerate)
            if repeated is None:
                raise RunNotFound("regenerate: no run of this conversation.", run_id=regenerate)
        run = await self._runs.start(
            principal,
            msgspec.structs.replace(
                command,
                scene=Scene.PLAYGROUND,
                connector_id=principal.connector_id,
                stream=True,
                regenerate=repeated,
            ),
        )
        return BegunChat(
            run_id=run.id,
            conversation_id=run.conversation_id,
            message_id=await self._question(principal, run.conversation_id, run.id),
        )

    async def _question(
        self, principal: Principal, conversation_id: int, run_id: int
    ) -> int | None:
        """Return the question of a run, if the conversation still has it."""
        query = MessageQuery(run_id=run_id, kinds=frozenset({MessageKind.QUESTION}), limit=1)
        found = await self._messages.list(principal, conversation_id, query)
        return found.items[0].id if found.items else None


def _end_user(principal: Principal, wanted: str) -> str:
    """Return who talks: whom the token is bound to, whom the caller names, or the caller."""
    return principal.end_user_id or wanted or str(principal.user_id)
