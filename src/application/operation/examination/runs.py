"""Checks of what runs told and used: logs, journals of workflows, the ledger."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import msgspec

from application.conversation.run.event import (
    MessageCompleted,
    MessageDelta,
    MessageReplaced,
    MessageStarted,
    RunCanceled,
    RunCompleted,
    RunFailed,
    RunRecord,
)
from application.operation.examination.doctor import Examination, Finding
from domain.workflow.engine.event import JournalEntry, NodeFinished
from infra.contract.storage.inspection import Account, Inspection, RunTrace

_EXAMPLES: Final = 5
_RECORDS: Final = msgspec.json.Decoder(list[RunRecord])
_ENTRY: Final = msgspec.msgpack.Decoder(JournalEntry)
_END: Final = (RunCompleted, RunFailed, RunCanceled)
_ADVICE: Final = "Keep a backup and report it: a defect of the product or a foreign hand did it."


class _Tally:
    """Counts odd runs by kind, and remembers some of them."""

    def __init__(self, words: dict[str, str]) -> None:
        self._words = words
        self._found: dict[str, list[int]] = {}
        self._counts: dict[str, int] = {}

    def add(self, kind: str, run_id: int) -> None:
        self._counts[kind] = self._counts.get(kind, 0) + 1
        found = self._found.setdefault(kind, [])
        if len(found) < _EXAMPLES:
            found.append(run_id)

    def findings(self) -> list[Finding]:
        return [
            Finding(
                id=kind,
                message=self._words[kind],
                count=count,
                examples=tuple(map(str, self._found[kind])),
                advice=_ADVICE,
            )
            for kind, count in self._counts.items()
        ]


class ChatLogCheck:
    """Whether the logs of chats end once, as their run did, and add up to the stored answers."""

    name, invariant = "logs of chats", "I2, I4, I5"

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection

    async def run(self, how: Examination) -> Sequence[Finding]:
        tally = _Tally(
            {
                "log_unreadable": "Logs of chats cannot be read.",
                "log_order": "Events of chats are not numbered upwards.",
                "log_end": "Logs of chats go on after their end, or end otherwise than their run.",
                "log_answer": "What chats streamed is not the answer that is stored.",
            }
        )
        async for run_traces in self._inspection.run_traces():
            for trace in run_traces:
                for kind in _violations(trace):
                    tally.add(kind, trace.run_id)
        return tally.findings()


def _violations(trace: RunTrace) -> set[str]:
    """Tell what is wrong with one log."""
    found: set[str] = set()
    records: list[RunRecord] = []
    is_whole = bool(trace.pages) and trace.pages[0].first_seq == 1
    for page in trace.pages:
        try:
            batch = _RECORDS.decode(page.payload)
        except msgspec.MsgspecError:
            return {"log_unreadable"}
        # Where memory did not suffice, or deltas were merged, a batch begins later than it could.
        is_whole &= bool(batch) and batch[0].seq == page.first_seq
        if not batch or batch[-1].seq != page.last_seq:
            found.add("log_order")
        records += batch
    numbers = [record.seq for record in records]
    if any(after <= before for before, after in pairwise(numbers)):
        found.add("log_order")
    ends = [number for number, each in enumerate(records) if isinstance(each.event, _END)]
    if ends and (ends != [len(records) - 1] or _status(records[-1]) != trace.status):
        found.add("log_end")
    if is_whole and not found and _matches_answers(records, trace) is False:
        found.add("log_answer")
    return found


def _status(record: RunRecord) -> str:
    match record.event:
        case RunCompleted():
            return "completed"
        case RunFailed():
            return "failed"
        case _:
            return "canceled"


def _matches_answers(records: Sequence[RunRecord], trace: RunTrace) -> bool:
    """Tell whether the pieces of each answer are the answer that is stored."""
    texts: dict[int, str] = {}
    done: set[int] = set()
    for record in records:
        match record.event:
            case MessageStarted(message_id=message_id):
                texts[message_id] = ""
            case MessageDelta(message_id=message_id, text=text):
                texts[message_id] = texts.get(message_id, "") + text
            case MessageReplaced(message_id=message_id, text=text):
                texts[message_id] = text
            case MessageCompleted(message):
                done.add(message.id)
            case _:
                pass  # tells of something else than answers
    told = {key: text for key, text in texts.items() if key in done}
    return all(trace.answers.get(key, text) == text for key, text in told.items())


class JournalCheck:
    """Whether no node of a workflow was carried out to its end twice."""

    name, invariant = "journals of workflows", "I9"

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection

    async def run(self, how: Examination) -> Sequence[Finding]:
        tally = _Tally(
            {
                "journal_unreadable": "Journals of workflows cannot be read.",
                "node_twice": "Nodes of workflows were carried out twice.",
            }
        )
        async for run_id, entries in self._inspection.journals(quick=how.quick):
            try:
                decoded = [_ENTRY.decode(entry) for entry in entries]
            except msgspec.MsgspecError:
                tally.add("journal_unreadable", run_id)
                continue
            if _has_twice([each for each in decoded if isinstance(each, NodeFinished)]):
                tally.add("node_twice", run_id)
        return tally.findings()


def _has_twice(finished: Sequence[NodeFinished]) -> bool:
    """Where edges may lead back, which the journal then names, nodes come more than once."""
    if any(each.edges for each in finished):
        return False
    return len({each.path for each in finished}) < len(finished)


class SpendCheck:
    """Whether runs say that they used what the ledger has of them."""

    name, invariant = "accounts of chats", "I8"

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection

    async def run(self, how: Examination) -> Sequence[Finding]:
        tally = _Tally(
            {
                "chat_unbooked": "Chats used more tokens than the ledger has calls for.",
                "chat_untold": "The ledger has calls of chats that their usage leaves out.",
            }
        )
        async for accounts in self._inspection.accounts(quick=how.quick):
            for account in accounts:
                if kind := _difference(account):
                    tally.add(kind, account.run_id)
        return tally.findings()


def _difference(account: Account) -> str:
    """Compare; calls after the end, and those of tools, have accounts of their own."""
    if any(spent > whole for spent, whole in zip(account.during, account.reported, strict=True)):
        return "chat_untold"
    if (
        account.is_plain
        and account.reported > (0, 0)
        and sum(account.reported) > sum(account.booked)
    ):
        return "chat_unbooked"
    return ""
