"""Clocks that are wrong, or are set while work is under way."""

import asyncio
import re
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from crossdomain.agent.contract import AgentOutcome, AgentTurn, EmitAgentEvent
from domain.conversation.value import RunStatus
from domain.shared.access import Principal
from domain.shared.call import CallContext
from domain.shared.chat import FinishReason
from domain.shared.limits import Limits
from infra.impl.repository.sql.engine.database import Database
from tests.chaos.invariants import NO_SANDBOX
from tests.support.client.chat import Talk, answer_of
from tests.support.clock import ShiftedClock
from tests.support.conversation.harness import (
    USAGE,
    Process,
    ScriptedAgents,
    principal,
    question,
    say,
)
from tests.support.process.server import RunningServer, running_server
from tests.support.service.postgres import PostgresServer
from tests.support.wait import until_so
from tests.upstream.fixture import RunningUpstream

HOUR = timedelta(hours=1)
DONE = AgentOutcome(finish_reason=FinishReason.STOP, usage=USAGE)
SKEW = Path(__file__).parent / "skew"
WORDS = " ".join(f"word{number}" for number in range(30))


class Held:
    """An agent that answers when it is let go."""

    def __init__(self) -> None:
        self.began, self.may_go = asyncio.Event(), asyncio.Event()

    async def __call__(
        self, context: CallContext, turn: AgentTurn, emit: EmitAgentEvent
    ) -> AgentOutcome:
        self.began.set()
        await self.may_go.wait()
        await say(emit, "done")
        return DONE


@pytest.fixture
def held() -> Held:
    return Held()


@pytest.fixture
def agents(held: Held) -> ScriptedAgents:
    agents = ScriptedAgents()
    agents.script = held
    return agents


@pytest.fixture
def who() -> Principal:
    return principal()


@pytest.mark.parametrize("ahead", [HOUR, -HOUR])
async def test_a_run_goes_on_when_the_clock_is_set(
    sqlite_database: Database, agents: ScriptedAgents, held: Held, who: Principal, ahead: timedelta
) -> None:
    clock = ShiftedClock()
    async with Process(sqlite_database, agents, clock=clock).running() as process:
        run = await process.runs.start(who, question("hi"))
        await held.began.wait()

        clock.ahead = ahead
        assert await process.recovery.recover_expired() == 0
        await process.leases.renew()
        assert await process.recovery.recover_expired() == 0
        held.may_go.set()

        assert (await process.runs.wait(who, run.id)).status is RunStatus.COMPLETED


async def test_processes_that_disagree_by_seconds_leave_each_other_alone(
    sqlite_database: Database, agents: ScriptedAgents, held: Held, who: Principal
) -> None:
    def process(owner: str, node: int, seconds: int) -> Process:
        clock = ShiftedClock(timedelta(seconds=seconds))
        return Process(sqlite_database, agents, owner=owner, node=node, is_alone=False, clock=clock)

    one, two = process("one", 0, -2), process("two", 1, 2)
    async with one.running(), two.running():
        run = await one.runs.start(who, question("hi"))
        await held.began.wait()
        for _ in range(3):
            assert await two.recovery.recover_expired() == 0
            await one.leases.renew()
        held.may_go.set()
        status = (await two.runs.wait(who, run.id)).status
        ids = [process.ids.next_id() for process in (one, two) for _ in range(5000)]

    assert status is RunStatus.COMPLETED
    assert len(set(ids)) == len(ids)


async def test_the_run_of_a_lost_process_ends_whatever_its_clock_was(
    sqlite_database: Database, agents: ScriptedAgents, held: Held, who: Principal
) -> None:
    limits = Limits(run_lease_s=1)
    lost = Process(
        sqlite_database,
        agents,
        owner="lost",
        limits=limits,
        is_alone=False,
        clock=ShiftedClock(timedelta(seconds=2)),
    )
    other = Process(sqlite_database, agents, owner="other", node=1, is_alone=False)
    for part in (lost.registry, lost.writer):  # nobody renews its leases
        await part.start()
    run = await lost.runs.start(who, question("hi"))
    await held.began.wait()

    async def is_settled() -> bool:
        return await other.recovery.recover_expired() == 1

    await until_so(is_settled, "the end of a lost run", pause_s=0.1)
    found = await other.runs.get(who, run.id)
    held.may_go.set()
    await lost.registry.aclose()
    await lost.writer.aclose()

    assert found.status is RunStatus.FAILED
    assert found.error is not None
    assert (await other.runs.get(who, run.id)).status is RunStatus.FAILED


@dataclass
class Machine:
    """A server whose machine's clock can be set."""

    server: RunningServer
    file: Path

    def set(self, seconds: float) -> None:
        new = self.file.with_suffix(".new")
        new.write_text(str(seconds))
        new.rename(self.file)


@pytest.mark.long
def test_servers_on_one_database_with_wrong_clocks_share_runs_and_tokens(
    tmp_path: Path, postgres_server: PostgresServer, upstream: RunningUpstream
) -> None:
    url = postgres_server.create_database("clocks")
    key = secrets.token_hex(32)
    with ExitStack() as stack:

        def machine(name: str, seconds: float) -> Machine:
            data = tmp_path / name
            data.mkdir()
            found = data / "skew"
            found.write_text(str(seconds))
            environ = {
                **NO_SANDBOX,
                "PYTHONPATH": str(SKEW),
                "SKEW_FILE": str(found),
                "COTERIE_DATABASE__URL": url,
                "COTERIE_NODE": "0" if name == "fast" else "100",
                "COTERIE_LIMITS__RUN_LEASE_S": "6",
                "COTERIE_LIMITS__RUN_HEARTBEAT_S": "1",
                "COTERIE_LIMITS__SWEEP_INTERVAL_S": "0.5",
                "COTERIE_MASTER_KEY": key,
                "OPENAI_BASE_URL": upstream.base_url,
                "OPENAI_MODEL": "slow-300ms",
            }
            return Machine(
                stack.enter_context(running_server(data, environ, is_forked=False)), found
            )

        fast, slow = machine("fast", 3600), machine("slow", -2)
        answers: list[str] = []
        runs: set[str] = set()

        def chat(of: Machine, meanwhile: Callable[[], None]) -> None:
            with httpx.Client(
                base_url=of.server.url, headers=of.server.headers, timeout=120
            ) as http:
                events = []
                with Talk(http).streaming(fast.server.agent_id, WORDS) as told:
                    for number, event in enumerate(told):
                        events.append(event)
                        if number == 5:
                            meanwhile()
            answers.append(answer_of(events))
            runs.update(str(data["id"]) for name, data in events if name.endswith("chat.created"))

        chat(fast, lambda: None)
        chat(slow, lambda: fast.set(-3600))
        chat(fast, lambda: fast.set(3600))
        chat(fast, lambda: slow.set(2))
        token = issued(fast.server)
        status = httpx.get(
            f"{slow.server.url}/v1/bots",
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
        ).status_code
        logs = "\n".join(fast.server.log + slow.server.log)
    postgres_server.drop_database("clocks")

    assert answers == [WORDS] * 4
    assert len(runs) == 4
    assert status != 401
    assert not re.search(r"was interrupted|lease", logs), logs


def issued(server: RunningServer) -> str:
    """A token that is valid for some minutes."""
    answer = httpx.post(
        f"{server.url}/admin/v1/tokens:issue",
        headers=server.headers,
        json={"bot_ids": [server.agent_id], "duration_seconds": 900, "user_id": "u"},
        timeout=60,
    )
    assert answer.is_success, answer.text
    return str(answer.json()["token"])
