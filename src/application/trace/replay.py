"""Use case of an editor: let a run happen again, with something changed."""

from dataclasses import replace

import msgspec

from application.conversation.dto import IncomingMessage, StartRun
from application.conversation.repeat import AskedAgain, RunInputs
from application.conversation.run.service import RunService
from application.trace.dto import TraceTree
from application.trace.service import TraceService
from application.workflow.run.debug import WorkflowDebugging
from application.workflow.run.dto import ReplayRun
from crossdomain.agent.contract import RecordedCall, TurnOverrides
from domain.conversation.value import Scene
from domain.shared.access import Permission, Principal
from domain.shared.chat import TextPart
from domain.shared.error import Conflict, InvalidRequest
from domain.shared.ids import Id
from domain.shared.tracing.span import SpanKind, SpanStatus
from domain.trace.replay import node_of, question_of, steps_before

DRAFT = "draft"


class RunNotReplayable(Conflict):
    """Only runs that ended can be replayed, and not all of them without effects."""


class ReplayTrace(msgspec.Struct, frozen=True, kw_only=True):
    """Which run to replay, from which span on (empty: as a whole), with what changed.

    ``version``: another one, or ``draft``; None leaves that of the run. Without ``has_effects``
    nothing outside is changed once more.
    """

    run_id: int
    span_id: str = ""
    version: str | None = None
    overrides: TurnOverrides = TurnOverrides()
    has_effects: bool = False
    log_id: str = ""


class BegunReplay(msgspec.Struct, frozen=True, kw_only=True):
    """A run that has begun; ``conversation_id`` None for one of a workflow."""

    run_id: Id
    conversation_id: Id | None = None


class TraceReplay:
    """Begins runs anew for those who may change what ran."""

    def __init__(
        self,
        *,
        traces: TraceService,
        runs: RunService,
        inputs: RunInputs,
        flows: WorkflowDebugging,
    ) -> None:
        self._traces = traces
        self._runs = runs
        self._inputs = inputs
        self._flows = flows

    async def begin(self, principal: Principal, command: ReplayTrace) -> BegunReplay:
        """Begin a run like another one.

        Raises:
            TraceNotFound, SpanNotFound: there is none for the caller.
            ContentNotCaptured: what was said is not kept, and needed.
            RunNotReplayable: it goes on, or would change something outside.
            Forbidden: the caller may not change what ran.
        """
        tree = await self._traces.get(principal, command.run_id)
        summary = tree.summary
        is_chat = summary.kind == "chat"
        needed = Permission.AGENT_WRITE if is_chat else Permission.WORKFLOW_WRITE
        principal.require(needed, summary.space_id)
        if summary.status == "interrupted":
            raise RunNotReplayable("The run waits, or goes on; replay it once it ended.")
        replay = self._chat if is_chat else self._flow
        return await replay(principal, command, tree)

    async def _chat(
        self, principal: Principal, command: ReplayTrace, tree: TraceTree
    ) -> BegunReplay:
        summary = tree.summary
        if not summary.agent_id:
            raise RunNotReplayable("A workflow answered by itself; replay its own run.")
        if summary.workflow_id and not command.has_effects:
            raise RunNotReplayable(
                "A workflow answers for this agent, whose nodes would act again: ask for effects, "
                "or replay the workflow's own run."
            )
        steps = steps_before(command.run_id, tree.spans, command.span_id) if command.span_id else ()
        asked = await self._inputs.find(principal, command.run_id)
        if asked is None:
            question = IncomingMessage(role="user", parts=(TextPart(text=question_of(tree.spans)),))
            asked = AskedAgain(messages=(question,), variables={})
        version = summary.version if command.version is None else command.version
        is_draft = version in {"", DRAFT}
        recorded = None if command.has_effects else recorded_calls(tree)
        run = await self._runs.start(
            principal,
            StartRun(
                agent_id=summary.agent_id,
                end_user_id=principal.end_user_id or str(principal.user_id),
                messages=asked.messages,
                scene=Scene.PLAYGROUND,
                connector_id=principal.connector_id,
                use_draft=is_draft,
                agent_version="" if is_draft else version,
                variables=asked.variables,
                stream=True,
                overrides=replace(command.overrides, recorded=recorded),
                meta={"replay_of": str(command.run_id)},
                takes_outputs=True,
                steps=steps,
                log_id=command.log_id,
            ),
        )
        return BegunReplay(run_id=run.id, conversation_id=run.conversation_id)

    async def _flow(
        self, principal: Principal, command: ReplayTrace, tree: TraceTree
    ) -> BegunReplay:
        if command.overrides != TurnOverrides():
            raise InvalidRequest(
                "overrides: models and prompts of workflows are those of their nodes; change the "
                "draft.",
                field="overrides",
            )
        node_id = node_of(command.run_id, tree.spans, command.span_id) if command.span_id else ""
        version = command.version
        if version is not None and version != (tree.summary.version or DRAFT):
            raise InvalidRequest(
                "version: a workflow is replayed as it was; run another version with the inputs.",
                field="version",
            )
        run = await self._flows.replay(
            principal,
            ReplayRun(
                run_id=command.run_id,
                node_id=node_id,
                has_effects=command.has_effects,
                log_id=command.log_id,
            ),
        )
        return BegunReplay(run_id=run.id)


def recorded_calls(tree: TraceTree) -> tuple[RecordedCall, ...]:
    """Return what came of the calls of a run, as far as it is kept."""
    return tuple(
        RecordedCall(
            name=span.name,
            arguments=span.input,
            text=span.output,
            is_error=span.status is SpanStatus.ERROR,
        )
        for span in (each.span for each in tree.spans)
        if span.kind is SpanKind.TOOL
        and span.status is not SpanStatus.INTERRUPTED
        and span.input is not None
        and span.output is not None
    )
