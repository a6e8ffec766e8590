"""The states of a run, its lease and its time."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.shared.access import CONNECTOR_API
from domain.shared.ids import RunId, SpaceId, UserId
from domain.workflow.engine.interrupt import Interrupt, InterruptKind
from domain.workflow.run.workflow_run import (
    InterruptNotFound,
    RunFault,
    RunKind,
    RunMode,
    RunPhase,
    WorkflowRun,
    WorkflowRunEnded,
    WorkflowRunInterrupted,
)

NOW = datetime(2030, 1, 1, tzinfo=UTC)
QUESTION = Interrupt(
    id="9", kind=InterruptKind.QUESTION, path=("a",), node_id="a", node_title="A", data="{}"
)


def run(**changes: object) -> WorkflowRun:
    made = WorkflowRun(
        id=RunId(1),
        space_id=SpaceId(2),
        workflow_id=3,
        version="v0.0.1",
        version_hash="h",
        kind=RunKind.RELEASE,
        mode=RunMode.STREAM,
        creator_id=UserId(4),
        connector_id=CONNECTOR_API,
        created_at=NOW,
        updated_at=NOW,
    )
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def test_waiting_for_an_answer_costs_no_time() -> None:
    made = run()
    made.begin("me", now=NOW, lease_s=30, limit_s=100)
    made.interrupt([QUESTION], now=later(40), ttl_s=1000)
    lease, expires = made.lease_owner, made.expires_at
    made.resume("you", [], now=later(500), lease_s=30)

    assert (lease, expires) == ("", later(1040))
    assert made.phase is RunPhase.RUNNING
    assert made.seconds_left(later(500)) == 60
    assert made.expires_at is None


def test_a_take_over_keeps_the_deadline_and_counts() -> None:
    made = run()
    made.begin("me", now=NOW, lease_s=30, limit_s=100)
    made.take_over("you", now=later(50), lease_s=30)

    assert (made.attempt, made.lease_owner, made.lease_until) == (2, "you", later(80))
    assert made.seconds_left(later(50)) == 50


def test_no_limit_stays_no_limit() -> None:
    made = run()
    made.begin("me", now=NOW, lease_s=30, limit_s=0)
    made.interrupt([QUESTION], now=NOW, ttl_s=0)
    made.resume("me", [], now=NOW, lease_s=30)

    assert made.seconds_left(NOW) is None
    assert made.expires_at is None


def test_only_open_questions_can_be_answered() -> None:
    made = run()
    made.begin("me", now=NOW, lease_s=30, limit_s=0)
    with pytest.raises(InterruptNotFound):
        made.open_question("9")
    made.interrupt([QUESTION], now=NOW, ttl_s=0)

    assert made.open_question("9") == QUESTION
    with pytest.raises(InterruptNotFound):
        made.open_question("8")


@pytest.mark.parametrize(
    ("phase", "code"),
    [(RunPhase.SUCCESS, 0), (RunPhase.FAILED, 720702085), (RunPhase.CANCELLED, 777777777)],
)
def test_an_end_lets_go_of_everything_and_is_told(phase: RunPhase, code: int) -> None:
    made = run()
    made.begin("me", now=NOW, lease_s=30, limit_s=100)
    made.interrupt([QUESTION], now=NOW, ttl_s=10)
    match phase:
        case RunPhase.SUCCESS:
            made.succeed("{}", now=later(1))
        case RunPhase.FAILED:
            made.fail(RunFault.internal(720702085, "late"), now=later(1))
        case _:
            made.cancel(now=later(1))
    asked, ended = made.pull_events()

    assert made.phase is phase
    assert (made.pending, made.lease_owner, made.deadline_at, made.expires_at) == (
        (),
        "",
        None,
        None,
    )
    assert isinstance(asked, WorkflowRunInterrupted)
    assert isinstance(ended, WorkflowRunEnded)
    assert (asked.question_ids, ended.error_code, ended.status) == (("9",), code, phase)


def test_clients_see_the_outer_number_of_a_failure() -> None:
    assert RunFault.internal(720702085, "late").code == 6023
    assert RunFault.internal(305000002, "oh").code == 305000002
