"""Checks of the database: its schema, rows, leases and dead letters."""

from collections.abc import Sequence
from typing import Final

from application.operation.doctor import Examination, Finding, Severity
from application.operation.doctor_words import finding_of
from infra.contract.clock import Clock
from infra.contract.dead_letter import DeadLetters, LetterQuery
from infra.contract.inspection import Inspection, Retention, Theme

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
        theme: Theme,
        inspection: Inspection,
        *,
        name: str,
        invariant: str,
        clock: Clock,
        retention: Retention,
    ) -> None:
        self.name, self.invariant = name, invariant
        self._theme = theme
        self._inspection = inspection
        self._clock = clock
        self._retention = retention

    async def run(self, how: Examination) -> Sequence[Finding]:
        found = await self._inspection.oddities(
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
