"""Runs that are stopped, refused, superseded, repeated or lost."""

import asyncio
import random
from contextlib import aclosing
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from application.conversation.dto import CreateConversation, RunView
from application.conversation.run.event import MessageDelta, RunCanceled, RunCompleted, RunFailed
from crossdomain.agent.contract import AgentOutcome, AgentTurn, EmitAgentEvent
from domain.conversation.error import (
    ConversationBusy,
    ConversationNotFound,
    IdempotencyKeyReused,
    RunNotCancelable,
    RunNotRepeatable,
)
from domain.conversation.value import MessageKind, RunStatus
from domain.shared.access import Principal
from domain.shared.call import CallContext
from domain.shared.chat import FinishReason
from domain.shared.error import ShuttingDown
from domain.shared.limits import Limits
from infra.impl.repository.sql.conversation.table import messages
from infra.impl.repository.sql.engine.database import Database
from tests.support.clock import FrozenClock
from tests.support.conversation.harness import (
    USAGE,
    Process,
    ScriptedAgents,
    answers,
    echo,
    model_call,
    names,
    question,
    say,
    text_message,
)

DONE = AgentOutcome(finish_reason=FinishReason.STOP, usage=USAGE)


class Held:
    """A script that says something and then waits to be let go."""

    def __init__(self, *, finished: bool = False) -> None:
        self.gate = asyncio.Event()
        self.said = asyncio.Event()
        self.was_cancelled = False
        self._finished = finished

    async def __call__(
        self, context: CallContext, turn: AgentTurn, emit: EmitAgentEvent
    ) -> AgentOutcome:
        try:
            await say(emit, "so ", "far", complete=self._finished)
            self.said.set()
            await self.gate.wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            context.record_call(model_call("canceled"))
            raise
        return DONE


async def _held(process: Process, who: Principal, **fields: object) -> tuple[RunView, Held]:
    held = Held()
    process.agents.script = held
    run = await process.runs.start(who, question("hi", **fields))
    await held.said.wait()
    return run, held


async def test_cancel_stops_the_agent_and_keeps_the_partial_answer(
    process: Process, who: Principal
) -> None:
    run, held = await _held(process, who)

    canceled = await process.runs.cancel(who, run.id, conversation_id=run.conversation_id)

    assert (canceled.status, held.was_cancelled) == (RunStatus.CANCELED, True)
    assert canceled.usage.total_tokens == 7
    shown = await process.shown(who, run.conversation_id)
    assert [(m.text, m.is_broken) for m in shown] == [("hi", False), ("so far", True)]
    records = await process.events(who, run.id)
    assert isinstance(records[-1].event, RunCanceled)
    assert answers(records) == []


async def test_a_canceled_round_is_no_context(process: Process, who: Principal) -> None:
    run, _ = await _held(process, who)
    await process.runs.cancel(who, run.id)
    process.agents.script = echo

    await process.ask(who, "again", conversation_id=run.conversation_id)

    assert process.agents.turns[1].history == ()


async def test_an_ended_run_cannot_be_canceled(process: Process, who: Principal) -> None:
    records = await process.ask(who, "hi")

    with pytest.raises(RunNotCancelable):
        await process.runs.cancel(who, records[-1].event.run.id)  # type: ignore[union-attr]


async def test_a_second_run_beside_an_active_one_is_refused(
    process: Process, who: Principal
) -> None:
    run, held = await _held(process, who)

    with pytest.raises(ConversationBusy):
        await process.runs.start(who, question("more", conversation_id=run.conversation_id))
    held.gate.set()
    assert (await process.runs.wait(who, run.id)).status is RunStatus.COMPLETED


@pytest.mark.parametrize("rounds", [30, pytest.param(300, marks=pytest.mark.long)])
async def test_of_two_simultaneous_starts_exactly_one_wins(
    process: Process, who: Principal, rounds: int
) -> None:
    conversation = await process.conversations.create(who, CreateConversation(agent_id=20))
    dice = random.Random(7)  # noqa: S311 - repeatable, not secret
    gate = asyncio.Event()

    async def hold(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await gate.wait()
        return DONE

    async def attempt(pause_s: float) -> RunView | None:
        await asyncio.sleep(pause_s)
        try:
            return await process.runs.start(who, question("x", conversation_id=conversation.id))
        except ConversationBusy:
            return None

    process.agents.script = hold
    for _ in range(rounds):
        gate.clear()
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(attempt(dice.random() / 500)) for _ in range(2)]
        (winner,) = [run for task in tasks if (run := task.result()) is not None]
        gate.set()
        await process.runs.wait(who, winner.id)


async def test_a_run_that_only_finishes_makes_way(process: Process, who: Principal) -> None:
    held = Held(finished=True)
    process.agents.script = held
    first = await process.runs.start(who, question("one"))
    await held.said.wait()
    process.agents.script = echo

    records = await process.ask(who, "two", conversation_id=first.conversation_id)

    assert answers(records) == ["You said: two"]
    ended = await process.events(who, first.id)
    assert isinstance(ended[-1].event, RunCompleted)
    assert (await process.runs.get(who, first.id)).status is RunStatus.COMPLETED
    assert [m.text for r in process.agents.turns[1].history for m in r.messages] == [
        "one",
        "so far",
    ]


async def test_deleting_a_conversation_cancels_its_run(process: Process, who: Principal) -> None:
    run, held = await _held(process, who)

    await process.conversations.delete(who, run.conversation_id)
    records = await process.events(who, run.id)

    assert isinstance(records[-1].event, RunCanceled)
    assert held.was_cancelled
    with pytest.raises(ConversationNotFound):
        await process.conversations.get(who, run.conversation_id)


async def test_a_run_nobody_follows_is_canceled_if_its_policy_says_so(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal
) -> None:
    async with Process(
        sqlite_database, agents, limits=Limits(disconnect_grace_s=0.01)
    ).running() as p:
        run, held = await _held(p, who, cancel_on_disconnect=True)
        live = p.registry.find(run.id)
        assert live is not None
        async with asyncio.timeout(60):
            await live.ended.wait()
        assert held.was_cancelled
        assert (await p.runs.get(who, run.id)).status is RunStatus.CANCELED


async def test_a_run_that_somebody_follows_is_not_about_to_be_canceled(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal
) -> None:
    async with Process(
        sqlite_database, agents, limits=Limits(disconnect_grace_s=3600)
    ).running() as p:
        run, held = await _held(p, who, cancel_on_disconnect=True)
        live = p.registry.find(run.id)
        assert live is not None
        before = live.is_being_left
        async with aclosing(p.runs.follow(who, run.id)) as batches:
            await anext(batches)
            during = live.is_being_left

        assert (before, during, live.is_being_left) == (True, False, True)
        held.gate.set()  # the process waits for its runs before it ends


async def test_a_caller_that_hangs_up_while_the_run_is_stored_leaves_no_stuck_run(
    process: Process, who: Principal
) -> None:
    for steps in range(30):
        task = asyncio.get_running_loop().create_task(process.runs.start(who, question("hi")))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
    async with asyncio.timeout(60):
        await process.registry.drain(5)

    async with process.store.snapshot() as uow:
        found = await uow.runs.administered_page(
            who.scope, agent_id=None, conversation_id=None, status=None, before_id=None, limit=100
        )
    assert {run.status for run in found} <= {RunStatus.COMPLETED}


async def test_a_long_run_fails_at_the_wall(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal
) -> None:
    agents.script = Held()
    async with Process(sqlite_database, agents, limits=Limits(run_wall_s=0.05)).running() as p:
        records = await p.ask(who, "hi")

    end = records[-1].event
    assert isinstance(end, RunFailed)
    assert end.run.error.slug == "run_timeout"


async def test_shutdown_fails_what_needs_longer_and_refuses_new_runs(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal
) -> None:
    async with Process(sqlite_database, agents).running() as p:
        run, _ = await _held(p, who)
        await p.registry.drain(0.01)

        failed = await p.runs.get(who, run.id)
        assert (failed.status, failed.error.slug) == (RunStatus.FAILED, "server_shutdown")
        with pytest.raises(ShuttingDown):
            await p.runs.start(who, question("late"))


async def test_the_same_idempotency_key_is_the_same_run(process: Process, who: Principal) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(process.runs.start(who, question("hi", idempotency_key="k")))
            for _ in range(5)
        ]
    assert len({task.result().id for task in tasks}) == 1
    assert len(process.agents.turns) == 1

    with pytest.raises(IdempotencyKeyReused) as refusal:
        await process.runs.start(who, question("other", idempotency_key="k"))
    assert refusal.value.code == 4000


@pytest.mark.parametrize("which", [MessageKind.QUESTION, MessageKind.ANSWER])
async def test_regenerating_replaces_the_last_round(
    process: Process, who: Principal, which: MessageKind
) -> None:
    records = await process.ask(
        who,
        "",
        messages=(
            text_message("a"),
            text_message("b", role="assistant"),
            text_message("c"),
        ),
    )
    old = records[-1].event.run  # type: ignore[union-attr]
    shown = await process.shown(who, old.conversation_id)
    named = [m for m in shown if m.kind is which][-1]

    async def better(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await say(emit, "better")
        return DONE

    process.agents.script = better
    again = await process.ask(
        who, "", messages=(), conversation_id=old.conversation_id, regenerate=named.id
    )

    assert answers(again) == ["better"]
    kept = await process.shown(who, old.conversation_id)
    assert [m.text for m in kept if m.kind is not MessageKind.VERBOSE] == ["a", "b", "c", "better"]
    assert process.agents.turns[1].history == process.agents.turns[0].history


async def test_editing_the_question_is_regenerating_with_new_content(
    process: Process, who: Principal
) -> None:
    records = await process.ask(who, "old")
    old = records[-1].event.run  # type: ignore[union-attr]
    (asked, *_) = await process.shown(who, old.conversation_id)

    again = await process.ask(who, "new", conversation_id=old.conversation_id, regenerate=asked.id)

    assert answers(again) == ["You said: new"]
    assert process.agents.turns[1].history == ()


async def test_only_the_last_run_can_be_redone(process: Process, who: Principal) -> None:
    records = await process.ask(who, "one")
    first = records[-1].event.run  # type: ignore[union-attr]
    (asked, *_) = await process.shown(who, first.conversation_id)
    await process.ask(who, "two", conversation_id=first.conversation_id)

    with pytest.raises(RunNotRepeatable):
        await process.ask(
            who, "", messages=(), conversation_id=first.conversation_id, regenerate=asked.id
        )


async def test_runs_of_a_killed_process_are_failed_by_the_next(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal
) -> None:
    stuck = asyncio.Event()

    async def vanish(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await say(emit, "so far", complete=False)
        stuck.set()
        await asyncio.Event().wait()
        return DONE

    agents.script = vanish
    killed = Process(sqlite_database, agents, owner="boot-1", limits=Limits(partial_interval_s=0))
    for part in (killed.registry, killed.writer):
        await part.start()
    run = await killed.runs.start(who, question("hi"))
    await stuck.wait()
    await killed.writer.write_due()
    await killed.writer._loop.aclose()

    agents.script = echo
    async with Process(sqlite_database, agents, owner="boot-2").running() as p:
        failed = await p.runs.get(who, run.id)
        assert (failed.status, failed.error.slug) == (RunStatus.FAILED, "run_interrupted")
        shown = await p.shown(who, run.conversation_id)
        assert [(m.text, m.is_broken) for m in shown] == [("hi", False), ("so far", True)]
        records = await p.events(who, run.id)
        assert [r.event.text for r in records if isinstance(r.event, MessageDelta)] == ["so far"]
        assert isinstance(records[-1].event, RunFailed)
        again = await p.ask(who, "again", conversation_id=run.conversation_id)
        assert answers(again) == ["You said: again"]

    await killed.registry.drain(0)  # it wakes up again, and must not change what was settled
    await killed.registry.aclose()
    assert await killed.runs.get(who, run.id) == failed


async def test_a_process_that_wakes_up_too_late_adds_nothing(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal
) -> None:
    said, woken = asyncio.Event(), asyncio.Event()

    async def sleep(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await say(emit, "so far", complete=False)
        said.set()
        await woken.wait()
        await say(emit, "much ", "more", is_interim=True)
        return DONE

    agents.script = sleep
    one = Process(sqlite_database, agents, owner="one", limits=Limits(run_lease_s=0))
    two = Process(sqlite_database, agents, owner="two", node=1)
    for part in (one.registry, one.writer):
        await part.start()
    run = await one.runs.start(who, question("hi"))
    await said.wait()
    assert await two.recovery.recover_expired() == 1
    failed = await two.runs.get(who, run.id)

    one.writer._clock = FrozenClock(datetime.now(UTC) + timedelta(hours=1))
    woken.set()
    told = await one.events(who, run.id)
    await one.registry.aclose()
    await one.writer.aclose()

    assert 'lease_lost_total{kind="chat"} 1' in one.metrics.render().decode()
    assert isinstance(told[-1].event, RunFailed)
    assert await two.runs.get(who, run.id) == failed
    assert names(await two.events(who, run.id)) == ["RunCreated", "RunStarted", "RunFailed"]
    assert [m.text for m in await two.shown(who, run.conversation_id)] == ["hi"]
    left = sa.select(messages.c.kind)
    async with sqlite_database.read() as connection:
        assert list(await connection.scalars(left)) == [MessageKind.QUESTION]
