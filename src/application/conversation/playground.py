"""Use case of an editor: ask an agent in any of its states, and be told what answers."""

from collections.abc import Mapping

import msgspec

from application.conversation.dto import IncomingMessage, MessageQuery, StartRun, TurnOverrides
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


class BegunChat(msgspec.Struct, frozen=True, kw_only=True):
    """A run that goes on by itself, its conversation, and the question it answers."""

    run_id: Id
    conversation_id: Id
    message_id: Id | None


class PlaygroundService:
    """Lets people try agents in conversations that are listed apart from those of clients."""

    def __init__(self, *, runs: RunService, messages: MessageService) -> None:
        self._runs = runs
        self._messages = messages

    async def ask(self, principal: Principal, command: TryAgent) -> BegunChat:
        """Begin a run; the errors are those of ``RunService.start``.

        Raises:
            InvalidRequest: a run is to be done again, but in no conversation (4000).
            RunNotFound: no such run in the conversation (4200).
        """
        repeated = None
        if command.regenerate is not None:
            if command.conversation_id is None:
                raise InvalidRequest(
                    "conversation_id: regenerate needs the conversation.", field="conversation_id"
                )
            repeated = await self._question(principal, command.conversation_id, command.regenerate)
            if repeated is None:
                raise RunNotFound(
                    "regenerate: no run of this conversation.", run_id=command.regenerate
                )
        run = await self._runs.start(
            principal,
            StartRun(
                agent_id=command.agent_id,
                end_user_id=principal.end_user_id or command.end_user_id or str(principal.user_id),
                messages=() if command.message is None else (command.message,),
                conversation_id=command.conversation_id,
                scene=Scene.PLAYGROUND,
                connector_id=principal.connector_id,
                use_draft=command.version == DRAFT,
                agent_version="" if command.version == DRAFT else command.version,
                variables=command.variables,
                stream=True,
                overrides=command.overrides,
                regenerate=repeated,
                takes_outputs=True,
                idempotency_key=command.idempotency_key,
                log_id=command.log_id,
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
