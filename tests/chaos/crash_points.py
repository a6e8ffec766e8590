"""All crash points, by what makes a process pass them; ``test_crash_*`` use them up."""

INGESTING = (
    "work.claimed",
    "ingest.fetched",
    "ingest.parse.noted",
    "ingest.parse.read",
    "ingest.parse.stored",
    "ingest.chunk.cut",
    "ingest.table.prepared",
    "ingest.table.written",
    "ingest.index.embedded",
    "ingest.index.cached",
    "ingest.index.vectors_written",
    "ingest.index.texts_written",
    "ingest.step.before_commit",
    "ingest.step.committed",
)
COLLECTING = ("ingest.collect.removed", "ingest.step.before_commit:4", "ingest.step.committed:4")
APPENDING = (
    "ingest.table.absorbed",
    "ingest.append.joined",
    "ingest.step.before_commit:4",
    "ingest.step.committed:4",
)
FAILING = ("work.failure.before_commit", "work.failure.committed")
DELETING = ("ingest.delete.unindexed", "ingest.delete.objects_gone", "ingest.delete.slices_gone")
CHATTING = (
    "chat.accept.before_commit",
    "chat.accept.committed",
    "chat.checkpoint.before_commit",
    "chat.checkpoint.committed",
    "chat.write.before_commit",
    "chat.write.committed",
    "chat.answer.committed",
    "chat.write.before_commit:2",
    "chat.write.committed:2",
    "chat.finish.before_commit",
    "chat.finish.committed",
)
SWEEPING = ("chat.sweep.before_commit", "chat.sweep.committed")
RESUMING = ("chat.resume.before_commit", "chat.resume.committed")
FLOWING = (
    "workflow.journal.before_commit",
    "workflow.journal.committed",
    "workflow.node.began",
    "workflow.node.ended",
)
PAUSING = ("workflow.interrupt.before_commit",)
FINISHING = ("workflow.finish.before_commit", "workflow.finish.committed")
TAKING = ("workflow.taken",)
ANSWERING = ("workflow.answer.before_commit", "workflow.answer.committed")
RELAYING = ("outbox.taken", "outbox.after_publish", "outbox.marked")
CONSUMING = ("inbox.claimed", "inbox.handled", "inbox.settled")
IMPORTING = ("import.read", "import.noted", "import.inserted", "import.done")
CHANNELLING = (
    "channel.stored",
    "channel.claimed",
    "channel.begun",
    "channel.sent",
    "channel.sent:2",
)
PURGING = (
    "space.purge.tables_dropped",
    "space.purge.object_deleted",
    "space.purge.rows_removed",
    "space.purge.rows_removed:4",
    "space.purge.indexes_cleared",
    "space.purge.committed",
)
ALL = frozenset(
    point.partition(":")[0]
    for points in (
        INGESTING,
        COLLECTING,
        APPENDING,
        FAILING,
        DELETING,
        CHATTING,
        SWEEPING,
        RESUMING,
        FLOWING,
        PAUSING,
        FINISHING,
        TAKING,
        ANSWERING,
        RELAYING,
        CONSUMING,
        IMPORTING,
        CHANNELLING,
        PURGING,
    )
    for point in points
)
