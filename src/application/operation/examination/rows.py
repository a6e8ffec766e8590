"""Checks of the database: its schema, rows, leases and dead letters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from application.operation.examination.doctor import Examination, Finding, Severity
from infra.contract.clock import Clock
from infra.contract.messaging.event_repository import DeadLetters, LetterQuery
from infra.contract.storage.inspection import CheckGroup, Inspection, Retention, Violation

_EXAMPLES: Final = 5


class EngineCheck:
    """Whether the engine can read its own files."""

    name, invariant = "database files", "I1"

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection

    async def run(self, how: Examination) -> Sequence[Finding]:
        if how.quick:
            return []
        damage = await self._inspection.damage()
        return [
            Finding(id="database_damaged", message=line, advice="Restore the newest backup.")
            for line in damage
        ]


class RowCheck:
    """Whether rows are as they must be; one check for each theme."""

    def __init__(
        self,
        group: CheckGroup,
        inspection: Inspection,
        *,
        name: str,
        invariant: str,
        clock: Clock,
        retention: Retention,
    ) -> None:
        self.name, self.invariant = name, invariant
        self._theme = group
        self._inspection = inspection
        self._clock = clock
        self._retention = retention

    async def run(self, how: Examination) -> Sequence[Finding]:
        found = await self._inspection.violations(
            self._theme, now=self._clock.now(), retention=self._retention, quick=how.quick
        )
        return [finding_of(oddity) for oddity in found]


class LetterCheck:
    """Whether consumers gave deliveries up."""

    name, invariant = "dead letters", "I1"

    def __init__(self, letters: DeadLetters) -> None:
        self._letters = letters

    async def run(self, how: Examination) -> Sequence[Finding]:
        count = await self._letters.count(LetterQuery())
        if not count:
            return []
        found = await self._letters.find(LetterQuery(), limit=_EXAMPLES)
        finding = Finding(
            id="dead_letter",
            message="Deliveries were given up after their last attempt.",
            severity=Severity.WARNING,
            count=count,
            examples=tuple(letter.event_id for letter in found),
            advice="See `coterie dlq list`; then `coterie dlq retry` or `coterie dlq drop`.",
        )
        return [finding]


class RecoveryCheck:
    """Says what no data shows."""

    name, invariant = "recovery", "I10"

    async def run(self, how: Examination) -> Sequence[Finding]:
        return [
            Finding(
                id="not_in_data",
                message="How a deployment recovers from faults is not seen in its data.",
                severity=Severity.OK,
                advice="Watch `/readyz` and the metrics.",
            )
        ]


_TAKEN_UP: Final = "The next server or worker that starts ends or takes them up."
_TIDIED: Final = "A server or worker with the role `scheduled` removes them."
_DEFECT: Final = "Keep a backup and report it: a defect of the product or a foreign hand did it."
_RECONCILE: Final = "Run `coterie doctor --repair` beside a server, or reconcile the base."
_DELIVER: Final = "Start a server or worker whose roles handle them; see `coterie dlq list`."


@dataclass(frozen=True, slots=True)
class _Words:
    """``{where}`` in the message is the table or column."""

    message: str
    advice: str
    severity: Severity = Severity.FAILURE


def _late(message: str, advice: str = _TAKEN_UP) -> _Words:
    return _Words(message, advice, Severity.WARNING)


_WORDS: Final[Mapping[str, _Words]] = {
    "lost_reference": _Words("{where} names rows that are not there.", _DEFECT),
    "second_answer": _Words("Runs have more than one final answer.", _DEFECT),
    "key_without_run": _Words("{where} has keys of requests whose run is not there.", _DEFECT),
    "chat_left": _late("Chats are not over, and nobody works on them."),
    "chat_overdue": _late(
        "Chats take longer than a chat may take.", "Cancel them; see `limits.run_wall_s`."
    ),
    "question_expired": _late("Chats still wait for an answer whose time is over."),
    "call_left": _late("Calls wait for outputs, and no chat waits with them.", _DEFECT),
    "workflow_left": _late("Runs of workflows are not over, and nobody works on them."),
    "workflow_overdue": _late(
        "Runs of workflows take longer than they may take.",
        "Cancel them; see the time limit of their workflows.",
    ),
    "interrupt_expired": _late("Runs of workflows wait for answers whose time is over."),
    "job_left": _late("Jobs of documents are not over, and nobody works on them."),
    "job_waiting": _late(
        "Jobs of documents are due, and nobody takes them.",
        "Start a worker with the role `ingest`, or more of them.",
    ),
    "document_left": _late(
        "Documents are being indexed, and no job is there for them.", _RECONCILE
    ),
    "rebuild_left": _late("Rebuilds of indexes are due, and nobody goes on with them."),
    "copy_left": _late("Copies of bases are due, and nobody goes on with them."),
    "preview_left": _late("Previews are due, and nobody makes them."),
    "import_left": _late(
        "Imports of rows are not over and do not move.",
        "Start a server or worker with the role `imports`; see `coterie dlq list`.",
    ),
    "event_unpublished": _late("Events are not published.", _DELIVER),
    "delivery_waiting": _late("Events wait for a consumer since more than an hour.", _DELIVER),
    "event_gap": _Words("Events of {where} have gaps.", _DEFECT),
    "event_start": _Words("Logs of chats do not begin with their first event.", _DEFECT),
    "workflow_event_gap": _Words("Events of {where} have gaps.", _DEFECT),
    "journal_gap": _Words(
        "Journals of workflows have gaps or overlaps: more than one process wrote them.", _DEFECT
    ),
    "half_generation": _Words(
        "Documents have another number of slices than they were indexed with.",
        "Index them again: POST /open_api/knowledge/document/resegment, or upload them again.",
    ),
    "old_generation": _late("Documents have slices that a newer version replaced.", _RECONCILE),
    "deleted_document": _late("Deleted documents still have data.", _RECONCILE),
    "workflow_unbooked": _Words(
        "Runs of workflows used more tokens than the ledger has calls for.", _DEFECT
    ),
    "upload_left": _late("Uploads were begun and never ended.", _TIDIED),
    "log_left": _late("Event logs are kept beyond their time.", _TIDIED),
    "key_left": _late("Keys of requests are kept beyond their time.", _TIDIED),
    "call_expired": _late("Calls of clients are kept beyond their time.", _TIDIED),
    "response_expired": _late("Responses are kept beyond their time.", _TIDIED),
    "preview_expired": _late("Previews are kept beyond their time.", _TIDIED),
}


def finding_of(oddity: Violation) -> Finding:
    """Put an oddity into words; one that nobody has words for is a defect here."""
    words = _WORDS[oddity.id]
    return Finding(
        id=oddity.id,
        message=words.message.format(where=oddity.where),
        severity=words.severity,
        count=oddity.count,
        examples=oddity.examples,
        advice=words.advice,
    )
