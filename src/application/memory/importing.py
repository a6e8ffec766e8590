"""Files that become rows: asked for by people, read in the background, all rows or none."""

import asyncio
import logging
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

import msgspec

from application.memory.database_service import permitted
from application.memory.dto import ImportView, NewImport, RecordTarget
from application.memory.rows import MAX_ROWS
from crossdomain.file.contract import FileBytes, FileDescription
from domain.memory.database import (
    CONNECTOR_COLUMN,
    CREATED_COLUMN,
    USER_COLUMN,
    DatabaseId,
    DatabaseTable,
    ImportId,
    ImportJob,
    ImportStatus,
    Side,
)
from domain.memory.error import DatabaseNotFound, ImportNotFound, RecordInvalid, TableFull
from domain.memory.event import ImportRequested
from domain.memory.record import cells_of
from domain.memory.repository import MemoryStore
from domain.shared.access import Permission, Principal, TenantScope
from domain.shared.crashpoint import crashpoint
from domain.shared.error import AppError, InvalidRequest, RequestTooLarge, Unavailable
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import FileId, SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.clock import Clock
from infra.contract.document.parser import (
    DocumentParser,
    ExtractedImage,
    ParsedDocument,
    ParseOptions,
    ParseProgress,
    Purpose,
    Row,
    Table,
    TableRange,
)
from infra.contract.messaging.event_bus import Delivery
from infra.contract.table.change import ChangingTableStore, NoRoom, Once
from infra.contract.table.store import TableRow

IMPORTED: Final = frozenset({"database.import_requested"})
MAX_HEADER_LINE: Final = 100
_SHOWN_PROBLEMS: Final = 20
_LAST_ATTEMPT: Final = 4
_LOW_BITS: Final = 20
_STAMP: Final = "%Y-%m-%d %H:%M:%S"
_BROKEN: Final = "The import failed for a reason of ours; try it again."
_log: Final = logging.getLogger(__name__)


class ImportService:
    """Takes files, and says how far they are."""

    def __init__(
        self,
        *,
        store: MemoryStore,
        files: FileBytes,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
        extensions: frozenset[str],
    ) -> None:
        """``extensions`` are those of the tables that can be read."""
        self._store = store
        self._files = files
        self._extensions = extensions
        self._clock = clock
        self._ids = ids
        self._limits = limits

    async def submit(
        self, principal: Principal, target: RecordTarget, new: NewImport
    ) -> ImportView:
        """Accept a file; raise ``FileNotFound``, ``InvalidRequest``, ``RequestTooLarge``."""
        async with self._store.snapshot() as uow:
            await permitted(uow, principal, target.database_id, Permission.DATASET_WRITE)
        file = await checked_file(
            self._files, principal, new, limits=self._limits, extensions=self._extensions
        )
        if target.side not in set(Side):
            raise InvalidRequest("env: draft or online.", field="env")
        now = self._clock.now()
        async with self._store.transaction() as uow:
            table = await permitted(uow, principal, target.database_id, Permission.DATASET_WRITE)
            job = ImportJob(
                id=ImportId(self._ids.next_id()),
                space_id=table.space_id,
                database_id=table.id,
                side=Side(target.side),
                file_id=file.id,
                file_name=file.name,
                sheet=new.sheet,
                header_line=new.header_line,
                end_user_id=target.end_user_id or "",
                connector_id=principal.connector_id,
                creator_id=principal.user_id,
                status=ImportStatus.WAITING,
                total=0,
                rows=0,
                problem="",
                created_at=now,
                updated_at=now,
            )
            await uow.imports.put(principal.scope, job)
            table.request_import(job.id, actor_id=principal.user_id, now=now)
            uow.collect(*table.pull_events())
            await uow.commit()
        return ImportView.of(job)

    async def get(self, principal: Principal, database_id: int, import_id: int) -> ImportView:
        """Say how far an import is; raise ``ImportNotFound``."""
        async with self._store.snapshot() as uow:
            table = await permitted(uow, principal, database_id, Permission.DATASET_READ)
            job = await uow.imports.get(principal.scope, table.id, ImportId(import_id))
        return ImportView.of(job)


class ImportWorker:
    """Reads files and adds their rows in one transaction, once, however often it is repeated."""

    def __init__(
        self,
        *,
        store: MemoryStore,
        tables: ChangingTableStore,
        files: FileBytes,
        parser: DocumentParser,
        clock: Clock,
    ) -> None:
        self._store = store
        self._tables = tables
        self._files = files
        self._parser = parser
        self._clock = clock

    async def handle(self, delivery: Delivery) -> None:
        """Work on one import; whatever is the file's fault ends it, other faults are retried."""
        event = msgspec.json.decode(delivery.payload, type=ImportRequested)
        scope = TenantScope(UserId(event.actor_id), frozenset({SpaceId(event.space_id)}))
        try:
            async with self._store.snapshot() as uow:
                table = await uow.databases.get(scope, DatabaseId(event.aggregate_id))
                job = await uow.imports.get(scope, table.id, ImportId(event.import_id))
        except (DatabaseNotFound, ImportNotFound):
            return
        if job.is_over:
            return
        try:
            rows = await self._import(scope, table, job)
        except Exception as exc:
            is_theirs = isinstance(exc, AppError) and not isinstance(exc, Unavailable)
            if not is_theirs and delivery.attempt < _LAST_ATTEMPT:
                raise
            if not is_theirs:
                _log.exception("An import failed for good.")
            problem = exc.message if is_theirs and isinstance(exc, AppError) else _BROKEN
            await self._put(scope, job.failed(problem, now=self._clock.now()))
            return
        await self._put(scope, job.done(rows, now=self._clock.now()))
        crashpoint("import.done")

    async def _import(self, scope: TenantScope, table: DatabaseTable, job: ImportJob) -> int:
        parsed = await self._parser.parse(
            lambda: self._files.read(scope, job.file_id),
            ParseOptions(
                extension=PurePosixPath(job.file_name).suffix.removeprefix(".").lower(),
                purpose=Purpose.TABLE,
                table=TableRange(sheet=job.sheet, header_line=job.header_line),
            ),
            NO_SINK,
            owner=table.space_id,
        )
        crashpoint("import.read")
        target = table.ref(job.side)
        if await self._tables.count(target) + parsed.metadata.rows > MAX_ROWS:
            raise TableFull(f"A table holds up to {MAX_ROWS} rows; this file has too many.")
        rows = await asyncio.to_thread(self._rows, table, job, parsed)
        await self._put(scope, job.running(total=len(rows), rows=0, now=self._clock.now()))
        crashpoint("import.noted")
        system = (USER_COLUMN, CONNECTOR_COLUMN, CREATED_COLUMN)
        columns = (*system, *(each.physical for each in table.fields))
        once = Once(key=_key(job), now=self._clock.now())
        try:
            await self._tables.insert(target, columns, rows, once=once, most=MAX_ROWS)
        except NoRoom as exc:
            raise TableFull(exc.message) from exc
        crashpoint("import.inserted")
        return len(rows)

    def _rows(self, table: DatabaseTable, job: ImportJob, parsed: ParsedDocument) -> list[TableRow]:
        """Fit every cell; raise ``RecordInvalid`` with the first of them that do not fit."""
        names = [name.strip() for name in parsed.metadata.columns]
        for name in names:
            table.field(name)
        first = _key(job) >> _LOW_BITS << _LOW_BITS
        system = (job.end_user_id, job.connector_id, job.created_at.strftime(_STAMP))
        rows: list[TableRow] = []
        problems: list[str] = []
        for number, row in enumerate(lines_of(parsed)):
            if len(problems) >= _SHOWN_PROBLEMS:
                break
            try:
                cells = cells_of(table, dict(zip(names, row, strict=False)))
            except RecordInvalid as exc:
                problems.append(f"row {number + 1}, {exc.message}")
                continue
            rows.append(TableRow(first + number, (*system, *cells.values())))
        if problems:
            raise RecordInvalid("\n".join(problems))
        if not rows:
            raise RecordInvalid("The file has no rows below its header.")
        return rows

    async def _put(self, scope: TenantScope, job: ImportJob) -> None:
        async with self._store.transaction() as uow:
            await uow.imports.put(scope, job)
            await uow.commit()


async def checked_file(
    files: FileBytes,
    principal: Principal,
    new: NewImport,
    *,
    limits: Limits,
    extensions: frozenset[str],
) -> FileDescription:
    """Find a file that can be read as a table.

    Raises ``FileNotFound``, ``InvalidRequest``, ``RequestTooLarge``.
    """
    file = await files.find(principal.scope, file_id=FileId(new.file_id))
    if PurePosixPath(file.name).suffix.removeprefix(".").lower() not in extensions:
        known = ", ".join(sorted(extensions))
        raise InvalidRequest(f"file_id: a table is needed, one of {known}.", field="file_id")
    if file.size > limits.document_bytes:
        raise RequestTooLarge(f"file_id: up to {limits.document_bytes} bytes.")
    if not 0 <= new.header_line <= MAX_HEADER_LINE:
        raise InvalidRequest(f"header_row: 0 to {MAX_HEADER_LINE}.", field="header_row")
    return file


class _NoSink:
    """Nobody waits for images; progress is that of the rows."""

    async def add_image(self, image: ExtractedImage) -> None:
        """Images in a sheet are no cells."""

    async def report(self, progress: ParseProgress) -> None:
        """Reading is the short part."""


NO_SINK: Final = _NoSink()


def lines_of(parsed: ParsedDocument) -> Iterator[Row]:
    """Return the rows of a file, no more than a table holds."""
    found = (row for block in parsed.blocks() if isinstance(block, Table) for row in block.rows)
    return islice(found, MAX_ROWS + 1)


def _key(job: ImportJob) -> int:
    digest = sha256(f"import/{job.id}".encode()).digest()
    return int.from_bytes(digest[:8]) >> 1
