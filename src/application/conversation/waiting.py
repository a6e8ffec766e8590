"""What runs wait with, between the words of agents and those of conversations."""

from application.conversation.ending import Completed, Suspended
from crossdomain.agent.contract import AgentOutcome, OpenQuestion
from domain.conversation.value import WaitingFor


def ending_of_outcome(outcome: AgentOutcome) -> Completed | Suspended:
    """Tell how a turn that did not fail leaves its run."""
    question = outcome.question
    if question is None:
        return Completed(finish_reason=outcome.finish_reason.value)
    return Suspended(
        waits_for=WaitingFor(
            workflow_run_id=question.workflow_run_id,
            question_id=question.question_id,
            kind=question.kind,
            workflow_id=question.workflow_id,
            state=question.state,
            calls=question.calls,
        )
    )


def question_of(waits_for: WaitingFor | None) -> OpenQuestion | None:
    """Return what an earlier run waits for, as the agent knows it."""
    if waits_for is None:
        return None
    return OpenQuestion(
        workflow_run_id=waits_for.workflow_run_id,
        question_id=waits_for.question_id,
        kind=waits_for.kind,
        workflow_id=waits_for.workflow_id,
        state=waits_for.state,
        calls=waits_for.calls,
    )
