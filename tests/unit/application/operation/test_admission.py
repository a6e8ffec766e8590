"""What an overloaded process refuses, in which order, and when it stops."""

from contextlib import ExitStack
from dataclasses import dataclass, field

import pytest

from application.operation.admission import Admission
from application.shared.traffic import ShedMeter, Traffic
from domain.shared.error import Overloaded
from domain.shared.limits import Limits
from infra.contract.observability.metrics import Metrics

LIMITS = Limits(
    overload_lag_s=0.25, overload_memory_share=0.85, overload_after_s=1, overload_requests=2
)
STEP_S = 0.25


@dataclass
class Process:
    """A process whose loop and memory do as they are told."""

    limits: Limits = LIMITS
    lag_s: float = 0.0
    memory: float = 0.0
    now: float = 100.0
    metrics: Metrics = field(default_factory=Metrics)

    def __post_init__(self) -> None:
        self.admission = Admission(
            lag_s=lambda: self.lag_s,
            memory_share=lambda: self.memory,
            meter=ShedMeter(metrics=self.metrics),
            limits=self.limits,
            clock=lambda: self.now,
        )

    async def passes(self, seconds: float) -> None:
        """Let time go by, with all looks that come in it."""
        end = self.now + seconds
        while self.now <= end:
            await self.admission.look()
            self.now += STEP_S

    @property
    def refused(self) -> set[Traffic]:
        return {traffic for traffic in Traffic if not self._takes(traffic)}

    def _takes(self, traffic: Traffic) -> bool:
        try:
            self.admission.require(traffic)
        except Overloaded as exc:
            return not exc.retry_after_s
        return True


@pytest.fixture
def process() -> Process:
    return Process()


@pytest.fixture
def crowd(process: Process) -> ExitStack:
    """More requests in progress than a late loop is forgiven for."""
    stack = ExitStack()
    for _ in range(3):
        stack.enter_context(process.admission.counting())
    return stack


@pytest.mark.usefixtures("crowd")
async def test_a_short_stall_refuses_nothing(process: Process) -> None:
    process.lag_s = 3.0
    await process.passes(0.75)
    process.lag_s = 0.01
    await process.passes(1)

    assert process.refused == set()


@pytest.mark.usefixtures("crowd")
async def test_the_least_urgent_is_refused_first(process: Process) -> None:
    process.lag_s = 0.3

    await process.passes(1)
    assert process.refused == {Traffic.INGEST}
    await process.passes(1)
    assert process.refused == {Traffic.INGEST, Traffic.CHAT}
    await process.passes(10)
    assert process.refused == {Traffic.INGEST, Traffic.CHAT}


@pytest.mark.parametrize(("lag_s", "memory"), [(0.6, 0.0), (0.0, 0.95)])
@pytest.mark.usefixtures("crowd")
async def test_reads_are_refused_only_in_need_and_cancelling_never(
    process: Process, lag_s: float, memory: float
) -> None:
    process.lag_s, process.memory = lag_s, memory

    await process.passes(10)

    assert process.refused == {Traffic.INGEST, Traffic.CHAT, Traffic.READ}


@pytest.mark.usefixtures("crowd")
async def test_it_ends_when_the_loop_is_well_below_the_limit(process: Process) -> None:
    process.lag_s = 0.3
    await process.passes(3)

    process.lag_s = 0.2
    await process.passes(3)
    assert process.refused == {Traffic.INGEST, Traffic.CHAT}
    process.lag_s = 0.1
    await process.passes(0)
    assert process.refused == set()


async def test_memory_has_to_fall_before_work_is_taken_again(process: Process) -> None:
    process.memory = 0.86
    await process.passes(3)

    process.memory = 0.82
    await process.passes(3)
    assert process.refused == {Traffic.INGEST, Traffic.CHAT}
    process.memory = 0.79
    await process.passes(0)
    assert process.refused == set()


async def test_with_few_requests_a_late_loop_is_nobodys_fault(process: Process) -> None:
    process.lag_s = 9.0
    with process.admission.counting(), process.admission.counting():
        await process.passes(10)

        assert process.refused == set()


async def test_limits_can_be_switched_off() -> None:
    process = Process(Limits(overload_lag_s=0, overload_memory_share=0, overload_requests=0))
    process.lag_s, process.memory = 9.0, 1.0
    with process.admission.counting():
        await process.passes(10)

        assert process.refused == set()


@pytest.mark.usefixtures("crowd")
async def test_what_is_refused_is_counted_with_its_reason(process: Process) -> None:
    process.lag_s = 0.3
    await process.passes(3)
    with pytest.raises(Overloaded):
        process.admission.require(Traffic.CHAT)

    assert b'coterie_shed_total{reason="lag",traffic="chat"} 1' in process.metrics.render()
