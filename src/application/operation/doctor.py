"""Examines a deployment: what each check finds, how bad it is, and what to do about it."""

import logging
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Protocol

import msgspec

from domain.shared.error import AppError


class Severity(StrEnum):
    """How bad a finding is; only failures make the whole examination fail."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


_ORDER: Final = tuple(Severity)
_LOG: Final = logging.getLogger(__name__)


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a check says."""

    message: str
    severity: Severity = Severity.FAILURE
    count: int = 0
    examples: tuple[str, ...] = ()
    advice: str = ""
    is_repaired: bool = False
    """Repaired now, or given to those who will."""


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one check says; nothing found is well."""

    name: str
    invariant: str = ""
    findings: tuple[Finding, ...] = ()

    @property
    def severity(self) -> Severity:
        """The worst of what is not repaired."""
        left = [f.severity for f in self.findings if not f.is_repaired]
        return max(left, key=_ORDER.index, default=Severity.OK)


class Check(Protocol):
    """One thing to examine; ``invariant`` is its number in the promises of the product."""

    @property
    def name(self) -> str: ...

    @property
    def invariant(self) -> str: ...

    async def run(self, *, repair: bool) -> Sequence[Finding]: ...


class Doctor:
    """Runs all checks; one that cannot be made is a failure and does not stop the others."""

    def __init__(self, checks: Sequence[Check]) -> None:
        self._checks = checks

    async def examine(self, *, repair: bool) -> list[CheckReport]:
        """Run every check; with ``repair`` also mend what is safe to mend beside servers."""
        return [await self._examine(check, repair=repair) for check in self._checks]

    async def _examine(self, check: Check, *, repair: bool) -> CheckReport:
        try:
            findings = tuple(await check.run(repair=repair))
        except AppError as exc:
            findings = (Finding(message=f"This could not be checked: {exc.message}"),)
        except Exception as exc:  # noqa: BLE001 - what is damaged may fail in any way
            _LOG.warning("a check failed", extra={"check": check.name}, exc_info=True)
            findings = (Finding(message=f"This could not be checked: {type(exc).__name__}."),)
        return CheckReport(name=check.name, invariant=check.invariant, findings=findings)


def is_healthy(reports: Sequence[CheckReport]) -> bool:
    """Tell whether nothing failed."""
    return all(report.severity is not Severity.FAILURE for report in reports)
