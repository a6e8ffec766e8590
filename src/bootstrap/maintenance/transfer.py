"""Composition of moves, backups and checks: the stores of one or two deployments, and their key."""

import hashlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from application.knowledge.dataset.restoring import IndexRestorer
from application.operation.archive.backup import Manifest
from application.operation.archive.content import BackupContent
from application.operation.move.indexes import IndexMove
from application.operation.move.moving import DeploymentMove, Part
from application.operation.move.objects import ObjectMove
from application.operation.move.rows import RowMove
from application.operation.move.tables import TableMove
from application.operation.move.transfer import Tell
from application.operation.move.vectors import VectorMove
from bootstrap.compose.adapters import adapters_of, vector_adapter
from bootstrap.compose.container import Container
from bootstrap.configuration import PREFIX, load
from bootstrap.safety import KEY_FILE, check, key_bytes, load_master_key
from bootstrap.server.lifecycle import prepare_data
from bootstrap.settings import Settings
from domain.shared.error import SettingsInvalid
from domain.shared.secret import Secret
from infra.contract.storage.transfer import TableCatalogue
from infra.impl.repository.sql.engine.migrate import head
from infra.impl.repository.sql.operation.sealed_secrets import SqlSealedSecrets
from infra.impl.repository.sql.operation.transfer import SqlRows
from infra.impl.secret_box.aes_gcm import AesGcmSecretBox

_KEY_PURPOSE: Final = b"coterie key fingerprint 1"
_FINGERPRINT_CHARS: Final = 16


def settings_of_file(path: Path, environ: Mapping[str, str]) -> Settings:
    """Read the settings of another deployment: its file alone, without our variables.

    ``${NAME}`` in the file may still name any variable.
    """
    if not path.is_file():
        raise SettingsInvalid(f"There is no settings file {path}.")
    references = {name: value for name, value in environ.items() if not name.startswith(PREFIX)}
    references[f"{PREFIX}CONFIG"] = str(path)
    found = load(references)
    check(found, references)
    return found


def settings_of_folder(data: Path, target: Settings) -> Settings:
    """Describe an embedded deployment by its data directory alone."""
    found = Settings(data_dir=str(data))
    if not (data / KEY_FILE).is_file():
        found = replace(found, master_key=target.master_key)
    return found


def require_embedded(settings: Settings) -> None:
    """Raise ``SettingsInvalid`` unless everything that moves lies in the data directory."""
    is_there = settings.data_path.is_dir() and (settings.data_path / "coterie.db").is_file()
    if not settings.database_url.startswith("sqlite"):
        raise SettingsInvalid(
            "The source is on PostgreSQL. This command moves what is in a data directory to "
            "servers; name the data directory with --data-dir or --from."
        )
    if not settings.database.url and not is_there:
        raise SettingsInvalid(f"{settings.data_path} holds no deployment: no coterie.db is there.")


def require_elsewhere(source: Settings, target: Settings) -> None:
    """Raise ``SettingsInvalid`` if both settings name one database."""
    if source.database_url == target.database_url:
        raise SettingsInvalid(
            "Source and target use the same database. Give the target a database.url of its own."
        )


def fingerprint(key: Secret) -> str:
    """Name a master key without telling anything about it."""
    hashed = hashlib.blake2b(_KEY_PURPOSE, key=key_bytes(key), digest_size=8).hexdigest()
    return hashed[:_FINGERPRINT_CHARS]


def share_key(source: Settings, target: Settings) -> Secret:
    """Give the target the source's master key, where it has none; return it.

    Raises:
        SettingsInvalid: the target has another one.
    """
    ours = load_master_key(source)
    place = target.data_path / KEY_FILE
    if not target.master_key and not place.exists():
        prepare_data(target.data_path)
        _write_key(place, ours)
    if load_master_key(target).reveal() != ours.reveal():
        raise SettingsInvalid(
            "The target has another master key, with which nothing sealed here can be opened. Give "
            f"it the key of the source (master_key, or {place})."
        )
    return ours


def require_key(settings: Settings, wanted: str) -> None:
    """Raise ``SettingsInvalid`` unless the deployment has the key of this fingerprint."""
    place = settings.data_path / KEY_FILE
    advice = f"Put the key of that deployment into {place}, or set {PREFIX}MASTER_KEY."
    if not settings.master_key and not place.exists():
        raise SettingsInvalid(f"What the backup holds is sealed, and no key is here. {advice}")
    if fingerprint(load_master_key(settings)) != wanted:
        raise SettingsInvalid(f"The backup is sealed under another master key. {advice}")


async def require_readable(container: Container, key: Secret) -> int:
    """Return how many credentials are stored; raise ``SettingsInvalid`` if one does not open."""
    secrets = SqlSealedSecrets(container.database())
    count, bad = await secrets.unreadable(AesGcmSecretBox(key_bytes(key)))
    if bad:
        raise SettingsInvalid(
            f"The master key does not open {len(bad)} of {count} stored credentials "
            f"({', '.join(bad[:3])}). Use the key they were stored under, or set them anew first."
        )
    return count


def catalogue(container: Container) -> TableCatalogue:
    """What tables the table store of a deployment holds."""
    settings = container.settings()
    if container.database().is_sqlite:
        from infra.impl.transfer.sqlite_tables import SqliteTableCatalogue

        return SqliteTableCatalogue(settings.data_path / "tables")
    from infra.impl.transfer.postgres_tables import PostgresTableCatalogue

    return PostgresTableCatalogue(settings.database_url)


def restorer(container: Container) -> IndexRestorer:
    """What fills the search stores of a deployment."""
    knowledge = container.knowledge()
    return IndexRestorer(store=knowledge.store, indexer=knowledge.indexer, texts=container.texts())


def move(source: Container, target: Container, *, origin: str, tell: Tell) -> DeploymentMove:
    """A move between two open deployments; stores that both share stay as they are."""
    ours = source.settings()
    rows = SqlRows(target.database())
    parts: list[Part] = [
        RowMove(SqlRows(source.database()), rows, tell=tell),
        TableMove(catalogue(source), source.tables(), target.tables(), tell=tell),
    ]
    if is_apart("objects", source, target):
        parts.append(ObjectMove(source.objects(), target.objects(), tell=tell))
    if is_apart("vector_index", source, target):
        vectors = vector_adapter(ours).source(source.vectors(), source.place())
        parts.append(VectorMove(vectors, target.vectors(), tell=tell))
    if is_apart("text_index", source, target):
        parts.append(IndexMove(restorer(target), is_embedding=False, tell=tell))
    return DeploymentMove(rows, parts, origin=origin)


def is_apart(table: str, source: Container, target: Container) -> bool:
    """Whether two deployments do not share the store of a port."""
    ours, theirs = (
        (type(adapter), adapter.identity(each.place()))
        for each in (source, target)
        for adapter in (adapters_of(each.settings())[table],)
    )
    return ours[1] is None or ours != theirs


def require_schema(manifest: Manifest) -> None:
    """Raise ``SettingsInvalid`` for a backup of another release's schema."""
    if manifest.schema != head():
        raise SettingsInvalid(
            f"The backup has schema {manifest.schema}, this release {head()}. Restore it with "
            f"release {manifest.release}, then start this one, which brings it up to date."
        )


def restoration(
    content: BackupContent, manifest: Manifest, target: Container, *, tell: Tell
) -> DeploymentMove:
    """The way of a backup into an open deployment."""
    rows = SqlRows(target.database())
    parts: list[Part] = [
        RowMove(content, rows, tell=tell),
        TableMove(content, content, target.tables(), tell=tell),
        ObjectMove(content, target.objects(), tell=tell),
        IndexMove(restorer(target), is_embedding=True, tell=tell),
    ]
    origin = f"{manifest.origin}-{manifest.made_at:%Y%m%d%H%M%S%f}"
    return DeploymentMove(rows, parts, origin=origin)


def _write_key(place: Path, key: Secret) -> None:
    partial = place.with_suffix(".part")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(key.reveal() + "\n")
        file.flush()
        os.fsync(file.fileno())
    shutil.move(partial, place)
