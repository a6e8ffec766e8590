"""Runs end to end: what followers see, what is stored, what it cost."""

import asyncio
from contextlib import aclosing
from typing import Any

import msgspec
import pytest

from application.conversation.dto import CreateConversation
from application.conversation.run.event import (
    MessageCompleted,
    MessageDelta,
    RunCompleted,
    RunFailed,
    VariablesUpdated,
)
from crossdomain.agent.contract import (
    AgentOutcome,
    AgentTurn,
    AnswerCompleted,
    AnswerDelta,
    AnswerReplaced,
    AnswerStarted,
    EmitAgentEvent,
)
from domain.conversation.error import ConversationNotFound, NothingToAnswer, RunNotFound
from domain.conversation.value import MessageKind, RunStatus, Scene
from domain.shared.access import Principal, Role
from domain.shared.call import CallContext
from domain.shared.chat import FinishReason
from domain.shared.error import Forbidden, InvalidRequest, NotFound, RateLimited
from domain.shared.limits import Limits
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from infra.impl.repository.sql.engine.database import Database
from tests.support.conversation.harness import (
    USAGE,
    Process,
    ScriptedAgents,
    answers,
    echo,
    model_call,
    names,
    principal,
    question,
    say,
    text_message,
)

DONE = AgentOutcome(finish_reason=FinishReason.STOP, usage=USAGE)


async def test_a_run_streams_its_answer_and_ends(process: Process, who: Principal) -> None:
    run = await process.runs.start(who, question("hi"))
    records = await process.events(who, run.id)

    assert run.status is RunStatus.IN_PROGRESS
    assert names(records) == [
        "RunCreated",
        "RunStarted",
        "MessageStarted",
        "MessageCompleted",
        "MessageCompleted",
        "RunCompleted",
    ]
    assert [record.seq for record in records] == list(range(1, len(records) + 1))
    deltas = [r.event.text for r in records if isinstance(r.event, MessageDelta)]
    assert "".join(deltas) == answers(records)[0] == "You said: hi"


async def test_the_end_tells_status_and_usage(process: Process, who: Principal) -> None:
    records = await process.ask(who, "hi")

    end = records[-1].event
    assert isinstance(end, RunCompleted)
    assert (end.run.status, end.run.usage.total_tokens) == (RunStatus.COMPLETED, 7)
    assert await process.runs.get(who, end.run.id) == end.run
    assert await process.runs.wait(who, end.run.id) == end.run


async def test_what_was_said_is_stored_in_order(process: Process, who: Principal) -> None:
    records = await process.ask(who, "hi")

    assert isinstance(records[-1].event, RunCompleted)
    shown = await process.shown(who, records[-1].event.run.conversation_id)

    assert [(m.kind, m.text) for m in shown[:2]] == [
        (MessageKind.QUESTION, "hi"),
        (MessageKind.ANSWER, "You said: hi"),
    ]
    assert shown[2].kind is MessageKind.VERBOSE
    assert "generate_answer_finish" in shown[2].text


async def test_a_run_lists_what_it_produced_but_not_its_question(
    process: Process, who: Principal
) -> None:
    run = await process.runs.start(
        who,
        msgspec.structs.replace(
            question("hi"),
            messages=(
                text_message("a", role="user"),
                text_message("b", role="assistant"),
                text_message("hi"),
            ),
        ),
    )
    await process.runs.wait(who, run.id)

    produced = await process.runs.messages(who, run.id, conversation_id=run.conversation_id)

    assert [m.kind for m in produced] == [MessageKind.ANSWER, MessageKind.VERBOSE]
    assert [m.text for m in await process.runs.answers(who, run.id)] == ["You said: hi"]
    assert len(run.inserted_message_ids) == 2


async def test_the_next_run_sees_the_round_before(process: Process, who: Principal) -> None:
    records = await process.ask(who, "one")
    assert isinstance(records[-1].event, RunCompleted)

    await process.ask(who, "two", conversation_id=records[-1].event.run.conversation_id)

    (round_,) = process.agents.turns[1].history
    assert [(m.role, m.text) for m in round_.messages] == [
        ("user", "one"),
        ("assistant", "You said: one"),
    ]


async def test_context_messages_are_history_of_the_same_run(
    process: Process, who: Principal
) -> None:
    await process.ask(
        who,
        "",
        messages=(
            text_message("a"),
            text_message("b", role="assistant"),
            text_message(" "),
            text_message("c"),
        ),
    )

    (turn,) = process.agents.turns
    assert [[m.text for m in r.messages] for r in turn.history] == [["a", "b"]]


async def test_a_new_section_hides_what_came_before(process: Process, who: Principal) -> None:
    records = await process.ask(who, "one")
    assert isinstance(records[-1].event, RunCompleted)
    conversation_id = records[-1].event.run.conversation_id

    section = await process.conversations.clear(who, conversation_id)
    await process.ask(who, "two", conversation_id=conversation_id)

    assert process.agents.turns[1].history == ()
    shown = await process.shown(who, conversation_id)
    assert [m.text for m in shown if m.kind is MessageKind.QUESTION] == ["one", "two"]
    assert shown[-1].section_id == section.id


async def test_without_a_question_the_newest_open_one_is_answered(
    process: Process, who: Principal
) -> None:
    conversation = await process.conversations.create(
        who, CreateConversation(agent_id=20, messages=(text_message("open"),))
    )

    records = await process.ask(who, "", messages=(), conversation_id=conversation.id)

    assert answers(records) == ["You said: open"]
    with pytest.raises(NothingToAnswer):
        await process.ask(who, "", messages=(), conversation_id=conversation.id)
    with pytest.raises(NothingToAnswer):
        await process.ask(who, "", messages=(text_message("x", role="assistant"),))


async def test_unsaved_runs_leave_nothing_behind(process: Process, who: Principal) -> None:
    run = await process.runs.start(who, question("hi", save_history=False))
    result = await process.runs.collect(who, run.id)

    assert [m.text for m in result.answers] == ["You said: hi"]
    assert result.run.usage.total_tokens == 7
    with pytest.raises(ConversationNotFound):
        await process.conversations.get(who, run.conversation_id)
    assert await process.runs.messages(who, run.id) == ()


async def test_an_unsaved_run_in_a_conversation_reads_but_does_not_write(
    process: Process, who: Principal
) -> None:
    first = await process.runs.start(who, question("one"))
    await process.runs.wait(who, first.id)
    conversation_id = first.conversation_id

    await process.ask(who, "two", conversation_id=conversation_id, save_history=False)

    assert len(process.agents.turns[1].history) == 1
    assert len(await process.shown(who, conversation_id)) == 3


async def test_a_model_failure_keeps_the_partial_answer(process: Process, who: Principal) -> None:
    async def fail(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await say(emit, "part", complete=False)
        context.record_call(model_call("failed"))
        raise ModelCallFailed("The provider broke off.", failure=ModelFailure.INTERRUPTED)

    process.agents.script = fail
    records = await process.ask(who, "hi")

    end = records[-1].event
    assert isinstance(end, RunFailed)
    assert (end.run.error.code, end.run.error.slug) == (5001, "model_call_failed")
    partial = records[-2].event
    assert isinstance(partial, MessageCompleted)
    assert partial.message.is_broken
    shown = await process.shown(who, end.run.conversation_id)
    assert [(m.text, m.is_broken) for m in shown] == [("hi", False), ("part", True)]
    assert end.run.usage.total_tokens == 7


async def test_a_failed_round_is_no_context(process: Process, who: Principal) -> None:
    async def fail(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        raise ModelCallFailed("No.", failure=ModelFailure.AUTH)

    process.agents.script = fail
    records = await process.ask(who, "one")
    assert isinstance(records[-1].event, RunFailed)
    process.agents.script = echo

    await process.ask(who, "two", conversation_id=records[-1].event.run.conversation_id)

    assert process.agents.turns[1].history == ()


async def test_a_defect_fails_the_run_without_telling_details(
    process: Process, who: Principal
) -> None:
    async def crash(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        raise KeyError("secret")

    process.agents.script = crash
    records = await process.ask(who, "hi")

    end = records[-1].event
    assert isinstance(end, RunFailed)
    assert end.run.error.code == 5000
    assert "secret" not in end.run.error.message


async def test_several_answers_are_kept_and_marked_once(process: Process, who: Principal) -> None:
    async def two(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await say(emit, "let me see", is_interim=True)
        await say(emit, "done")
        return DONE

    process.agents.script = two
    records = await process.ask(who, "hi")

    assert answers(records) == ["let me see", "done"]
    assert names(records).count("MessageCompleted") == 3


async def test_an_empty_answer_is_no_message(process: Process, who: Principal) -> None:
    async def nothing(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        return DONE

    process.agents.script = nothing
    records = await process.ask(who, "hi")

    assert answers(records) == []
    assert isinstance(records[-1].event, RunCompleted)


async def test_a_replaced_answer_is_stored_as_replaced(process: Process, who: Principal) -> None:
    async def think(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await emit(AnswerStarted())
        await emit(AnswerDelta(text="hm"))
        await emit(AnswerReplaced(text="", reasoning="hm"))
        await emit(AnswerDelta(text="42"))
        await emit(AnswerCompleted(text="42", reasoning="hm", finish_reason=FinishReason.STOP))
        return DONE

    process.agents.script = think
    run = await process.runs.start(who, question("hi"))
    await process.runs.wait(who, run.id)

    (answer,) = await process.runs.answers(who, run.id)
    assert (answer.text, answer.reasoning) == ("42", "hm")


async def test_a_last_answer_is_stored_and_announced_with_the_end(
    process: Process, who: Principal
) -> None:
    async def last(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await say(emit, "for", "ever", is_last=True)
        return DONE

    process.agents.script = last
    records = await process.ask(who, "hi")

    assert names(records)[-3:] == ["MessageCompleted", "MessageCompleted", "RunCompleted"]
    assert answers(records) == ["forever"]
    run = records[-1].event.run  # type: ignore[union-attr]
    (answer,) = await process.runs.answers(who, run.id)
    assert (answer.text, answer.finish_reason, answer.is_broken) == ("forever", "stop", False)


async def test_a_last_answer_whose_turn_fails_after_it_is_kept_as_broken(
    process: Process, who: Principal
) -> None:
    async def last(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await say(emit, "forever", is_last=True)
        raise ZeroDivisionError

    process.agents.script = last
    records = await process.ask(who, "hi")

    assert isinstance(records[-1].event, RunFailed)
    (answer,) = await process.runs.answers(who, records[-1].event.run.id)
    assert (answer.text, answer.is_broken) == ("forever", True)


async def test_more_answers_than_reserved_numbers_keep_their_order(
    process: Process, who: Principal
) -> None:
    async def many(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        for number in range(40):
            await say(emit, str(number), is_interim=number < 39)
        return DONE

    process.agents.script = many
    run = await process.runs.start(who, question("hi"))
    await process.runs.wait(who, run.id)

    stored = await process.runs.answers(who, run.id)
    assert [m.text for m in stored] == [str(number) for number in range(40)]


async def test_runs_are_counted(process: Process, who: Principal) -> None:
    async def call(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        assert "run_active 1" in process.metrics.render().decode()
        await say(emit, "hello")
        return DONE

    process.agents.script = call
    await process.ask(who, "hi")
    await process.registry.drain(1.0)

    text = process.metrics.render().decode()
    assert 'run_total{status="completed",surface="coze"} 1' in text
    assert 'run_phase_seconds_count{phase="generating"} 1' in text
    assert "run_active 0" in text


async def test_the_ledger_adds_up_to_the_runs_usage(process: Process, who: Principal) -> None:
    async def retry(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        context.record_call(model_call("failed"))
        context.record_call(model_call())
        await say(emit, "ok")
        return DONE

    process.agents.script = retry
    run = await process.runs.start(who, question("hi"))
    final = await process.runs.wait(who, run.id)

    async with process.store.snapshot() as uow:
        calls = await uow.model_calls.of_run(process.agents.space_id, run.id)  # type: ignore[arg-type]
    assert [call.outcome for call in calls] == ["failed", "ok"]
    assert sum(call.usage.total_tokens for call in calls) == final.usage.total_tokens == 14


async def test_a_key_names_one_conversation_with_its_variables(
    process: Process, who: Principal
) -> None:
    first = await process.ask(who, "one", conversation_key="c1", variables={"a": "1"})
    second = await process.ask(who, "two", conversation_key="c1", variables={"b": "2"})
    other = await process.ask(principal(2), "three", conversation_key="c1")

    ends = [records[-1].event for records in (first, second, other)]
    assert all(isinstance(end, RunCompleted) for end in ends)
    ids = [end.run.conversation_id for end in ends if isinstance(end, RunCompleted)]
    assert ids[0] == ids[1] != ids[2]
    assert process.agents.turns[1].variables == {"a": "1", "b": "2"}
    updates = [r.event.values for r in second if isinstance(r.event, VariablesUpdated)]
    assert updates == [{"a": "1", "b": "2"}]


async def test_nobody_else_sees_a_run_or_its_conversation(process: Process, who: Principal) -> None:
    run = await process.runs.start(who, question("hi"))
    colleague = principal(2)

    with pytest.raises(RunNotFound):
        await process.runs.get(colleague, run.id)
    with pytest.raises(RunNotFound):
        await process.events(colleague, run.id)
    with pytest.raises(RunNotFound):
        await process.runs.cancel(colleague, run.id)
    with pytest.raises(ConversationNotFound):
        await process.ask(colleague, "hi", conversation_id=run.conversation_id)
    with pytest.raises(RunNotFound):
        await process.runs.get(who, run.id, conversation_id=run.conversation_id + 1)


async def test_a_token_fixed_to_a_person_sees_only_that_persons_runs(
    process: Process, who: Principal
) -> None:
    adams = principal(end_user_id="adam")
    run = await process.runs.start(adams, question("hi"))
    await process.runs.wait(adams, run.id)

    with pytest.raises(RunNotFound):
        await process.runs.get(principal(end_user_id="eve"), run.id)
    assert (await process.conversations.get(adams, run.conversation_id)).end_user_id == "adam"
    assert (await process.runs.get(who, run.id)).id == run.id


async def test_limits_and_permissions_are_checked_before_anything_is_stored(
    process: Process, who: Principal
) -> None:
    too_many = {str(number): "x" for number in range(17)}
    with pytest.raises(InvalidRequest):
        await process.runs.start(who, question("hi", meta=too_many))
    with pytest.raises(InvalidRequest):
        await process.runs.start(who, question("hi", messages=(text_message("x"),) * 101))
    with pytest.raises(NotFound):
        await process.runs.start(who, question("hi", agent_id=21))
    with pytest.raises(Forbidden):
        await process.runs.start(principal(role=Role.VIEWER), question("hi", use_draft=True))
    assert process.registry.size == 0


@pytest.mark.parametrize(
    "kept_by_client", [{"scene": Scene.OPENAI}, {"scene": Scene.EPHEMERAL, "save_history": False}]
)
async def test_clients_that_keep_the_history_bring_more_of_it(
    process: Process, who: Principal, kept_by_client: dict[str, Any]
) -> None:
    history = (text_message("x"),) * process.limits.additional_messages
    request = msgspec.structs.replace(
        question("hi", messages=(*history, text_message("last"))), **kept_by_client
    )

    run = await process.runs.start(who, request)

    assert (await process.runs.wait(who, run.id)).status is RunStatus.COMPLETED


async def test_a_space_has_only_so_many_runs_at_once(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal
) -> None:
    gate = asyncio.Event()

    async def hold(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await gate.wait()
        return DONE

    agents.script = hold
    async with Process(
        sqlite_database, agents, limits=Limits(runs_per_space=1, run_wait_s=0.01)
    ).running() as p:
        await p.runs.start(who, question("one"))
        with pytest.raises(RateLimited):
            await p.runs.start(who, question("two"))
        gate.set()


async def test_an_end_user_whom_a_token_is_fixed_to_begins_only_so_many_runs(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal
) -> None:
    limits = Limits(end_user_runs_per_min=2)
    visitor, another = principal(end_user_id="adam"), principal(end_user_id="eve")
    async with Process(sqlite_database, agents, limits=limits).running() as p:
        for each in (visitor, another, visitor, *(who for _ in range(5))):
            run = await p.runs.start(each, question("hi"))
            await p.runs.wait(each, run.id)

        with pytest.raises(RateLimited) as refused:
            await p.runs.start(visitor, question("again"))
        await p.runs.start(another, question("hi"))

    assert refused.value.context["limit"] == "end_user_runs_per_min"
    assert refused.value.retry_after_s


async def test_an_end_user_whom_a_token_is_fixed_to_has_only_so_many_runs_at_once(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal
) -> None:
    gate = asyncio.Event()

    async def hold(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await gate.wait()
        return DONE

    agents.script = hold
    visitor, another = principal(end_user_id="adam"), principal(end_user_id="eve")
    async with Process(sqlite_database, agents, limits=Limits(end_user_runs=2)).running() as p:
        first = await p.runs.start(visitor, question("one"))
        await p.runs.start(visitor, question("two"))
        with pytest.raises(RateLimited) as refused:
            await p.runs.start(visitor, question("three"))
        for each in (another, who, who, who):
            await p.runs.start(each, question("me too"))
        gate.set()
        await p.runs.wait(visitor, first.id)
        live = p.registry.find(first.id)
        assert live is not None
        await live.ended.wait()
        await p.runs.start(visitor, question("three"))

    assert refused.value.context["limit"] == "end_user_runs"
    assert refused.value.retry_after_s


async def test_a_run_waits_for_room_and_begins_when_another_ends(
    sqlite_database: Database, agents: ScriptedAgents, who: Principal
) -> None:
    gate = asyncio.Event()

    async def hold(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await gate.wait()
        return DONE

    agents.script = hold
    limits = Limits(runs_per_process=1, run_wait_s=60)
    async with Process(sqlite_database, agents, limits=limits).running() as p:
        first = await p.runs.start(who, question("one"))
        second = asyncio.ensure_future(p.runs.start(who, question("two")))
        await asyncio.sleep(0.05)
        assert not second.done()
        gate.set()
        assert (await p.runs.wait(who, first.id)).status is RunStatus.COMPLETED
        assert (await p.runs.wait(who, (await second).id)).status is RunStatus.COMPLETED


async def test_a_late_follower_gets_the_rest_from_the_log(process: Process, who: Principal) -> None:
    records = await process.ask(who, "hi")
    run_id = records[-1].event.run.id  # type: ignore[union-attr]
    await process.writer.write_due()
    process.registry._ended.clear()

    again = await process.events(who, run_id)
    rest = await process.events(who, run_id, after=3)

    assert answers(again) == ["You said: hi"]
    assert again[-1] == records[-1]
    assert [r.seq for r in rest][-1] == records[-1].seq
    assert all(r.seq > 3 for r in rest)


async def test_without_a_log_the_rows_tell_how_it_ended(process: Process, who: Principal) -> None:
    records = await process.ask(who, "hi")
    run_id = records[-1].event.run.id  # type: ignore[union-attr]
    process.writer._sources.clear()
    process.registry._ended.clear()

    again = await process.events(who, run_id)

    assert names(again)[:2] == ["RunCreated", "RunStarted"]
    assert answers(again) == ["You said: hi"]
    assert isinstance(again[-1].event, RunCompleted)


async def test_a_follower_that_leaves_changes_nothing(process: Process, who: Principal) -> None:
    run = await process.runs.start(who, question("hi"))
    async with aclosing(process.runs.follow(who, run.id)) as batches:
        async for _ in batches:
            break

    assert (await process.runs.wait(who, run.id)).status is RunStatus.COMPLETED
