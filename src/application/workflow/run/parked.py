"""Ends runs that nobody works on."""

from application.workflow.run.event import RunRecord, encode_records
from application.workflow.run.executor import run_ended
from application.workflow.run.lost import LostTraces
from domain.workflow.run.repository import LogBatch, WorkflowRunUnitOfWork
from domain.workflow.run.workflow_run import WorkflowRun


async def end_parked(uow: WorkflowRunUnitOfWork, run: WorkflowRun, *, traces: LostTraces) -> None:
    """Store the end of a run, which was just decided, with the event that tells it, and its trace.

    Raises:
        StaleRevision: the run changed meanwhile.
    """
    stored = await uow.runs.state(run.scope, run.id)
    await uow.queue.save(run)
    await uow.settle(await traces.recovered_parts(uow, run, is_lost=False, now=run.updated_at))
    at_ms = int(run.updated_at.timestamp() * 1000)
    record = RunRecord(seq=stored.last_seq + 1, at_ms=at_ms, event=run_ended(run))
    sequence = stored.batches[-1].entries_to if stored.batches else 0
    if stored.snapshot is not None:
        sequence = max(sequence, stored.snapshot.sequence)
    batch = LogBatch(
        number=stored.last_number + 1,
        entries_after=sequence,
        entries_to=sequence,
        entries=b"",
        first_seq=record.seq,
        last_seq=record.seq,
        events=encode_records([record], field_bytes=0),
    )
    await uow.runs.append(run.scope, run.id, batch)
