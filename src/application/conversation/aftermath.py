"""What is made known of a run for the sake of memory, together with its answer."""

from datetime import datetime

from application.conversation.job import RunJob
from domain.conversation.event import RunAnswered
from domain.conversation.run import Run
from domain.conversation.value import RunStatus


def answered(job: RunJob, run: Run, *, now: datetime) -> tuple[RunAnswered, ...]:
    """Return the event of a run that is about to be stored with its answer for the first time."""
    memory = job.definition.memory
    is_answered = run.is_finishing or run.status is RunStatus.COMPLETED
    if not (memory.summary or memory.long_term) or not run.is_saved:
        return ()
    if not is_answered or job.run.is_finishing:
        return ()
    event = RunAnswered(
        occurred_at=now,
        space_id=run.space_id,
        aggregate_id=run.id,
        actor_id=run.creator_id,
        conversation_id=run.conversation_id,
        conversation_space_id=job.message_space_id,
        section_id=run.section_id,
        agent_id=run.agent_id,
        rounds=job.definition.history_rounds,
        model=memory.model,
        summary=memory.summary,
        long_term=memory.long_term,
    )
    return (event,)
