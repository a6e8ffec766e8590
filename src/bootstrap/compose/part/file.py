"""Composition of files: uploads, their links, and what the other contexts read."""

from collections.abc import Sequence
from dataclasses import dataclass

from application.file.icon import IconService
from application.file.picture import PictureService
from application.file.purge import FilePurge
from application.file.service import FileService
from crossdomain.file.impl import DomainFiles
from crossdomain.privacy.contract import LegalHolds
from domain.file.service import FileResolver
from domain.file.signature import FileLinks, LinkSigner
from domain.shared.capacity.quota import Quotas
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.egress import EgressClient
from infra.contract.storage.object_store import ObjectStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.file.repository import SqlFileStore


@dataclass(frozen=True, kw_only=True)
class FileParts:
    """Uploads for clients; bytes, text and links for the other contexts."""

    contract: DomainFiles
    links: FileLinks
    files: FileService
    pictures: PictureService
    purge: FilePurge
    icons: IconService


def compose_file(
    *,
    database: Database,
    objects: ObjectStore,
    egress: EgressClient,
    master_keys: Sequence[Secret],
    external_url: str,
    quotas: Quotas,
    holds: LegalHolds,
    clock: Clock,
    ids: IdGenerator,
    limits: Limits,
) -> FileParts:
    """Needs no other context."""
    store = SqlFileStore(database, clock)
    links = FileLinks(signer=LinkSigner(master_keys), public_url=external_url)
    resolver = FileResolver(
        store=store, objects=objects, egress=egress, links=links, clock=clock, limits=limits
    )
    files = FileService(
        store=store,
        objects=objects,
        links=links,
        clock=clock,
        ids=ids,
        limits=limits,
        quotas=quotas,
    )
    return FileParts(
        contract=DomainFiles(resolver),
        links=links,
        files=files,
        pictures=PictureService(files=files, limits=limits),
        purge=FilePurge(store=store, objects=objects, holds=holds, clock=clock, limits=limits),
        icons=IconService(public_url=external_url),
    )
