"""Workflows for other contexts: the use cases of this one in the words of the contract."""

from collections.abc import Mapping
from typing import Any, Protocol

from crossdomain.workflow.contract import (
    ChatFlow,
    ChatFlowInput,
    Listener,
    WorkflowToolDescription,
    WorkflowToolResult,
)
from domain.shared.access import TenantScope
from domain.shared.call import CallContext


class Runs(Protocol):
    """Runs on behalf of callers who were checked elsewhere."""

    async def find(
        self, scope: TenantScope, *, workflow_id: int, version: str, is_draft: bool
    ) -> ChatFlow: ...

    async def describe(
        self, context: CallContext, *, workflow_id: str, version: str, hidden: frozenset[str]
    ) -> WorkflowToolDescription: ...

    async def converse(
        self, context: CallContext, flow: ChatFlow, given: ChatFlowInput, listener: Listener
    ) -> WorkflowToolResult: ...

    async def run(
        self,
        context: CallContext,
        *,
        workflow_id: str,
        version: str,
        arguments: Mapping[str, Any],
        key: str,
        conversation_id: int,
        agent_id: int,
        listener: Listener | None,
    ) -> WorkflowToolResult: ...

    async def answer(
        self,
        context: CallContext,
        *,
        run_id: int,
        question_id: str,
        text: str,
        listener: Listener | None,
        is_tool: bool,
    ) -> WorkflowToolResult: ...

    async def abandon(self, scope: TenantScope, run_id: int) -> None: ...


class DomainChatFlows:
    """Implements ``crossdomain.workflow.contract.ChatFlows``."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    async def find(
        self, scope: TenantScope, *, workflow_id: int, version: str = "", is_draft: bool = False
    ) -> ChatFlow:
        return await self._runs.find(
            scope, workflow_id=workflow_id, version=version, is_draft=is_draft
        )

    async def converse(
        self, context: CallContext, flow: ChatFlow, given: ChatFlowInput, listener: Listener
    ) -> WorkflowToolResult:
        return await self._runs.converse(context, flow, given, listener)

    async def answer(
        self,
        context: CallContext,
        *,
        run_id: int,
        question_id: str,
        text: str,
        listener: Listener | None = None,
    ) -> WorkflowToolResult:
        return await self._runs.answer(
            context,
            run_id=run_id,
            question_id=question_id,
            text=text,
            listener=listener,
            is_tool=False,
        )

    async def abandon(self, scope: TenantScope, run_id: int) -> None:
        await self._runs.abandon(scope, run_id)


class DomainWorkflowTools:
    """Implements ``crossdomain.workflow.contract.WorkflowTools``."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    async def describe(
        self,
        context: CallContext,
        *,
        workflow_id: str,
        version: str = "",
        hidden: frozenset[str] = frozenset(),
    ) -> WorkflowToolDescription:
        return await self._runs.describe(
            context, workflow_id=workflow_id, version=version, hidden=hidden
        )

    async def run(
        self,
        context: CallContext,
        *,
        workflow_id: str,
        version: str = "",
        arguments: Mapping[str, Any],
        key: str,
        conversation_id: int = 0,
        agent_id: int = 0,
        listener: Listener | None = None,
    ) -> WorkflowToolResult:
        return await self._runs.run(
            context,
            workflow_id=workflow_id,
            version=version,
            arguments=arguments,
            key=key,
            conversation_id=conversation_id,
            agent_id=agent_id,
            listener=listener,
        )

    async def answer(
        self,
        context: CallContext,
        *,
        run_id: int,
        question_id: str,
        text: str,
        listener: Listener | None = None,
    ) -> WorkflowToolResult:
        return await self._runs.answer(
            context,
            run_id=run_id,
            question_id=question_id,
            text=text,
            listener=listener,
            is_tool=True,
        )
