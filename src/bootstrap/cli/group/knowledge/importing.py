"""``coterie knowledge import``: files into knowledge bases, each until it is indexed or refused."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click

from application.knowledge.dto import (
    CreateDataset,
    CreateDocuments,
    DatasetView,
    NewDocument,
    ProgressView,
)
from bootstrap.cli.group.knowledge.lookup import base_named, is_id
from bootstrap.cli.progress import ImportDisplay
from bootstrap.cli.session import Session
from domain.knowledge.error import DatasetNotFound, IngestQueueFull, KnowledgeInvalid
from domain.knowledge.value import DocumentStatus, FormatType, ParseRule, SourceType
from domain.shared.error import AppError

POLL_S: Final = 0.2
ASKED_AT_ONCE: Final = 100
QUEUE_FULL_WAIT_S: Final = 2.0
FORMATS: Final = {
    "text": FormatType.TEXT,
    "table": FormatType.TABLE,
    "image": FormatType.IMAGE,
}
_NOT_ACCEPTED: Final = "not accepted"


@dataclass
class FileResult:
    """What became of one file."""

    path: Path
    dataset_id: int = 0
    document_id: int = 0
    state: str = "waiting"
    percent: int = 0
    slices: int = 0
    code: int = 0
    cause: str = ""
    seconds: float = 0.0
    began: float = field(default_factory=time.monotonic)

    @property
    def is_over(self) -> bool:
        return self.state not in {"waiting", "indexing"}

    @property
    def has_failed(self) -> bool:
        return self.state in {"failed", _NOT_ACCEPTED}

    def document(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "path": str(self.path),
            "dataset_id": str(self.dataset_id) if self.dataset_id else None,
            "document_id": str(self.document_id) if self.document_id else None,
            "state": self.state,
            "slices": self.slices,
            "seconds": round(self.seconds, 2),
            "code": self.code,
            "cause": self.cause,
        }

    def refuse(self, error: AppError) -> None:
        """Note that the file was not even taken in."""
        self.state, self.code, self.cause = _NOT_ACCEPTED, error.code, error.message

    def update(self, progress: ProgressView) -> None:
        """Take over how far its document is."""
        view = progress.document
        self.percent, self.slices = progress.percent, view.slice_count
        match view.status:
            case DocumentStatus.ENABLED | DocumentStatus.DISABLED:
                self.state, self.percent = "indexed", 100
            case DocumentStatus.FAILED:
                self.state = "failed"
            case _:
                self.state = "indexing"
        if self.is_over:
            self.code, self.cause = view.fail_code, view.fail_reason
            self.seconds = time.monotonic() - self.began


@dataclass(frozen=True, kw_only=True)
class ImportPlan:
    """What to import, and where to; without ``format`` the type of each file decides."""

    files: tuple[Path, ...]
    name: str
    format: FormatType | None
    rule: ParseRule
    waits: bool


def files_below(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield files, those of directories sorted; hidden ones only if they are named."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for found in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in found.relative_to(path).parts)
            if found.is_file() and not hidden:
                yield found


class Importer:
    """Takes files in, one after the other, and follows them to their end."""

    def __init__(self, session: Session, plan: ImportPlan, display: ImportDisplay) -> None:
        self._session = session
        self._plan = plan
        self._display = display
        self._services = session.container.knowledge()
        self._bases: dict[str, DatasetView] = {}
        self._made: set[int] = set()
        self.results = [FileResult(path) for path in plan.files]

    @property
    def bases(self) -> tuple[DatasetView, ...]:
        """The bases that took part."""
        return tuple(self._bases.values())

    async def run(self) -> None:
        """Import everything; failures of single files are results, not errors."""
        for result in self.results:
            await self._take_in(result)
            await self._follow()
        while self._plan.waits and not all(result.is_over for result in self.results):
            await asyncio.sleep(POLL_S)
            await self._follow()
        await self._remove_empty()

    def _show(self, file: FileResult) -> None:
        self._display.show(file.path, percent=file.percent, is_over=file.is_over)

    async def _take_in(self, result: FileResult) -> None:
        result.began = time.monotonic()
        self._show(result)
        try:
            content = await asyncio.to_thread(result.path.read_bytes)
            base = await self._base_for(result.path)
            result.dataset_id = base.id
            result.document_id = await self._create(base, result.path, content)
            result.state = "indexing"
        except AppError as exc:
            result.refuse(exc)
        except OSError as exc:
            result.refuse(KnowledgeInvalid(f"The file cannot be read: {exc.strerror or exc}."))
        self._show(result)

    async def _create(self, base: DatasetView, path: Path, content: bytes) -> int:
        new = NewDocument(
            name=path.name,
            source_type=SourceType.LOCAL_FILE,
            content=content,
            extension=path.suffix,
        )
        command = CreateDocuments(dataset_id=base.id, documents=(new,), rule=self._plan.rule)
        while True:
            try:
                made = await self._services.documents.create(self._session.principal, command)
            except IngestQueueFull:
                if not self._plan.waits:
                    raise
                await asyncio.sleep(QUEUE_FULL_WAIT_S)
                await self._follow()
            else:
                return int(made[0].id)

    async def _base_for(self, path: Path) -> DatasetView:
        """Return the base for a file; tables each get their own, since a base has one schema."""
        wanted = self._plan.format
        if is_id(self._plan.name):
            return await self._base_by_id(int(self._plan.name))
        extension = path.suffix.lower().removeprefix(".")
        kind = self._services.accepted.kind_of(extension) if wanted is None else wanted
        name = self._plan.name
        if wanted is None and kind is FormatType.TABLE:
            name = f"{name} / {path.name}"
        elif wanted is None and kind is FormatType.IMAGE:
            name = f"{name} / images"
        return await self._base_by_name(name, kind)

    async def _base_by_id(self, number: int) -> DatasetView:
        key = str(number)
        if key not in self._bases:
            found = await self._services.datasets.get(self._session.principal, number)
            self._bases[key] = found
        return self._bases[key]

    async def _base_by_name(self, name: str, kind: FormatType) -> DatasetView:
        if name not in self._bases:
            try:
                found = await base_named(self._session, name)
            except DatasetNotFound:
                command = CreateDataset(
                    space_id=self._session.principal.personal_space_id,
                    name=name,
                    format_type=kind,
                )
                found = await self._services.datasets.create(self._session.principal, command)
                self._made.add(found.id)
            self._bases[name] = found
        return self._bases[name]

    async def _remove_empty(self) -> None:
        """Delete bases that were made for files of which none was taken in."""
        used = {result.dataset_id for result in self.results if result.document_id}
        for key, base in list(self._bases.items()):
            if base.id in self._made - used:
                await self._services.datasets.delete(self._session.principal, base.id)
                del self._bases[key]

    async def _follow(self) -> None:
        """Ask how far the documents are, base by base."""
        pending = [result for result in self.results if result.state == "indexing"]
        for dataset_id in {result.dataset_id for result in pending}:
            mine = {r.document_id: r for r in pending if r.dataset_id == dataset_id}
            for begin in range(0, len(mine), ASKED_AT_ONCE):
                wanted = list(mine)[begin : begin + ASKED_AT_ONCE]
                found = await self._services.documents.progress(
                    self._session.principal, dataset_id, wanted
                )
                for progress in found:
                    mine[progress.document.id].update(progress)
                    self._show(mine[progress.document.id])
                for gone in set(wanted) - {progress.document.id for progress in found}:
                    mine[gone].refuse(KnowledgeInvalid("The document was deleted meanwhile."))


def report(session: Session, importer: Importer, *, waits: bool) -> None:
    """Print what became of each file; leave with 1 if one failed."""
    results, output = importer.results, session.output
    failed = [result for result in results if result.has_failed]
    indexed = [result for result in results if result.state == "indexed"]
    lines = [f"{base.name}: knowledge base {base.id}" for base in importer.bases]
    lines.append(f"{len(indexed)} indexed, {len(failed)} failed, of {len(results)} files.")
    if not waits:
        lines.append("The rest is indexed as long as `coterie serve` or `coterie worker` runs.")
    warned = [result for result in indexed if result.cause]
    lines += [f"  {result.path}: {result.state}: {result.cause}" for result in (*failed, *warned)]
    body = {
        "datasets": [{"id": str(base.id), "name": base.name} for base in importer.bases],
        "documents": [result.document() for result in results],
        "indexed": len(indexed),
        "failed": len(failed),
    }
    output.result(body, *lines)
    if failed:
        raise click.exceptions.Exit(1)
