"""The states of a run."""

from datetime import UTC, datetime

import pytest

from domain.conversation.error import RunAlreadySettled
from domain.conversation.run import Run
from domain.conversation.value import CancelReason, RunError, RunPhase, RunStatus
from domain.shared.chat import Usage
from domain.shared.ids import AgentId, ConversationId, RunId, SectionId, SpaceId, UserId

NOW = datetime(2030, 5, 1, tzinfo=UTC)


def new_run(status: RunStatus = RunStatus.CREATED) -> Run:
    return Run(
        id=RunId(1),
        space_id=SpaceId(2),
        conversation_id=ConversationId(3),
        section_id=SectionId(3),
        agent_id=AgentId(4),
        agent_version="1",
        creator_id=UserId(5),
        end_user_id="eve",
        connector_id=1024,
        question_id=None,
        status=status,
        created_at=NOW,
    )


def topics(run: Run) -> list[str]:
    return [str(event.__struct_config__.tag) for event in run.pull_events()]


def test_a_run_is_created_claimed_and_completed() -> None:
    run = new_run().accepted()
    run.claim("me", until=NOW, now=NOW)
    run.complete(now=NOW, usage=Usage(output_tokens=1), finish_reason="stop")

    assert (run.status, run.attempt, run.completed_at) == (RunStatus.COMPLETED, 1, NOW)
    assert topics(run) == ["run.created", "run.started", "run.completed"]


@pytest.mark.parametrize("status", [RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.CANCELED])
def test_terminal_states_never_change(status: RunStatus) -> None:
    run = new_run(status)

    with pytest.raises(RunAlreadySettled):
        run.complete(now=NOW, usage=Usage(), finish_reason="stop")
    with pytest.raises(RunAlreadySettled):
        run.fail(RunError(code=5000), now=NOW)
    with pytest.raises(RunAlreadySettled):
        run.cancel(CancelReason.REQUESTED, now=NOW)
    with pytest.raises(RunAlreadySettled):
        run.claim("me", until=NOW, now=NOW)
    assert (run.status, topics(run)) == (status, [])


def test_a_run_that_was_never_claimed_cannot_complete() -> None:
    with pytest.raises(RunAlreadySettled):
        new_run().complete(now=NOW, usage=Usage(), finish_reason="stop")


def test_failing_and_cancelling_keep_the_usage_so_far() -> None:
    failed, canceled = new_run(RunStatus.IN_PROGRESS), new_run(RunStatus.IN_PROGRESS)
    failed.usage = canceled.usage = Usage(input_tokens=3)

    failed.fail(RunError(code=5000, slug="x"), now=NOW)
    canceled.cancel(CancelReason.REQUESTED, now=NOW)

    assert failed.usage == canceled.usage == Usage(input_tokens=3)
    assert (failed.failed_at, canceled.canceled_at) == (NOW, NOW)


def test_only_the_last_phase_makes_way() -> None:
    run = new_run(RunStatus.IN_PROGRESS)

    assert not run.is_finishing
    run.phase = RunPhase.FINISHING
    assert run.is_finishing
