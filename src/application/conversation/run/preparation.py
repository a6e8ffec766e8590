"""Checks of a request to start a run, before anything is stored."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from application.conversation.dto import FlowTarget, IncomingMessage, StartRun
from application.conversation.shortcut import asked_by, with_plain_values
from application.conversation.view import file_ids
from crossdomain.agent.contract import (
    AgentDefinition,
    Agents,
    AgentSelector,
    FlowSelector,
    Handling,
    ShortcutCall,
    TurnOverrides,
)
from crossdomain.file.contract import Files
from domain.conversation.error import (
    ClientToolsNotAllowed,
    NothingToAnswer,
    ResponseFormatUnsupported,
)
from domain.conversation.rule import (
    check_end_user,
    check_meta,
    check_parts,
    check_variables,
    is_blank,
)
from domain.conversation.value import Scene
from domain.shared.access import Permission, Principal, ResourceKind, TenantScope
from domain.shared.account import Account, current_origin
from domain.shared.chat import Part
from domain.shared.error import InvalidRequest, NotFound
from domain.shared.ids import AgentId
from domain.shared.limits import Limits

_CLIENT_KEEPS_HISTORY: Final = frozenset({Scene.OPENAI, Scene.EPHEMERAL})


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRun:
    """A request that may be stored: permitted, within the limits, its agent and files found.

    ``question`` None means that the newest open question of the section is meant, or the one to be
    answered again.
    """

    command: StartRun
    scope: TenantScope
    definition: AgentDefinition
    context: tuple[IncomingMessage, ...]
    question: IncomingMessage | None
    end_user_id: str
    overrides: TurnOverrides
    digest: str
    shortcut: ShortcutCall | None = None

    @property
    def wants_follow_ups(self) -> bool:
        """Only surfaces that know such messages show them; the others would wait for nothing."""
        return self.command.scene not in _CLIENT_KEEPS_HISTORY

    @property
    def takes_outputs(self) -> bool:
        """A run of which nothing is kept cannot be gone on with."""
        return self.command.takes_outputs and self.command.save_history

    @property
    def owner(self) -> TenantScope:
        """The scope with the end user whose run this will be."""
        return replace(self.scope, end_user_id=self.end_user_id)

    @property
    def account(self) -> Account:
        """Whom and what the calls of the run will be counted for."""
        definition = self.definition
        return Account(
            origin=current_origin(),
            agent_id=int(definition.agent_id),
            version=definition.version,
            workflow_id=definition.workflow_id,
            member_id=int(self.scope.principal_id),
            end_user_id=self.end_user_id,
        )

    @property
    def names_conversation(self) -> bool:
        return self.command.conversation_id is not None or bool(self.command.conversation_key)


class RunPreparation:
    """Loads what a run needs and refuses what it may not do."""

    def __init__(self, *, agents: Agents, files: Files, limits: Limits) -> None:
        self._agents = agents
        self._files = files
        self._limits = limits

    async def prepare(self, principal: Principal, command: StartRun) -> PreparedRun:
        """Check the request; the errors are those of ``RunService.start``."""
        self._check_limits(command)
        principal = reaching(principal, command)
        definition = await self.load(principal, command)
        if command.takes_calls and command.overrides.tools and not definition.takes_client_tools:
            raise ClientToolsNotAllowed(
                "tools: this agent takes no tools of the client.", field="tools"
            )
        if command.overrides.json_output and definition.workflow_id:
            raise ResponseFormatUnsupported(
                "response_format: a workflow answers by itself; let its nodes write JSON.",
                field="response_format",
            )
        messages = usable(command.messages, self._limits)
        context, question = _split(messages)
        shortcut = command.shortcut
        if shortcut is not None:
            shortcut = await with_plain_values(
                shortcut, files=self._files, scope=principal.scope.home, limits=self._limits
            )
            text = self._agents.shortcut_question(definition, shortcut)
            question = question or asked_by(text)
        prepared = PreparedRun(
            command=command,
            scope=principal.scope,
            definition=definition,
            context=context,
            question=question,
            end_user_id=principal.end_user_id or command.end_user_id,
            overrides=_permitted(principal, definition, command.overrides),
            digest=_digest(command) if command.idempotency_key else "",
            shortcut=shortcut,
        )
        if question is None and not prepared.names_conversation:
            raise NothingToAnswer("additional_messages: the last one must be the user's question.")
        await require_files(messages, files=self._files, scope=principal.scope)
        return prepared

    async def handling(self, principal: Principal, command: StartRun) -> Handling:
        """Tell what a run will make of what the request changes; errors as ``prepare``."""
        definition = await self.load(principal, command)
        overrides = _permitted(principal, definition, command.overrides)
        return await self._agents.handling(definition, overrides)

    def _check_limits(self, command: StartRun) -> None:
        limits = self._limits
        most = most_messages(command, limits)
        if len(command.messages) > most:
            raise InvalidRequest(f"messages: at most {most} messages.", field="messages")
        check_meta(command.meta, limits)
        check_meta(command.answer_meta, limits)
        check_end_user(command.end_user_id, limits)
        check_variables(command.variables, limits)
        for name, value, longest in (
            ("idempotency_key", command.idempotency_key, limits.idempotency_key_chars),
            ("conversation_key", command.conversation_key or "", limits.end_user_chars),
        ):
            if len(value) > longest:
                raise InvalidRequest(f"{name}: at most {longest} characters.", field=name)

    async def load(self, principal: Principal, command: StartRun) -> AgentDefinition:
        """Return what answers, if the caller may talk to it; errors as ``prepare``."""
        principal = reaching(principal, command)
        if command.flow is not None:
            return await self._load_flow(principal, command, command.flow)
        agent_id = AgentId(command.agent_id)
        if principal.agent_ids is not None and agent_id not in principal.agent_ids:
            raise NotFound(f"No agent {agent_id}.", agent_id=agent_id)
        definition = await self._agents.load(principal.scope, agent_id, _selector(command))
        # After the agent was found: where the caller sees nothing the answer is "not found", which
        # tells less than "forbidden".
        principal.require(Permission.CHAT, definition.space_id)
        if command.use_draft:
            principal.require(Permission.AGENT_WRITE, definition.space_id)
        return definition

    async def _load_flow(
        self, principal: Principal, command: StartRun, flow: FlowTarget
    ) -> AgentDefinition:
        agent_id = AgentId(command.agent_id)
        if agent_id and principal.agent_ids is not None and agent_id not in principal.agent_ids:
            raise NotFound(f"No agent {agent_id}.", agent_id=agent_id)
        definition = await self._agents.load_flow(
            principal.scope,
            FlowSelector(
                workflow_id=flow.workflow_id,
                version=flow.version,
                is_draft=flow.is_draft,
                agent_id=agent_id,
                app_id=flow.app_id,
                mocks=flow.mocks,
            ),
        )
        principal.require(Permission.WORKFLOW_RUN, definition.space_id)
        if flow.is_draft:
            principal.require(Permission.WORKFLOW_WRITE, definition.space_id)
        return definition


def _selector(command: StartRun) -> AgentSelector:
    if command.use_draft:
        return AgentSelector(kind="draft")
    if command.agent_version:
        return AgentSelector(kind="version", version=command.agent_version)
    return AgentSelector(kind="published", connector_id=command.connector_id)


def reaching(principal: Principal, command: StartRun) -> Principal:
    """Return the caller with what a grant on what it asks adds."""
    if command.flow is not None:
        needed = {Permission.WORKFLOW_RUN}
        if command.flow.is_draft:
            needed.add(Permission.WORKFLOW_WRITE)
        kind, target = ResourceKind.WORKFLOW, int(command.flow.workflow_id)
    else:
        needed = {Permission.CHAT}
        if command.use_draft:
            needed.add(Permission.AGENT_WRITE)
        kind, target = ResourceKind.AGENT, command.agent_id
    return principal.toward(kind, target, permissions=frozenset(needed))


def most_messages(command: StartRun, limits: Limits) -> int:
    """How many messages the request may bring: more where the client keeps the history itself."""
    if command.scene in _CLIENT_KEEPS_HISTORY or not command.save_history:
        return limits.completion_messages
    return limits.additional_messages


def usable(messages: Sequence[IncomingMessage], limits: Limits) -> tuple[IncomingMessage, ...]:
    """Drop blank messages and check the others."""
    kept = tuple(
        message
        for message in messages
        if message.tool_calls or message.role == "tool" or not is_blank(message.parts)
    )
    for message in kept:
        if message.role != "tool" and not message.tool_calls:
            check_parts(message.parts, limits)
        check_meta(message.meta, limits)
    return kept


async def require_files(
    messages: Sequence[IncomingMessage], *, files: Files, scope: TenantScope
) -> None:
    """Raise ``FileNotFound`` unless the scope holds all files that the messages name."""
    await require_parts([p for m in messages for p in m.parts], files=files, scope=scope)


async def require_parts(parts: Sequence[Part], *, files: Files, scope: TenantScope) -> None:
    """Raise ``FileNotFound`` unless the scope holds all files that the parts name."""
    ids = list(dict.fromkeys(file_ids(parts)))
    if ids:
        await files.describe(scope.home, ids)


def _split(
    messages: tuple[IncomingMessage, ...],
) -> tuple[tuple[IncomingMessage, ...], IncomingMessage | None]:
    """Return the context and, if the last message is the user's, the question."""
    if messages and messages[-1].role == "user":
        return messages[:-1], messages[-1]
    return messages, None


def _permitted(
    principal: Principal, definition: AgentDefinition, overrides: TurnOverrides
) -> TurnOverrides:
    """Leave out what only those may change who may edit the agent."""
    if principal.may(Permission.AGENT_WRITE, definition.space_id):
        return overrides
    return replace(overrides, model="", persona=None, name=None)


def _digest(command: StartRun) -> str:
    """Identify the request, whatever key and log id it came with."""
    # How the answer is read is no part of the request: a client may repeat it with or without a
    # stream.
    plain = msgspec.structs.replace(command, run_id=0, idempotency_key="", log_id="", stream=False)
    return hashlib.sha256(msgspec.json.encode(plain, order="sorted")).hexdigest()
