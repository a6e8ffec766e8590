"""Use case of an editor: ask an agent or a chat flow in any state, and be told what answers."""

from collections.abc import Mapping
from typing import Any

import msgspec

from application.conversation.dto import (
    FlowTarget,
    IncomingMessage,
    MessageQuery,
    ShortcutCall,
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


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked, by whom, in which conversation, and of which state of what answers.

    ``version`` is ``draft``, the name of a version, or empty for the one that clients get.
    ``regenerate`` is the last run of the conversation, to be done again, with its own question
    unless there is a new one. Without ``end_user_id`` the caller's account is the end user.
    """

    message: IncomingMessage | None = None
    version: str = ""
    conversation_id: int | None = None
    end_user_id: str = ""
    regenerate: int | None = None
    idempotency_key: str = ""
    log_id: str = ""

    @property
    def is_for_draft(self) -> bool:
        return self.version == DRAFT

    @property
    def named_version(self) -> str:
        """The version by its name; empty for the draft and for what clients get."""
        return "" if self.is_for_draft else self.version


class TryAgent(msgspec.Struct, frozen=True, kw_only=True):
    """A question to an agent."""

    agent_id: int
    question: Question
    variables: Mapping[str, str] = {}
    overrides: TurnOverrides = TurnOverrides()
    shortcut: ShortcutCall | None = None


class TryFlow(msgspec.Struct, frozen=True, kw_only=True):
    """A message to a chat flow.

    ``parameters`` are inputs of the workflow besides the message. Nodes that need an agent or an
    application get that of ``agent_id`` or ``app_id``; those of the draft that are in ``mocks`` do
    not run and have these outputs.
    """

    workflow_id: int
    question: Question
    parameters: Mapping[str, Any] = {}
    agent_id: int = 0
    app_id: int = 0
    mocks: Mapping[str, Mapping[str, Any]] = {}


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
        asked = command.question
        return await self._begin(
            principal,
            asked,
            StartRun(
                agent_id=command.agent_id,
                end_user_id=_end_user(principal, asked.end_user_id),
                messages=() if asked.message is None else (asked.message,),
                use_draft=asked.is_for_draft,
                agent_version=asked.named_version,
                variables=command.variables,
                overrides=command.overrides,
                shortcut=command.shortcut,
                takes_outputs=True,
            ),
        )

    async def ask_flow(self, principal: Principal, command: TryFlow) -> BegunChat:
        """Begin a run in which a workflow answers; the errors are those of ``ask``."""
        asked = command.question
        return await self._begin(
            principal,
            asked,
            StartRun(
                agent_id=command.agent_id,
                end_user_id=_end_user(principal, asked.end_user_id),
                messages=() if asked.message is None else (asked.message,),
                surface="workflow",
                flow=FlowTarget(
                    workflow_id=command.workflow_id,
                    version=asked.named_version,
                    is_draft=asked.is_for_draft,
                    app_id=command.app_id,
                    mocks=command.mocks,
                ),
                parameters=command.parameters,
            ),
        )

    async def _begin(self, principal: Principal, asked: Question, run: StartRun) -> BegunChat:
        repeated = None
        if asked.regenerate is not None:
            if asked.conversation_id is None:
                raise InvalidRequest(
                    "conversation_id: regenerate needs the conversation.", field="conversation_id"
                )
            repeated = await self._question(principal, asked.conversation_id, asked.regenerate)
            if repeated is None:
                raise RunNotFound(
                    "regenerate: no run of this conversation.", run_id=asked.regenerate
                )
        begun = await self._runs.start(
            principal,
            msgspec.structs.replace(
                run,
                conversation_id=asked.conversation_id,
                scene=Scene.PLAYGROUND,
                connector_id=principal.connector_id,
                stream=True,
                regenerate=repeated,
                idempotency_key=asked.idempotency_key,
                log_id=asked.log_id,
            ),
        )
        return BegunChat(
            run_id=begun.id,
            conversation_id=begun.conversation_id,
            message_id=await self._question(principal, begun.conversation_id, begun.id),
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
