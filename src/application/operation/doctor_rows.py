"""Checks of the database: its schema, rows, leases, events and files."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from application.operation.doctor import Finding, Severity
from infra.contract.clock import Clock
from infra.contract.dead_letter import DeadLetters, LetterQuery
from infra.contract.inspection import Inspection, Oddity
from infra.contract.transfer import ObjectCatalogue

GRACE: Final = timedelta(seconds=90)
"""Leases end after at most a minute, and half a minute later their work is taken up."""
_EXAMPLES: Final = 5


class EngineCheck:
    """Whether the engine can read its own files."""

    name, invariant = "database files", "I1"

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection

    async def run(self, *, repair: bool) -> Sequence[Finding]:
        damage = await self._inspection.damage()
        return [Finding(message=line, advice="Restore the newest backup.") for line in damage]


class DanglingCheck:
    """Whether every row that names another one finds it."""

    name, invariant = "references", "I7"

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection

    async def run(self, *, repair: bool) -> Sequence[Finding]:
        return [
            _finding(oddity, f"{oddity.what} names rows that are not there.")
            for oddity in await self._inspection.dangling()
        ]


class OverdueCheck:
    """Whether everything that began has ended, or is held by somebody."""

    name, invariant = "unfinished work", "I3"

    def __init__(self, inspection: Inspection, *, clock: Clock) -> None:
        self._inspection = inspection
        self._clock = clock

    async def run(self, *, repair: bool) -> Sequence[Finding]:
        before = self._clock.now() - GRACE
        return [
            _finding(
                oddity,
                f"{oddity.what} are not over, and nobody works on them.",
                severity=Severity.WARNING,
                advice="The next server or worker that starts ends or takes them up.",
            )
            for oddity in await self._inspection.overdue(before=before)
        ]


class OrderCheck:
    """Whether the numbered events of each run are without gaps."""

    name, invariant = "event numbers", "I4"

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection

    async def run(self, *, repair: bool) -> Sequence[Finding]:
        return [
            _finding(oddity, f"Events of {oddity.what} have gaps.")
            for oddity in await self._inspection.gaps()
        ]


class LetterCheck:
    """Whether consumers gave deliveries up."""

    name, invariant = "dead letters", "I1"

    def __init__(self, letters: DeadLetters) -> None:
        self._letters = letters

    async def run(self, *, repair: bool) -> Sequence[Finding]:
        count = await self._letters.count(LetterQuery())
        if not count:
            return []
        found = await self._letters.find(LetterQuery(), limit=_EXAMPLES)
        finding = Finding(
            message="Deliveries were given up after their last attempt.",
            severity=Severity.WARNING,
            count=count,
            examples=tuple(letter.event_id for letter in found),
            advice="See `coterie dlq list`; then `coterie dlq retry` or `coterie dlq drop`.",
        )
        return [finding]


class ObjectCheck:
    """Whether every file that rows name is in the object store."""

    name, invariant = "files", "I1"

    def __init__(self, inspection: Inspection, objects: ObjectCatalogue) -> None:
        self._inspection = inspection
        self._objects = objects

    async def run(self, *, repair: bool) -> Sequence[Finding]:
        # The keys of rows first: an object is stored before its row.
        needed: set[str] = set()
        async for keys in self._inspection.object_keys():
            needed.update(keys)
        stored = {item.key.value async for item in self._objects.listed()}
        lost, spare = sorted(needed - stored), stored - needed
        findings = []
        if lost:
            findings.append(
                Finding(
                    message="Files are missing in the object store.",
                    count=len(lost),
                    examples=tuple(lost[:_EXAMPLES]),
                    advice="Bring the objects back from a backup, or delete what names them.",
                )
            )
        if spare:
            findings.append(
                Finding(
                    message="Objects belong to no row: unfinished uploads and derived files.",
                    severity=Severity.OK,
                    count=len(spare),
                )
            )
        return findings


def _finding(
    oddity: Oddity, message: str, *, severity: Severity = Severity.FAILURE, advice: str = ""
) -> Finding:
    return Finding(
        message=message,
        severity=severity,
        count=oddity.count,
        examples=oddity.examples,
        advice=advice,
    )
