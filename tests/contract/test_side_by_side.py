"""Two processes on one PostgreSQL database that want the same at the same time."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack

import pytest

from application.conversation.dto import RunView
from crossdomain.agent.contract import AgentOutcome, AgentTurn, EmitAgentEvent
from domain.conversation.error import ConversationBusy
from domain.conversation.value import RunStatus
from domain.shared.access import Principal
from domain.shared.call import CallContext
from domain.shared.error import AppError
from domain.shared.limits import Limits
from infra.impl.repository.sql.engine.database import Database
from infra.impl.signal.local import LocalSignals
from tests.support.conversation.harness import (
    Process,
    ScriptedAgents,
    answers,
    echo,
    principal,
    question,
    say,
)

LIMITS = Limits(cancel_poll_s=0.05)
AT_ONCE = 6


@pytest.fixture
def who() -> Principal:
    return principal()


@pytest.fixture
def agents() -> ScriptedAgents:
    return ScriptedAgents()


@pytest.fixture
async def pair(
    postgres_url: str, agents: ScriptedAgents
) -> AsyncGenerator[tuple[Process, Process], None]:
    """Two processes, each with a pool of its own, which hear no signals of each other."""
    async with AsyncExitStack() as stack:
        found = []
        for number in range(2):
            database = Database(postgres_url)
            await database.start()
            stack.push_async_callback(database.aclose)
            process = Process(
                database, agents, limits=LIMITS, owner=f"p{number}", is_alone=False, node=number
            )
            found.append(await stack.enter_async_context(process.running()))
        yield found[0], found[1]


async def started(pair: tuple[Process, Process], who: Principal, **fields: object) -> list[object]:
    """Start the same from both processes, several times at once."""
    return await asyncio.gather(
        *(each.runs.start(who, question("hi", **fields)) for each in pair * AT_ONCE),
        return_exceptions=True,
    )


async def test_one_key_is_one_run(
    pair: tuple[Process, Process], agents: ScriptedAgents, who: Principal
) -> None:
    views = await started(pair, who, idempotency_key="k")

    assert len({view.id for view in views if isinstance(view, RunView)}) == 1
    assert not [view for view in views if not isinstance(view, RunView)]
    assert len(agents.turns) == 1


async def test_a_conversation_has_one_run_at_a_time(
    pair: tuple[Process, Process], agents: ScriptedAgents, who: Principal
) -> None:
    first = await pair[0].runs.start(who, question("hello"))
    await pair[0].runs.wait(who, first.id)
    release = asyncio.Event()

    async def hold(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await release.wait()
        return await echo(context, turn, emit)

    agents.script = hold
    results = await started(pair, who, conversation_id=first.conversation_id)
    release.set()
    won = [each for each in results if isinstance(each, RunView)]
    refused = [each for each in results if not isinstance(each, RunView)]

    assert len(won) == 1
    assert all(isinstance(each, ConversationBusy) for each in refused), refused
    assert answers(await pair[1].events(who, won[0].id)) == ["You said: hi"]


async def test_a_key_of_a_conversation_is_one_conversation(
    pair: tuple[Process, Process], who: Principal
) -> None:
    results = await started(pair, who, conversation_key="thread")
    views = [each for each in results if isinstance(each, RunView)]

    assert len({view.conversation_id for view in views}) == 1
    assert all(isinstance(each, RunView | AppError) for each in results), results


async def test_the_other_process_follows_and_cancels(
    pair: tuple[Process, Process], agents: ScriptedAgents, who: Principal
) -> None:
    begun = asyncio.Event()

    async def endless(context: CallContext, turn: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
        await say(emit, "so ", "far", complete=False)
        begun.set()
        return await asyncio.Future()

    agents.script = endless
    owner, other = pair
    run = await owner.runs.start(who, question("hi"))
    await begun.wait()
    events = asyncio.ensure_future(other.events(who, run.id))
    ended = await other.runs.cancel(who, run.id)

    assert ended.status is RunStatus.CANCELED
    assert [record.seq for record in await events] == list(range(1, len(await events) + 1))
    assert (await owner.runs.get(who, run.id)).status is RunStatus.CANCELED


async def test_a_signal_is_as_good_as_a_look(
    postgres_url: str, agents: ScriptedAgents, who: Principal
) -> None:
    """With one line for both, nobody needs to look at the database: looking is too rare here."""
    wire = LocalSignals()
    rarely = Limits(cancel_poll_s=300.0)
    async with AsyncExitStack() as stack:
        found = []
        for number in range(2):
            database = Database(postgres_url)
            await database.start()
            stack.push_async_callback(database.aclose)
            found.append(
                Process(
                    database,
                    agents,
                    limits=rarely,
                    owner=f"p{number}",
                    is_alone=False,
                    node=number,
                    signals=wire,
                )
            )
        await wire.start()
        stack.push_async_callback(wire.aclose)
        for process in found:
            await stack.enter_async_context(process.running())

        async def endless(_: CallContext, __: AgentTurn, emit: EmitAgentEvent) -> AgentOutcome:
            await say(emit, "so far", complete=False)
            return await asyncio.Future()

        agents.script = endless
        run = await found[0].runs.start(who, question("hi"))
        await found[1].runs.cancel(who, run.id)

        assert (await found[1].runs.wait(who, run.id)).status is RunStatus.CANCELED
