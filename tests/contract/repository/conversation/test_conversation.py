"""The conversation store on every database: locks, indexes, leases and races."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from application.conversation.dto import CreateConversation, RunView, SubmitOutputs
from application.conversation.run.event import RunCanceled, RunFailed
from crossdomain.agent.contract import AgentOutcome, AgentTurn, EmitAgentEvent, OpenQuestion
from domain.conversation.conversation import Conversation
from domain.conversation.error import (
    ConversationBusy,
    ConversationNotFound,
    RunNotFound,
    RunNotWaiting,
)
from domain.conversation.history import build_rounds, count_rounds
from domain.conversation.message import Message
from domain.conversation.repository import ConversationStore
from domain.conversation.run import Run
from domain.conversation.run_repository import AcceptedRequest, EventBatch
from domain.conversation.value import MessageKind, MessageStatus, RunError, RunPhase, RunStatus
from domain.shared.access import TenantScope
from domain.shared.account import Account, Origin
from domain.shared.call import CallContext
from domain.shared.chat import FinishReason, TextPart, ToolCall
from domain.shared.error import StaleRevision, Unavailable
from domain.shared.ids import (
    AgentId,
    ConversationId,
    MessageId,
    RunId,
    SectionId,
    SpaceId,
    UserId,
)
from domain.shared.limits import Limits
from infra.impl.repository.sql.conversation.repository import SqlConversationStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.model.call import SqlModelCallLedger
from tests.support.conversation.harness import (
    USAGE,
    Process,
    ScriptedAgents,
    answers,
    model_call,
    principal,
    question,
    say,
)

NOW = datetime(2030, 5, 1, tzinfo=UTC)
SCOPE = TenantScope(UserId(1), frozenset({SpaceId(10)}))
FOREIGN = TenantScope(UserId(1), frozenset({SpaceId(11)}))
COLLEAGUE = TenantScope(UserId(2), frozenset({SpaceId(10)}))


@pytest.fixture
def store(database: Database) -> ConversationStore:
    return SqlConversationStore(database)


def conversation(number: int = 100, *, key: str | None = None) -> Conversation:
    return Conversation.open(
        ConversationId(number),
        space_id=SpaceId(10),
        creator_id=UserId(1),
        now=NOW,
        connector_id=1024,
        agent_id=AgentId(20),
        key=key,
    )


def run(number: int, *, conversation_id: int = 100, until: datetime = NOW) -> Run:
    found = Run(
        id=RunId(number),
        space_id=SpaceId(10),
        conversation_id=ConversationId(conversation_id),
        section_id=SectionId(conversation_id),
        agent_id=AgentId(20),
        agent_version="1",
        creator_id=UserId(1),
        end_user_id="eve",
        connector_id=1024,
        question_id=None,
        created_at=NOW,
    ).accepted()
    found.claim("me", until=until, now=NOW)
    return found


def message(number: int, text: str, *, status: MessageStatus, run_id: int = 1) -> Message:
    return Message(
        id=MessageId(number),
        conversation_id=ConversationId(100),
        space_id=SpaceId(10),
        section_id=SectionId(100),
        run_id=RunId(run_id),
        agent_id=AgentId(20),
        seq=number,
        kind=MessageKind.ANSWER,
        parts=(TextPart(text=text),),
        status=status,
        created_at=NOW,
        updated_at=NOW,
    )


async def save(store: ConversationStore, *saved: Conversation | Run) -> None:
    async with store.transaction() as uow:
        for one in saved:
            if isinstance(one, Run):
                await uow.runs.save(SCOPE, one)
            else:
                await uow.conversations.save(SCOPE, one)
        await uow.commit()


async def test_what_was_saved_comes_back_equal(store: ConversationStore) -> None:
    await save(store, conversation(key="k"), run(1))

    async with store.snapshot() as uow:
        found = await uow.conversations.get(SCOPE, ConversationId(100))
        stored = await uow.runs.get(SCOPE, RunId(1))

    assert (found.key, found.next_seq, found.created_at, found.revision) == ("k", 1, NOW, 1)
    assert (stored.status, stored.lease_owner, stored.lease_until) == (
        RunStatus.IN_PROGRESS,
        "me",
        NOW,
    )


@pytest.mark.parametrize("scope", [FOREIGN, COLLEAGUE])
async def test_other_scopes_find_nothing(store: ConversationStore, scope: TenantScope) -> None:
    await save(store, conversation(key="k"), run(1))

    async with store.transaction() as uow:
        with pytest.raises(ConversationNotFound):
            await uow.conversations.get(scope, ConversationId(100))
        with pytest.raises(ConversationNotFound):
            await uow.conversations.lock(scope, ConversationId(100), seqs=1, now=NOW)
        with pytest.raises(RunNotFound):
            await uow.runs.get(scope, RunId(1))
        assert await uow.conversations.lock_key(scope, AgentId(20), "k", seqs=1, now=NOW) is None
        assert await uow.runs.unsettled(scope, ConversationId(100)) == []


async def test_locking_reserves_numbers_that_are_never_given_twice(
    store: ConversationStore,
) -> None:
    await save(store, conversation())

    async def take() -> int:
        async with store.transaction() as uow:
            found = await uow.conversations.lock(SCOPE, ConversationId(100), seqs=3, now=NOW)
            await uow.commit()
        return found.next_seq

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(take()) for _ in range(8)]

    assert sorted(task.result() for task in tasks) == list(range(1, 25, 3))


async def test_saving_does_not_take_reserved_numbers_back(store: ConversationStore) -> None:
    await save(store, conversation())
    async with store.transaction() as uow:
        found = await uow.conversations.get(SCOPE, ConversationId(100))
        await uow.conversations.reserve(SCOPE, ConversationId(100), seqs=5)
        found.rename("new", now=NOW)
        await uow.conversations.save(SCOPE, found)
        await uow.commit()

    async with store.snapshot() as uow:
        assert (await uow.conversations.get(SCOPE, ConversationId(100))).next_seq == 6


async def test_a_key_is_unique_until_its_conversation_is_deleted(
    store: ConversationStore,
) -> None:
    first = conversation(100, key="k")
    await save(store, first)
    with pytest.raises(StaleRevision):
        await save(store, conversation(101, key="k"))
    first.delete(now=NOW)
    await save(store, first)

    await save(store, conversation(102, key="k"))


async def test_a_conversation_has_one_active_run(store: ConversationStore) -> None:
    first = run(1)
    await save(store, first)
    with pytest.raises(ConversationBusy):
        await save(store, run(2))
    first.phase = RunPhase.FINISHING
    await save(store, first)

    await save(store, run(3))


async def test_the_second_of_two_transitions_is_refused(store: ConversationStore) -> None:
    await save(store, run(1))
    async with store.snapshot() as uow:
        one, other = await uow.runs.get(SCOPE, RunId(1)), await uow.runs.get(SCOPE, RunId(1))
    one.complete(now=NOW, usage=USAGE, finish_reason="stop")
    other.fail(RunError(code=5000), now=NOW)
    await save(store, one)

    with pytest.raises(StaleRevision):
        await save(store, other)


async def test_a_late_partial_never_overwrites_the_final_answer(store: ConversationStore) -> None:
    for text, status in (
        ("par", MessageStatus.STREAMING),
        ("partial", MessageStatus.STREAMING),
        ("final", MessageStatus.AVAILABLE),
        ("partial", MessageStatus.STREAMING),
    ):
        async with store.transaction() as uow:
            await uow.messages.put(SCOPE, [message(1, text, status=status)])
            await uow.commit()

    async with store.snapshot() as uow:
        (found,) = await uow.messages.of_run(SCOPE, RunId(1), {MessageKind.ANSWER})
    assert (found.text, found.status) == ("final", MessageStatus.AVAILABLE)


async def test_partial_answers_are_not_shown(store: ConversationStore) -> None:
    async with store.transaction() as uow:
        await uow.messages.put(SCOPE, [message(1, "p", status=MessageStatus.STREAMING)])
        assert await uow.messages.of_run(SCOPE, RunId(1), {MessageKind.ANSWER}) == []
        await uow.recovery.break_partials(RunId(1), now=NOW)
        (found,) = await uow.messages.of_run(SCOPE, RunId(1), {MessageKind.ANSWER})

    assert found.status is MessageStatus.BROKEN


async def test_runs_are_held_as_they_are_while_something_of_theirs_is_written(
    store: ConversationStore,
) -> None:
    active, over = run(1), run(2, conversation_id=101)
    await save(store, active, over)
    over.fail(RunError(code=5000), now=NOW)
    await save(store, over)

    async with store.transaction() as uow:
        held = await uow.recovery.hold([RunId(1), RunId(2), RunId(9)], waits=True)

    assert held == {RunId(1): None, RunId(2): NOW}


async def test_leases_are_renewed_by_their_owner_only(store: ConversationStore) -> None:
    await save(store, run(1), run(2, conversation_id=101))
    later = NOW + timedelta(seconds=30)
    async with store.transaction() as uow:
        assert await uow.recovery.renew("other", [RunId(1)], until=later) == set()
        assert await uow.recovery.renew("me", [RunId(1), RunId(9)], until=later) == {RunId(1)}
        await uow.commit()

    async with store.transaction() as uow:
        expired = await uow.recovery.expired(now=NOW + timedelta(seconds=1), limit=10)
        abandoned = await uow.recovery.abandoned("other", limit=10)

    assert [found.id for found in expired] == [2]
    assert [found.id for found in abandoned] == [1, 2]


async def test_the_event_log_is_read_from_any_number(store: ConversationStore) -> None:
    batches = [
        EventBatch(
            run_id=RunId(1), space_id=SpaceId(10), first_seq=a, last_seq=b, payload=bytes([a])
        )
        for a, b in ((1, 3), (4, 9))
    ]
    async with store.transaction() as uow:
        await uow.events.append(batches, now=NOW)
        await uow.events.append(batches, now=NOW)
        assert await uow.events.read(SCOPE, RunId(1), after=0, limit=9) == batches
        assert await uow.events.read(SCOPE, RunId(1), after=3, limit=9) == batches[1:]
        assert await uow.events.read(SCOPE, RunId(1), after=0, limit=1) == batches[:1]
        assert await uow.events.read(FOREIGN, RunId(1), after=0, limit=9) == []
        assert await uow.recovery.purge_events(before=NOW + timedelta(1), limit=10) == 2
        assert await uow.events.read(SCOPE, RunId(1), after=0, limit=9) == []


ACCOUNT = Account(
    origin=Origin(source="mcp", token_id=4, share_link_id=5),
    app_id=6,
    agent_id=7,
    version="v1",
    workflow_id=8,
    dataset_id=9,
    member_id=10,
    end_user_id="somebody",
)


async def test_a_model_call_that_is_there_is_not_written_again(store: ConversationStore) -> None:
    first, second = model_call(), model_call("canceled")
    for calls in ([(1, first)], [(1, first), (3, second)], []):
        async with store.transaction() as uow:
            await uow.model_calls.put(SpaceId(10), RunId(1), calls, ACCOUNT)
            await uow.commit()

    async with store.snapshot() as uow:
        assert isinstance(uow.model_calls, SqlModelCallLedger)
        assert await uow.model_calls.of_run(SpaceId(10), RunId(1)) == [
            msgspec.structs.replace(each, cost=f"{0:.8f}") for each in (first, second)
        ]
        assert await uow.model_calls.last(SpaceId(10), RunId(1)) == (3, ACCOUNT)
        assert await uow.model_calls.last(SpaceId(11), RunId(1)) == (0, None)


async def add_request(store: ConversationStore, request: AcceptedRequest) -> None:
    async with store.transaction() as uow:
        await uow.requests.add(SCOPE, request)
        await uow.commit()


async def test_an_idempotency_key_is_taken_once_and_forgotten_in_time(
    store: ConversationStore,
) -> None:
    request = AcceptedRequest(
        space_id=SpaceId(10), key="k", digest="d", run_id=RunId(1), created_at=NOW
    )
    await add_request(store, request)
    async with store.transaction() as uow:
        assert await uow.requests.find(SCOPE, "k", since=NOW) == request
        assert await uow.requests.find(COLLEAGUE, "k", since=NOW) is None
    with pytest.raises(StaleRevision):
        await add_request(store, request)
    async with store.transaction() as uow:
        assert await uow.requests.find(SCOPE, "k", since=NOW + timedelta(1)) is None
        await uow.requests.add(SCOPE, request)
        assert await uow.recovery.purge_requests(before=NOW + timedelta(1), limit=10) == 1


async def test_purging_removes_content_but_keeps_the_account(store: ConversationStore) -> None:
    gone = conversation()
    gone.delete(now=NOW)
    ended = run(1)
    ended.complete(now=NOW, usage=USAGE, finish_reason="stop")
    await save(store, gone, ended, conversation(101))
    async with store.transaction() as uow:
        await uow.messages.add(SCOPE, [message(1, "secret", status=MessageStatus.AVAILABLE)])
        assert await uow.recovery.purge_conversations(before=NOW, limit=10) == 0
        assert await uow.recovery.purge_conversations(before=NOW + timedelta(1), limit=10) == 1
        assert await uow.recovery.purge_conversations(before=NOW + timedelta(1), limit=10) == 0
        await uow.commit()

    async with store.snapshot() as uow:
        assert await uow.messages.of_run(SCOPE, RunId(1), set(MessageKind)) == []
        assert (await uow.runs.get(SCOPE, RunId(1))).usage == USAGE
        assert (await uow.conversations.get(SCOPE, ConversationId(101))).id == 101


async def test_history_reads_no_more_than_it_needs(store: ConversationStore) -> None:
    process_messages = []
    for number in range(1, 201):
        one = message(number, str(number), status=MessageStatus.AVAILABLE)
        one.run_id = None
        one.kind = MessageKind.QUESTION if number % 2 else MessageKind.ANSWER
        process_messages.append(one)
    async with store.transaction() as uow:
        await uow.messages.add(SCOPE, process_messages)
        past = await uow.messages.history(
            SCOPE, ConversationId(100), SectionId(100), before_seq=191, rounds=5
        )

    assert past[-1].message.text == "190"
    assert 10 <= len(past) <= 2 * (5 + 33)
    assert [entry.message.seq for entry in past] == sorted(entry.message.seq for entry in past)


async def test_history_reaches_over_rounds_that_do_not_count(store: ConversationStore) -> None:
    said = []
    for number in range(1, 5):
        one = message(number, str(number), status=MessageStatus.AVAILABLE)
        one.run_id = None
        one.kind = MessageKind.QUESTION if number % 2 else MessageKind.ANSWER
        said.append(one)
    lost = []
    for number in range(5, 15):
        failed = run(number)
        failed.fail(RunError(code=5000), now=NOW)
        asked = message(number, "?", status=MessageStatus.AVAILABLE, run_id=number)
        asked.kind = MessageKind.QUESTION
        said.append(asked)
        lost.append(failed)
    await save(store, *lost)
    async with store.transaction() as uow:
        await uow.messages.add(SCOPE, said)
        past = await uow.messages.history(
            SCOPE, ConversationId(100), SectionId(100), before_seq=99, rounds=2
        )

    rounds = build_rounds(past, limit=2)
    assert [[each.text for each in one.messages] for one in rounds] == [["1", "2"], ["3", "4"]]
    assert count_rounds(past) == 2


@asynccontextmanager
async def two_processes(
    database: Database, agents: ScriptedAgents, limits: Limits
) -> AsyncGenerator[tuple[Process, Process], None]:
    one = Process(database, agents, limits=limits, owner="one", is_alone=False)
    other = Process(database, agents, limits=limits, owner="other", is_alone=False, node=1)
    async with one.running(), other.running():
        yield one, other


async def test_a_run_is_followed_and_cancelled_from_another_process(database: Database) -> None:
    said = asyncio.Event()

    async def hold(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await say(emit, "so far", complete=False)
        said.set()
        await asyncio.Event().wait()
        return AgentOutcome(finish_reason=FinishReason.STOP, usage=USAGE)

    who = principal()
    limits = Limits(cancel_poll_s=0.05)
    async with two_processes(database, ScriptedAgents(hold), limits) as (one, other):
        run_view = await one.runs.start(who, question("hi"))
        await said.wait()
        async with asyncio.TaskGroup() as group:
            following = group.create_task(other.events(who, run_view.id))
            with pytest.raises(ConversationBusy):
                await other.ask(who, "more", conversation_id=run_view.conversation_id)
            canceled = await other.runs.cancel(who, run_view.id)

    assert canceled.status is RunStatus.CANCELED
    assert isinstance(following.result()[-1].event, RunCanceled)


async def test_a_waiting_run_goes_on_in_any_process_once_and_in_time(database: Database) -> None:
    call = ToolCall(id="c", name="look", arguments="{}")
    turns: list[AgentTurn] = []

    async def look(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        turns.append(turn)
        asked = OpenQuestion(workflow_run_id=0, question_id="", kind=1, state="s", calls=(call,))
        return AgentOutcome(
            finish_reason=FinishReason.STOP, usage=USAGE, question=None if turn.outputs else asked
        )

    def submitted(run: RunView) -> SubmitOutputs:
        return SubmitOutputs(
            run_id=run.id, conversation_id=run.conversation_id, outputs=(("c", "seen"),)
        )

    who = principal()
    limits = Limits(action_wait_s=0)
    async with two_processes(database, ScriptedAgents(look), limits) as (one, other):
        started = await one.runs.start(who, question("hi"))
        waiting = await one.runs.wait(who, started.id)
        assert waiting.status is RunStatus.REQUIRES_ACTION
        resumed = await other.runs.submit(who, submitted(waiting))
        assert resumed.status is RunStatus.IN_PROGRESS
        ended = await other.runs.wait(who, waiting.id)
        assert (ended.status, ended.usage) == (RunStatus.COMPLETED, USAGE + USAGE)
        assert (await one.runs.get(who, waiting.id)).status is RunStatus.COMPLETED
        with pytest.raises(RunNotWaiting):
            await one.runs.submit(who, submitted(waiting))
        started = await one.runs.start(
            who, question("more", conversation_id=waiting.conversation_id)
        )
        late = await one.runs.wait(who, started.id)
        assert await other.recovery.recover_expired() == 1
        with pytest.raises(RunNotWaiting):
            await one.runs.submit(who, submitted(late))
        failed = await other.runs.get(who, late.id)
    assert failed.error.slug == "interrupt_expired"
    assert [dict(turn.outputs) for turn in turns] == [{}, {"c": "seen"}, {}]
    assert turns[1].question == turns[0].question


async def test_a_run_that_lost_its_lease_stops_and_changes_nothing(database: Database) -> None:
    async def hold(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await asyncio.Event().wait()
        return AgentOutcome(finish_reason=FinishReason.STOP, usage=USAGE)

    who = principal()
    limits = Limits(run_lease_s=0.01)
    async with two_processes(database, ScriptedAgents(hold), limits) as (one, other):
        run_view = await one.runs.start(who, question("hi"))
        await asyncio.sleep(0.02)
        assert await other.recovery.recover_expired() == 1
        await one.leases.renew()
        records = await one.events(who, run_view.id)

    end = records[-1].event
    assert isinstance(end, RunFailed)
    assert end.run.error.slug == "run_interrupted"


async def test_two_processes_start_one_run_in_a_conversation(database: Database) -> None:
    gate = asyncio.Event()

    async def hold(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await gate.wait()
        return AgentOutcome(finish_reason=FinishReason.STOP, usage=USAGE)

    who = principal()
    async with two_processes(database, ScriptedAgents(hold), Limits()) as processes:
        created = await processes[0].conversations.create(who, CreateConversation(agent_id=20))

        async def attempt(process: Process) -> int:
            try:
                await process.runs.start(who, question("x", conversation_id=created.id))
            except ConversationBusy:
                return 0
            return 1

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(attempt(p)) for p in processes * 3]
        gate.set()

    assert sum(task.result() for task in tasks) == 1


async def test_chat_works_on_every_database(database: Database) -> None:
    who = principal()
    async with Process(database, ScriptedAgents()).running() as process:
        first = await process.ask(who, "one", conversation_key="c", idempotency_key="k")
        second = await process.ask(who, "two", conversation_key="c")

    assert answers(first) == ["You said: one"]
    assert answers(second) == ["You said: two"]
    assert len(process.agents.turns[1].history) == 1


async def test_an_answer_that_cannot_be_stored_is_no_success(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = principal()
    async with Process(database, ScriptedAgents()).running() as process:

        async def fail(*_: object) -> None:
            raise Unavailable("The disk is full.")

        monkeypatch.setattr("application.conversation.run.storage.RunStorage._write", fail)
        records = await process.ask(who, "hi")
        monkeypatch.undo()
        stored = await process.runs._replay._state(who.scope, RunId(records[-1].event.run.id))  # type: ignore[union-attr]

    end = records[-1].event
    assert isinstance(end, RunFailed)
    assert end.run.error.code == 5002
    assert answers(records) == []
    assert stored[0].status is RunStatus.IN_PROGRESS
