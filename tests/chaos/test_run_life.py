"""Everything that can happen to runs, in any order, in two processes on one database.

The processes do not work by themselves: each look at leases, requests to cancel, lost runs and
unwritten events is one step of the model, and so is every word of an agent. A process that takes
no step stands still.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Coroutine
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from application.conversation.dto import RunView, SubmitOutputs
from application.conversation.run.ending import INTERRUPTED
from application.conversation.run.event import (
    MessageDelta,
    MessageReplaced,
    MessageStarted,
    RunCanceled,
    RunCompleted,
    RunEvent,
    RunFailed,
    RunRecord,
)
from crossdomain.agent.contract import (
    AgentOutcome,
    AgentTurn,
    AnswerCompleted,
    AnswerDelta,
    AnswerStarted,
    EmitAgentEvent,
    OpenQuestion,
)
from domain.conversation.value import MessageKind, MessageStatus, RunStatus
from domain.shared.call import CallContext
from domain.shared.chat import FinishReason, ToolCall
from domain.shared.error import AppError, Unavailable
from domain.shared.limits import Limits
from infra.impl.repository.sql.conversation.table import messages
from infra.impl.repository.sql.engine.database import Database
from tests.support.clock import FrozenClock
from tests.support.conversation.harness import (
    USAGE,
    Process,
    ScriptedAgents,
    principal,
    question,
)

LIMITS = Limits(
    run_lease_s=15.0,
    cancel_wait_s=0.0,
    disconnect_grace_s=0.0,
    partial_interval_s=0.0,
    action_wait_s=60.0,
)
OVER = frozenset({RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.CANCELED})
ENDS = (RunCompleted, RunFailed, RunCanceled)
CALL = ToolCall(id="c", name="look", arguments="{}")
LONG_S = 3600.0
RUNS = 3
"""With more of them, few things happen to each."""
PATIENCE_S = 60.0
PROCESSES = st.sampled_from([0, 1])
T = TypeVar("T")


@dataclass
class Told:
    """What one follower heard."""

    records: list[RunRecord] = field(default_factory=list)


class Script:
    """An agent whose every step is a step of the model."""

    def __init__(self) -> None:
        self._orders: dict[int, asyncio.Queue[str]] = {}

    def orders(self, run_id: int) -> asyncio.Queue[str]:
        return self._orders.setdefault(run_id, asyncio.Queue(1000))

    async def __call__(
        self, context: CallContext, turn: AgentTurn, emit: EmitAgentEvent
    ) -> AgentOutcome:
        assert context.run_id is not None
        orders, pieces, is_whole = self.orders(context.run_id), list[str](), False
        while True:
            match await orders.get():
                case "say" if not is_whole:
                    if not pieces:
                        await emit(AnswerStarted())
                    pieces.append(f"w{len(pieces)} ")
                    await emit(AnswerDelta(text=pieces[-1]))
                case "answer" if pieces and not is_whole:
                    is_whole = True
                    await emit(_whole(pieces))
                case "ask" if not pieces and not turn.outputs:
                    asked = OpenQuestion(
                        workflow_run_id=0, question_id="", kind=1, state="s", calls=(CALL,)
                    )
                    return AgentOutcome(
                        finish_reason=FinishReason.STOP, usage=USAGE, question=asked
                    )
                case "fail":
                    raise Unavailable("The model is away.")
                case "end":
                    if pieces and not is_whole:
                        await emit(_whole(pieces, is_last=True))
                    return AgentOutcome(finish_reason=FinishReason.STOP, usage=USAGE)
                case _:
                    continue  # what makes no sense just now


def _whole(pieces: list[str], *, is_last: bool = False) -> AnswerCompleted:
    return AnswerCompleted(
        text="".join(pieces), reasoning="", finish_reason=FinishReason.STOP, is_last=is_last
    )


class RunLife(RuleBasedStateMachine):
    """The model: which runs there are, how those ended that were seen to, and who was told what."""

    runs = Bundle("runs")
    template: Path
    """An empty database with all tables."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / "coterie.db"
        shutil.copy(self.template, path)
        self.clock = FrozenClock(datetime(2030, 5, 1, 9, 0, tzinfo=UTC))
        self.script, self.who = Script(), principal()
        self.ended: dict[int, RunView] = {}
        self.known: dict[int, RunView] = {}
        self.stories: dict[int, list[tuple[int, RunEvent]]] = {}
        self.told: list[tuple[int, Told]] = []
        self._followers: list[asyncio.Task[None]] = []
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._opened: asyncio.Future[None] = self._loop.create_future()
        self._host = self._loop.create_task(self._live(f"sqlite+aiosqlite:///{path}"))
        self._do(self._is_open())

    async def _is_open(self) -> None:
        await asyncio.wait({self._opened, self._host}, return_when=asyncio.FIRST_COMPLETED)

    async def _live(self, url: str) -> None:
        """Hold everything open; tasks of both processes belong to this one."""
        self.database = Database(url)
        await self.database.start()
        agents = ScriptedAgents(self.script)
        self.processes = [
            Process(
                self.database,
                agents,
                limits=LIMITS,
                owner=f"boot-{number}",
                is_alone=False,
                node=number,
                clock=self.clock,
            )
            for number in range(3)
        ]
        for each in self.processes:
            await each.registry.start()
        self._opened.set_result(None)
        await self._stop.wait()
        for each in self.processes:
            await each.registry.aclose()
        await self.database.aclose()

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        self.clock.advance(milliseconds=1)

        async def bounded() -> T:
            async with asyncio.timeout(PATIENCE_S):
                return await work

        return self._loop.run_until_complete(bounded())

    async def _pass(self, steps: int) -> None:
        """Let what is under way go on for a while."""
        for _ in range(steps):
            await asyncio.sleep(0)
            await asyncio.sleep(0.0005)

    async def _tried(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Do something that may be refused."""
        try:
            return await work
        except AppError:
            return None

    # What clients do

    @precondition(lambda self: len(self.known) < RUNS)
    @rule(target=runs, process=PROCESSES, leaves=st.booleans(), steps=st.integers(0, 4))
    def start(self, process: int, *, leaves: bool, steps: int) -> Any:
        return self._start(process, 0, leaves=leaves, steps=steps)

    @precondition(lambda self: len(self.known) < RUNS)
    @rule(target=runs, process=PROCESSES, before=runs, steps=st.integers(0, 4))
    def go_on(self, process: int, before: int, steps: int) -> Any:
        """Ask again in the conversation of another run."""
        return self._start(process, before, leaves=False, steps=steps)

    def _start(self, process: int, before: int, *, leaves: bool, steps: int) -> Any:
        fields: dict[str, Any] = {"cancel_on_disconnect": leaves}
        if before:
            fields["conversation_id"] = self.known[before].conversation_id

        async def work() -> Any:
            made = await self._tried(
                self.processes[process].runs.start(self.who, question("hi", **fields))
            )
            await self._pass(steps)
            return made

        made = self._do(work())
        if made is None:
            return multiple()
        self.known[made.id] = made
        return made.id

    @rule(run=runs, process=PROCESSES)
    def cancel(self, run: int, process: int) -> None:
        self._do(self._tried(self.processes[process].runs.cancel(self.who, run)))

    @rule(run=runs, process=PROCESSES)
    def submit(self, run: int, process: int) -> None:
        command = SubmitOutputs(
            run_id=run,
            conversation_id=self.known[run].conversation_id,
            outputs=((CALL.id, "seen"),),
        )
        self._do(self._tried(self.processes[process].runs.submit(self.who, command)))

    @rule(run=runs, process=PROCESSES)
    def follow(self, run: int, process: int) -> None:
        told = Told()
        self.told.append((run, told))

        async def listen() -> None:
            service = self.processes[process].runs
            async with aclosing(service.follow(self.who, run)) as batches:
                async for batch in batches:
                    told.records += batch

        self._followers.append(self._loop.create_task(listen()))
        self._do(self._pass(2))

    @rule()
    def leave(self) -> None:
        """The one who follows longest hangs up."""
        if self._followers:
            self._followers.pop(0).cancel()
        self._do(self._pass(2))

    # What agents do

    @rule(run=runs, order=st.sampled_from(["say", "say", "answer", "ask", "fail", "end"]))
    def order(self, run: int, order: str) -> None:
        async def work() -> None:
            self.script.orders(run).put_nowait(order)
            await self._pass(2)

        self._do(work())

    # What processes do

    @rule(process=PROCESSES)
    def renew(self, process: int) -> None:
        self._do(self.processes[process].leases.renew())

    @rule(process=PROCESSES)
    def hear(self, process: int) -> None:
        self._do(self.processes[process].leases.stop_requested())

    @rule(process=PROCESSES)
    def write(self, process: int) -> None:
        self._do(self.processes[process].writer.write_due())

    @rule(process=PROCESSES)
    def sweep(self, process: int) -> None:
        self._do(self.processes[process].recovery.recover_expired())

    @rule()
    def sweep_twice(self) -> None:
        """Both at once."""

        async def work() -> None:
            await asyncio.gather(*(each.recovery.recover_expired() for each in self.processes[:2]))

        self._do(work())

    @rule(process=PROCESSES)
    def stand_still(self, process: int) -> None:
        """Take no step until the leases are over and the other process has looked."""

        async def work() -> None:
            await self.processes[1 - process].leases.renew()
            self.clock.advance(seconds=LIMITS.run_lease_s - 1)
            await self.processes[1 - process].leases.renew()
            self.clock.advance(seconds=2)
            await self.processes[1 - process].recovery.recover_expired()

        self._do(work())

    @rule(run=runs)
    def read(self, run: int) -> None:
        self.read_again(run)

    def read_again(self, run: int) -> None:
        """Have the whole story told; that of a lost run never changes."""
        view = self._stored(run)
        if view.status not in OVER or view.error.slug != INTERRUPTED.slug:
            return
        self.clock.advance(seconds=2)
        records = self._do(self.processes[2].events(self.who, run))
        story = [(record.seq, record.event) for record in records]
        assert self.stories.setdefault(run, story) == story

    @rule(seconds=st.sampled_from([0.2, 2.0, 10.0, 61.0]))
    def wait(self, seconds: float) -> None:
        self.clock.advance(seconds=seconds)
        self._do(self._pass(1))

    # What must hold

    @invariant()
    def an_end_is_the_end(self) -> None:
        for run_id, view in self.ended.items():
            assert self._stored(run_id) == view

    @invariant()
    def who_follows_hears_everything_in_order(self) -> None:
        for run, told in self.told:
            numbers = [record.seq for record in told.records]
            assert numbers == list(range(numbers[0], numbers[-1] + 1)) if numbers else True
            over = [isinstance(record.event, ENDS) for record in told.records]
            assert sum(over) <= 1, (run, told.records)
            assert not any(over[:-1]), (run, told.records)

    def _stored(self, run_id: int) -> RunView:
        view = self._do(self.processes[2].runs.get(self.who, run_id))
        if view.status in OVER:
            self.ended.setdefault(run_id, view)
        return view

    def teardown(self) -> None:
        try:
            self._require_ends()
        finally:
            for follower in self._followers:
                follower.cancel()
            self._loop.call_soon(self._stop.set)
            self._loop.run_until_complete(asyncio.wait({self._host, *self._followers}))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()
            self._folder.cleanup()

    def _require_ends(self) -> None:
        """Whatever happened, each run ends; what is told of it is whole, and told once."""

        async def quiet() -> None:
            for _ in range(3):
                self.clock.advance(seconds=LONG_S)
                await self.processes[2].recovery.recover_expired()
                for each in self.processes[:2]:
                    await each.leases.renew()
                    await each.writer.write_due()
                await self._pass(3)
            for run_id in self.known:
                for each in self.processes[:2]:
                    if (live := each.registry.find(run_id)) is not None:
                        await live.ended.wait()
            for each in self.processes[:2]:
                await each.writer.write_due()
            self.clock.advance(seconds=LONG_S)

        self._do(quiet())
        for run_id in self.known:
            view = self._stored(run_id)
            assert view.status in OVER, view
            self.read_again(run_id)
            records = self._do(self.processes[2].events(self.who, run_id))
            self._require_story(view, records)
        left = self._do(self._messages(messages.c.status == MessageStatus.STREAMING))
        assert not left, left

    def _require_story(self, view: RunView, records: list[RunRecord]) -> None:
        assert [record.seq for record in records] == list(range(1, len(records) + 1)), records
        ends = [record.event for record in records if isinstance(record.event, ENDS)]
        assert ends == [records[-1].event], records
        assert ends[0].run == view
        is_answer = (messages.c.kind == MessageKind.ANSWER) & (messages.c.run_id == view.id)
        stored = self._do(self._messages(is_answer))
        whole = [text for status, text in stored if status == MessageStatus.AVAILABLE]
        assert len(whole) <= 1, stored
        said: dict[int, str] = {}
        for record in records:
            event = record.event
            if isinstance(event, MessageStarted):
                said[event.message_id] = ""
            elif isinstance(event, MessageReplaced):
                said[event.message_id] = event.text
            elif isinstance(event, MessageDelta):
                said[event.message_id] += event.text
        if whole and said:
            assert whole[0].startswith(list(said.values())[-1]), (whole, said)

    async def _messages(self, where: sa.ColumnElement[bool]) -> list[tuple[str, str]]:
        query = sa.select(messages.c.status, messages.c.parts).where(where)
        async with self.database.read() as connection:
            found = await connection.execute(query)
            return [(row.status, "".join(part.text for part in row.parts)) for row in found]


def explore(template: Path, *, lives: int, steps: int) -> None:
    class Life(RunLife):
        pass

    Life.template = template
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=lives,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_runs_end_once_whatever_happens(sqlite_template: Path) -> None:
    explore(sqlite_template, lives=5, steps=20)


@pytest.mark.long
def test_runs_end_once_whatever_happens_for_long(sqlite_template: Path) -> None:
    explore(sqlite_template, lives=100, steps=50)
