"""Chain of the audit log: whether a row of it was changed, added or taken away."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from application.operation.examination.doctor import Examination, Finding, Severity


class ChainState(Protocol):
    """What following the chain says."""

    @property
    def is_intact(self) -> bool: ...

    @property
    def checked(self) -> int: ...

    @property
    def unchained(self) -> int: ...

    @property
    def broken_at(self) -> int | None: ...


class AuditCheck:
    """Follows the chain from the oldest row that is kept."""

    name, invariant = "audit log", ""

    def __init__(self, verify: Callable[[None], Awaitable[ChainState]]) -> None:
        self._verify = verify

    async def run(self, how: Examination) -> Sequence[Finding]:
        if how.quick:
            return ()
        found = await self._verify(None)
        findings = []
        if not found.is_intact:
            place = f"at row {found.broken_at}" if found.broken_at else "at its newest row"
            findings.append(
                Finding(
                    id="audit_chain_broken",
                    message=f"The chain of the audit log breaks {place}: rows were changed, "
                    "added or taken away outside of the product.",
                    count=1,
                    advice="Compare with a backup or an export; restore what is missing.",
                )
            )
        if found.unchained:
            findings.append(
                Finding(
                    id="audit_unchained",
                    message="Rows of the audit log are not chained yet; servers do it in a second.",
                    severity=Severity.OK,
                    count=found.unchained,
                )
            )
        return findings
