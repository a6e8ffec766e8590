"""Builders of adapters, typed by their ports; drivers are imported when they are selected."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, Protocol, TypeVar
from urllib.parse import urlsplit

import msgspec

from bootstrap.compose.code_images import images_folder
from bootstrap.safety import key_bytes
from bootstrap.settings import PORTS, AuditSettings, Chosen, CodeSettings, Settings
from domain.shared.capacity.processor import ProcessorShare
from domain.shared.capacity.share_meter import ShareFigures
from domain.shared.capacity.space_limits import SpaceLimitsOf, as_deployed
from domain.shared.error import SettingsInvalid
from domain.shared.limits import Limits
from domain.shared.registry import Registry
from domain.shared.secret import Secret
from domain.shared.text.link_filter import LinkRules, host_of
from infra.contract.adapter import (
    Adapter,
    BusAdapter,
    Channel,
    ObjectAdapter,
    Place,
    TextAdapter,
    VectorAdapter,
)
from infra.contract.clock import Clock
from infra.contract.code_runner import CodeLanguage, CodeRunner
from infra.contract.document.ocr import OcrEngine
from infra.contract.document.parser import DocumentFormat, DocumentParser
from infra.contract.lifecycle import Managed
from infra.contract.observability.audit_receiver import AuditReceiver
from infra.contract.observability.metrics import Metrics
from infra.contract.security.secret_box import SecretBox
from infra.contract.table.change import ChangingTableStore, StatementGuard
from infra.contract.table.sql_guard import SqlGuard
from infra.contract.table.store import TableStore
from infra.impl.clock.server import ServerClock
from infra.impl.logging.redaction import Redactor
from infra.impl.messaging import BUSES
from infra.impl.object_store import OBJECT_STORES
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.engine.server_time import server_time
from infra.impl.search_index import TEXT_INDEXES, VECTOR_INDEXES

_Adapter = TypeVar("_Adapter")


class ManagedParser(DocumentParser, Managed, Protocol):
    """A parser with a life cycle."""


class ManagedOcr(OcrEngine, Managed, Protocol):
    """A reader of images with a life cycle."""


class ManagedCodeRunner(CodeRunner, Managed, Protocol):
    """A code runner with a life cycle."""


class ManagedTableStore(ChangingTableStore, Managed, Protocol):
    """A table store with a life cycle."""


def place_of(settings: Settings, *, channel: Channel | None = None) -> Place:
    """The deployment, as adapters see it."""
    return Place(
        data=settings.data_path,
        chosen=lambda table: adapters_of(settings)[table],
        channel=channel,
    )


def vector_adapter(settings: Settings) -> VectorAdapter:
    """The settings that build the vector store."""
    return _chosen(settings.vector_index, VECTOR_INDEXES)


def text_adapter(settings: Settings) -> TextAdapter:
    """The settings that build the full-text store."""
    return _chosen(settings.text_index, TEXT_INDEXES)


def object_adapter(settings: Settings) -> ObjectAdapter:
    """The settings that build the object store."""
    return _chosen(settings.objects, OBJECT_STORES)


def bus_adapter(settings: Settings) -> BusAdapter:
    """The settings that build the bus and the signals."""
    return _chosen(settings.bus, BUSES)


def adapters_of(settings: Settings) -> Mapping[str, Adapter]:
    """What was chosen for each port, by the name of its table."""
    return {name: _chosen(table, PORTS[name]) for name, table in settings.chosen.items()}


def _chosen(table: Chosen, registry: Registry[type[_Adapter]]) -> _Adapter:
    return msgspec.convert(table, registry.get(table.kind), from_attributes=True)


def link_rules(external_url: str, hosts: Sequence[str]) -> LinkRules:
    """From which hosts readers of answers may load: ours, where links are signed, and these."""
    return LinkRules(frozenset({host_of(external_url), *hosts}))


def clock(database: Database, machine: Clock) -> Clock:
    """The time that leases are judged by: the database's, where machines may share it."""
    if database.is_sqlite:
        return machine
    return ServerClock(partial(server_time, database), machine=machine)


def running_clock(clock: Clock) -> Managed | None:
    """The clock, if it has to be started."""
    return clock if isinstance(clock, ServerClock) else None


def secret_box(keys: Sequence[Secret], redactor: Redactor) -> SecretBox:
    """Seals stored credentials under the first master key; logs never show one."""
    from infra.impl.secret_box.noting import NotingSecretBox

    return NotingSecretBox(content_box(keys), note=redactor.register)


def content_box(keys: Sequence[Secret]) -> SecretBox:
    """Seals what is said in runs under the first master key; logs need no mask for it.

    The others still open what was sealed before.
    """
    from infra.impl.secret_box.on_demand import SecretBoxOnDemand

    def make() -> SecretBox:
        from infra.impl.secret_box.aes_gcm import AesGcmSecretBox

        current, *former = map(key_bytes, keys)
        return AesGcmSecretBox(current, previous=former)

    return SecretBoxOnDemand(make)


def release_memory() -> None:
    """Give free pages of the heap back to the machine, where the C library can (glibc)."""
    import ctypes

    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return
    trim(0)


def document_formats() -> tuple[DocumentFormat, ...]:
    """What the parsers read; loads no library that does it."""
    from infra.impl.document_parser.format import document_formats as listed

    return listed()


def document_parser(
    limits: Limits, ocr: OcrEngine | None, metrics: Metrics, processor: ProcessorShare
) -> ManagedParser:
    """Parsers in jailed processes that start with the first document."""
    from infra.impl.document_parser.pool import ParserPool
    from infra.impl.sandbox.jail import Jail

    return ParserPool(
        jail=Jail(), limits=limits, processor=processor, ocr=ocr, figures=ShareFigures(metrics)
    )


def ocr_engine(limits: Limits, metrics: Metrics) -> ManagedOcr | None:
    """Reader of scanned pages and images, where its extra is installed."""
    from infra.impl.ocr.rapid import RapidOcr, is_installed
    from infra.impl.sandbox.jail import Jail

    if not is_installed():
        return None
    return RapidOcr(jail=Jail(), limits=limits, figures=ShareFigures(metrics))


def code_runner(
    settings: CodeSettings, data: Path, metrics: Metrics | None = None
) -> ManagedCodeRunner:
    """A sandbox for each language, started with the first code node; or none at all."""
    from infra.impl.code_runner.by_language import CodeRunnerByLanguage
    from infra.impl.code_runner.off import NoCodeRunner
    from infra.impl.code_runner.on_demand import CodeRunnerOnDemand

    if settings.kind == "off":
        return CodeRunnerByLanguage({each: NoCodeRunner() for each in CodeLanguage})
    workers, packages = settings.workers, settings.packages
    figures = ShareFigures(metrics) if metrics is not None else None

    def wasm() -> ManagedCodeRunner:
        from infra.impl.code_runner.runner import SandboxedCodeRunner
        from infra.impl.code_runner.wasm.sandbox import WasmSandbox

        return SandboxedCodeRunner(
            WasmSandbox(images_folder(settings, data)),
            workers=workers,
            figures=figures,
            label="code wasm",
        )

    def jail() -> ManagedCodeRunner:
        from infra.impl.code_runner.jail.sandbox import JailSandbox
        from infra.impl.code_runner.runner import SandboxedCodeRunner

        return SandboxedCodeRunner(
            JailSandbox(packages), workers=workers, figures=figures, label="code jail"
        )

    async def test() -> str:
        from infra.impl.sandbox.inspection import inspect
        from infra.impl.sandbox.jail import Jail

        found = await inspect(Jail())
        return "" if found.holds else f"The sandbox does not hold here: {found.reason}"

    async def prepare() -> str:
        from infra.impl.code_runner.wasm.making import make_early

        if problem := await test():
            return problem
        await make_early(images_folder(settings, data))
        return ""

    in_wasm = CodeRunnerOnDemand(wasm, prepare=prepare if settings.prepare else None)
    if settings.kind == "wasm":
        return in_wasm
    in_jail = CodeRunnerOnDemand(jail, prepare=test if settings.prepare else None)
    runners = {CodeLanguage.PYTHON: in_jail, CodeLanguage.JAVASCRIPT: in_wasm}
    return CodeRunnerByLanguage(runners)


def table_store(
    database_url: str,
    data: Path,
    limits: Limits,
    metrics: Metrics | None = None,
    *,
    limits_of: SpaceLimitsOf = as_deployed,
) -> ManagedTableStore:
    """Tables of tenants: beside the database they belong to, never inside its tables."""
    figures = ShareFigures(metrics) if metrics is not None else None
    most = limits.workspace_rows
    if database_url.startswith("sqlite"):
        from infra.impl.table_store.sqlite import SqliteTableStore

        return SqliteTableStore(
            data / "tables", most_rows=most, limits_of=limits_of, figures=figures
        )
    from infra.impl.table_store.postgres import PostgresTableStore

    return PostgresTableStore(database_url, most_rows=most, limits_of=limits_of, figures=figures)


def sql_guard(tables: TableStore, limits: Limits) -> SqlGuard:
    """Compiles what models write for the engine of the tables; loads a parser of SQL."""
    from infra.impl.sql_guard.guard import SqlglotGuard

    return SqlglotGuard(dialect=tables.dialect, limits=limits)


def statement_guard(tables: TableStore) -> StatementGuard:
    """Compiles statements that also write; loads a parser of SQL."""
    from infra.impl.sql_guard.statement import SqlglotStatementGuard

    return SqlglotStatementGuard(dialect=tables.dialect)


_SYSLOG_PORTS: Final = {"tls": 6514, "tcp": 601}
"""What IANA gave to syslog, with TLS (RFC 5425) and without (RFC 3195)."""


def audit_receiver(settings: AuditSettings) -> AuditReceiver:
    """Where the audit log is sent; raise ``SettingsInvalid`` for an address that is none."""
    import ssl

    from infra.impl.syslog.stream import SyslogStream

    try:
        address = urlsplit(settings.syslog)
        default_port = _SYSLOG_PORTS[address.scheme]
        host, port = address.hostname, address.port or default_port
        tls = None
        if address.scheme == "tls":
            tls = ssl.create_default_context(cafile=settings.syslog_ca or None)
    except (KeyError, OSError, ValueError) as exc:
        raise SettingsInvalid(f"audit.syslog: {settings.syslog!r} cannot be used: {exc}.") from exc
    if not host:
        raise SettingsInvalid("audit.syslog: expected tls://host:6514 or tcp://host:601.")
    return SyslogStream(host, port, tls=tls)
