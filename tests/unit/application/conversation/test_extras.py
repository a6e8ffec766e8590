"""What comes after the answer: follow-up questions, which nothing may turn into a failure."""

import asyncio

import pytest

from application.conversation.run.event import MessageCompleted, RunCompleted
from crossdomain.agent.contract import (
    AgentOutcome,
    AgentTurn,
    EmitAgentEvent,
    FollowUpsSuggested,
)
from domain.conversation.error import RunNotCancelable
from domain.conversation.value import MessageKind, RunStatus, Scene
from domain.shared.access import Principal
from domain.shared.call import CallContext
from domain.shared.chat import FinishReason
from domain.shared.error import Conflict
from domain.shared.limits import Limits
from infra.impl.repository.sql.engine.database import Database
from tests.support.conversation.harness import (
    USAGE,
    Process,
    ScriptedAgents,
    echo,
    model_call,
    question,
    say,
)

DONE = AgentOutcome(finish_reason=FinishReason.STOP, usage=USAGE)


async def suggests(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
    """Answer, then offer two questions."""
    context.record_call(model_call())
    await say(emit, "An answer.")
    await emit(FollowUpsSuggested(("Why?", "How?")))
    return DONE


class Thinking:
    """Answers, then thinks of questions until it is stopped or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self.said = asyncio.Event()
        self._error = error

    async def __call__(
        self, context: CallContext, turn: AgentTurn, emit: EmitAgentEvent
    ) -> AgentOutcome:
        await say(emit, "An answer.")
        self.said.set()
        if self._error is not None:
            raise self._error
        await asyncio.Event().wait()
        return DONE


async def test_questions_come_after_the_answer_and_its_mark(
    process: Process, who: Principal
) -> None:
    process.agents.script = suggests

    records = await process.ask(who, "hi")

    messages = [r.event.message for r in records if isinstance(r.event, MessageCompleted)]
    assert [(m.kind, m.text) for m in messages if m.kind is not MessageKind.VERBOSE] == [
        (MessageKind.ANSWER, "An answer."),
        (MessageKind.FOLLOW_UP, "Why?"),
        (MessageKind.FOLLOW_UP, "How?"),
    ]
    assert [m.kind for m in messages][1] is MessageKind.VERBOSE
    last = records[-1].event
    assert isinstance(last, RunCompleted)
    stored = await process.runs.messages(who, last.run.id)
    assert [m.id for m in stored] == [m.id for m in messages]


async def test_models_do_not_read_the_questions_that_were_offered(
    process: Process, who: Principal
) -> None:
    process.agents.script = suggests
    records = await process.ask(who, "hi")
    conversation_id = records[0].event.run.conversation_id  # type: ignore[union-attr]
    process.agents.script = echo

    await process.ask(who, "and?", conversation_id=conversation_id)

    [earlier] = process.agents.turns[1].history
    assert [message.text for message in earlier.messages] == ["hi", "An answer."]


async def test_cancelling_the_extras_leaves_a_completed_run(
    process: Process, who: Principal
) -> None:
    process.agents.script = thinking = Thinking()
    run = await process.runs.start(who, question("hi"))
    await thinking.said.wait()

    with pytest.raises(RunNotCancelable):
        await process.runs.cancel(who, run.id)

    ended = await process.runs.get(who, run.id)
    assert (ended.status, ended.finish_reason) == (RunStatus.COMPLETED, "stop")


@pytest.mark.parametrize("error", [Conflict("Busy."), ZeroDivisionError()])
async def test_extras_that_fail_leave_a_completed_run(
    process: Process, who: Principal, error: Exception
) -> None:
    process.agents.script = Thinking(error)

    records = await process.ask(who, "hi")

    assert isinstance(records[-1].event, RunCompleted)


async def test_a_process_that_died_over_extras_leaves_a_completed_run(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal
) -> None:
    agents.script = thinking = Thinking()
    hasty = Limits(shutdown_grace_s=0.01)
    async with Process(sqlite_database, agents, limits=hasty).running() as dead:
        run = await dead.runs.start(who, question("hi"))
        await thinking.said.wait()
        async with Process(sqlite_database, agents, owner="boot-2").running() as next_one:
            found = await next_one.runs.get(who, run.id)
            assert (found.status, found.finish_reason) == (RunStatus.COMPLETED, "stop")


@pytest.mark.parametrize(
    ("scene", "wanted"), [(Scene.API, True), (Scene.PLAYGROUND, True), (Scene.OPENAI, False)]
)
async def test_only_surfaces_that_show_questions_wait_for_them(
    process: Process, who: Principal, scene: Scene, wanted: bool
) -> None:
    await process.ask(who, "hi", scene=scene)

    assert process.agents.turns[0].wants_follow_ups is wanted
