"""Examines a deployment: what each check finds, how bad it is, and what to do about it."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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

Tell = Callable[[str, int, int], None]
"""Takes what is looked at, how far it is, and how much there is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """How to look: ``deep`` reads contents too, ``quick`` leaves out what is old or large."""

    repair: bool = False
    deep: bool = False
    quick: bool = False


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a check says; programs know it by ``id``, which stays."""

    id: str
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

    async def run(self, how: Examination) -> Sequence[Finding]:
        """Look; what is under way beside it is no finding."""
        ...


class Doctor:
    """Runs all checks; one that cannot be made is a failure and does not stop the others."""

    def __init__(self, checks: Sequence[Check], *, tell: Tell | None = None) -> None:
        self._checks = checks
        self._tell = tell or _silent

    async def examine(self, how: Examination) -> list[CheckReport]:
        """Run every check; with ``repair`` also mend what is safe to mend beside servers."""
        reports = []
        for number, check in enumerate(self._checks):
            self._tell("checks", number, len(self._checks))
            reports.append(await self._examine(check, how))
        self._tell("checks", len(self._checks), len(self._checks))
        return reports

    async def _examine(self, check: Check, how: Examination) -> CheckReport:
        try:
            findings = tuple(await check.run(how))
        except AppError as exc:
            findings = (_unchecked(exc.message),)
        except Exception as exc:  # noqa: BLE001 - what is damaged may fail in any way
            _LOG.warning("a check failed", extra={"check": check.name}, exc_info=True)
            findings = (_unchecked(f"{type(exc).__name__}."),)
        return CheckReport(name=check.name, invariant=check.invariant, findings=findings)


def is_healthy(reports: Sequence[CheckReport]) -> bool:
    """Tell whether nothing failed."""
    return all(report.severity is not Severity.FAILURE for report in reports)


def _unchecked(cause: str) -> Finding:
    return Finding(id="unchecked", message=f"This could not be checked: {cause}")


def _silent(what: str, done: int, total: int) -> None:
    """Take the progress when nobody watches."""
