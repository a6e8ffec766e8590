"""Composition of the examination of a deployment, and the checks that only its settings answer."""

import asyncio
import os
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from application.operation.examination.audit import AuditCheck
from application.operation.examination.doctor import (
    Check,
    Doctor,
    Examination,
    Finding,
    Severity,
    Tell,
)
from application.operation.examination.index import IndexCheck
from application.operation.examination.objects import ObjectCheck
from application.operation.examination.rows import EngineCheck, LetterCheck, RecoveryCheck, RowCheck
from application.operation.examination.runs import ChatLogCheck, JournalCheck, SpendCheck
from bootstrap.compose.adapters import adapters_of, content_box
from bootstrap.compose.container import Container
from bootstrap.maintenance.transfer import restorer
from bootstrap.safety import KEY_FILE
from bootstrap.settings import Settings, is_loopback
from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT
from infra.contract.code_runner import CodeLanguage, CodeRequest, CodeRunner, CodeStatus
from infra.contract.security.secret_box import SecretBox
from infra.contract.storage.inspection import CheckGroup, Retention
from infra.impl.mcp.confinement import obstacle
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.migrate import SchemaTooNew, SchemaTooOld, head, require_known
from infra.impl.repository.sql.event.dead_letter import SqlDeadLetters
from infra.impl.repository.sql.operation.inspection import SqlInspection
from infra.impl.repository.sql.operation.sealed_secrets import SqlSealedSecrets
from infra.impl.repository.sql.operation.transfer import SqlRows

_FREE_SHARE: Final = 0.05
_ENOUGH_SHARE: Final = 0.15
_TEST_CODE: Final = "async def main(args):\n    return {'sum': args.params['a'] + 1}\n"
_TEST_TIMEOUT_MS: Final = 30_000


class SchemaCheck:
    """Whether the database has this release's schema, and all of its data."""

    name, invariant = "schema", "I12"

    def __init__(self, database: Database) -> None:
        self._database = database

    async def run(self, how: Examination) -> Sequence[Finding]:
        found = await SqlInspection(self._database).revision()
        if found is None:
            return [
                Finding(
                    id="schema_missing",
                    message="The database is empty.",
                    advice="Run `coterie serve` once.",
                )
            ]
        try:
            require_known(found)
        except SchemaTooNew:
            return [
                Finding(
                    id="schema_newer",
                    message=f"The database has schema {found} of a newer release.",
                    advice="Use that release, or restore a backup of this one.",
                )
            ]
        except SchemaTooOld as exc:
            return [
                Finding(
                    id="schema_ancient",
                    message=f"The database has schema {found}, this release {head()}.",
                    advice=str(exc),
                )
            ]
        if found != head():
            return [
                Finding(
                    id="schema_older",
                    message=f"The database has schema {found}, this release {head()}.",
                    advice="Make a backup, then run `coterie migrate`.",
                )
            ]
        if await SqlRows(self._database).unfinished():
            return [
                Finding(
                    id="move_unfinished",
                    message="Data is being moved into this database; not all of it has arrived.",
                    advice="Repeat `coterie migrate-data` or `coterie restore` until it ends.",
                )
            ]
        return []


class SecretCheck:
    """Whether the master key opens everything that is sealed."""

    name, invariant = "master key", "T15"

    def __init__(self, database: Database, box: SecretBox) -> None:
        self._secrets = SqlSealedSecrets(database)
        self._box = box

    async def run(self, how: Examination) -> Sequence[Finding]:
        count, bad = await self._secrets.unreadable(self._box)
        if not bad:
            return []
        return [
            Finding(
                id="key_wrong",
                message=f"The master key does not open {len(bad)} of {count} credentials.",
                count=len(bad),
                examples=tuple(bad[:5]),
                advice="Use the key they were stored under, or set these credentials anew.",
            )
        ]


class DiskCheck:
    """Whether the data directory has room."""

    name, invariant = "disk", "I1"

    def __init__(self, data: Path) -> None:
        self._data = data

    async def run(self, how: Examination) -> Sequence[Finding]:
        usage = await asyncio.to_thread(shutil.disk_usage, self._data)
        share = usage.free / (usage.used + usage.free)
        if share >= _ENOUGH_SHARE:
            return []
        return [
            Finding(
                id="disk_full",
                message=f"{share:.0%} of the disk of {self._data} is free.",
                severity=Severity.FAILURE if share < _FREE_SHARE else Severity.WARNING,
                advice="Make room before writes fail.",
            )
        ]


class SandboxCheck:
    """Whether code nodes run."""

    name, invariant = "code sandbox", "T01"

    def __init__(self, runner: CodeRunner, *, is_off: bool) -> None:
        self._runner = runner
        self._is_off = is_off

    async def run(self, how: Examination) -> Sequence[Finding]:
        if self._is_off:
            return []
        request = CodeRequest(
            space_id=OF_THE_DEPLOYMENT,
            language=CodeLanguage.PYTHON,
            code=_TEST_CODE,
            params={"a": 1},
            now_ms=0,
            seed=0,
            timeout_ms=_TEST_TIMEOUT_MS,
        )
        result = await self._runner.run(request)
        if result.status is CodeStatus.OK and result.result == {"sum": 2}:
            return []
        reason = self._runner.disabled_reason or (result.error and result.error.message) or ""
        return [
            Finding(
                id="sandbox_failed",
                message=f"Code nodes do not run ({result.status.value}): {reason}",
                severity=Severity.WARNING,
                advice="See docs/code-sandbox.md, or set code.kind to off.",
            )
        ]


class ProgramCheck:
    """Whether MCP programs of the operator start here, and are confined."""

    name, invariant = "MCP programs", ""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def run(self, how: Examination) -> Sequence[Finding]:
        programs = self._settings.mcp_programs
        jailed = tuple(each.name for each in programs if each.jail)
        free = tuple(each.name for each in programs if not each.jail)
        missing = tuple(each.name for each in programs if not os.access(each.command, os.X_OK))
        reason = obstacle()
        found = []
        if missing:
            found.append(
                Finding(
                    id="mcp_program_missing",
                    message="The command of an MCP program is no program.",
                    count=len(missing),
                    examples=missing[:5],
                    advice="Correct command under [[mcp_programs]].",
                )
            )
        if reason and jailed:
            found.append(
                Finding(
                    id="mcp_program_not_confined",
                    message=f"MCP programs are not started: they cannot be confined, {reason}.",
                    count=len(jailed),
                    examples=jailed[:5],
                    advice="Use a kernel with Landlock, or set jail = false for those you trust.",
                )
            )
        if free:
            found.append(
                Finding(
                    id="mcp_program_free",
                    message="MCP programs with jail = false read all that the server may read.",
                    severity=Severity.WARNING,
                    count=len(free),
                    examples=free[:5],
                    advice="List what they need under folders, and remove jail = false.",
                )
            )
        return found


class SettingsCheck:
    """Settings that a start accepts and an operator should know of."""

    name, invariant = "settings", "T26"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def run(self, how: Examination) -> Sequence[Finding]:
        settings = self._settings
        files = await asyncio.to_thread(_open_files, settings)
        unsafe = [
            *(
                ("open_files", f"{path} can be read by other users of this machine.")
                for path in files
            ),
            *(("exposed", line) for line in _listening(settings)),
            *(
                ("service_open", line)
                for adapter in adapters_of(settings).values()
                for line in adapter.warnings()
            ),
        ]
        return [Finding(id=name, message=line, severity=Severity.WARNING) for name, line in unsafe]


def _open_files(settings: Settings) -> list[Path]:
    paths = (settings.data_path, settings.data_path / KEY_FILE)
    return [path for path in paths if path.exists() and path.stat().st_mode & stat.S_IRWXO]


def _listening(settings: Settings) -> list[str]:
    found = []
    if not is_loopback(settings.operations.host):
        found.append("operations.host: whoever reaches it reads figures and API pages, unasked.")
    if "*" in settings.serve.hosts:
        found.append("serve.hosts lets pages of any site ask the server from a browser beside it.")
    if not settings.is_loopback and not settings.public_url.startswith("https://"):
        found.append("public_url is not https: tokens travel in the clear.")
    if "0.0.0.0/0" in settings.trusted_proxies or "*" in settings.trusted_proxies:
        found.append("trusted_proxies trusts everybody: clients can claim any address.")
    if settings.egress.allow_private:
        names = ", ".join(settings.egress.allow_private)
        found.append(f"egress.allow_private lets tenants reach {names}.")
    return found


THEMES: Final = (
    (CheckGroup.REFERENCES, "references", "I1"),
    (CheckGroup.ANSWERS, "answers and keys", "I2"),
    (CheckGroup.UNFINISHED, "unfinished work", "I3"),
    (CheckGroup.ORDER, "event numbers", "I4, I9"),
    (CheckGroup.DOCUMENTS, "documents", "I6"),
    (CheckGroup.SPEND, "accounts of workflows", "I8"),
    (CheckGroup.LEFT_OVER, "left-overs", "I11"),
)


def doctor_of(container: Container, *, tell: Tell | None = None) -> Doctor:
    """All checks of an open deployment."""
    settings = container.settings()
    database, clock = container.database(), container.clock()
    inspection, letters = SqlInspection(database), SqlDeadLetters(database)
    limits = settings.limits
    retention = Retention(
        event_log_s=limits.event_log_ttl_s,
        run_s=limits.run_wall_s,
        request_key_s=limits.idempotency_ttl_s,
    )
    objects = container.objects()
    checks: list[Check] = [
        SchemaCheck(database),
        EngineCheck(inspection),
        SecretCheck(database, content_box(container.master_keys())),
        *(
            RowCheck(
                theme,
                inspection,
                name=name,
                invariant=invariant,
                clock=clock,
                retention=retention,
            )
            for theme, name, invariant in THEMES
        ),
        ChatLogCheck(inspection),
        JournalCheck(inspection),
        SpendCheck(inspection),
        AuditCheck(container.identity().audit.verify),
        LetterCheck(letters),
        ObjectCheck(inspection, objects, objects),
        IndexCheck(
            restorer(container),
            container.vectors(),
            container.texts(),
            repairing=container.knowledge().reconciler,
        ),
        DiskCheck(settings.data_path),
        SandboxCheck(container.code_runner(), is_off=settings.code.kind == "off"),
        ProgramCheck(settings),
        SettingsCheck(settings),
        RecoveryCheck(),
    ]
    return Doctor(checks, tell=tell)
