"""Builders of adapters, typed by their ports; drivers are imported when they are selected."""

from pathlib import Path
from typing import Protocol

from bootstrap.safety import key_bytes
from domain.shared.secret import Secret
from infra.contract.lifecycle import Managed
from infra.contract.object_store import ObjectStore
from infra.contract.secret_box import SecretBox
from infra.impl.logging.redaction import Redactor


class ManagedObjectStore(ObjectStore, Managed, Protocol):
    """An object store with a life cycle."""


def local_objects(data: Path) -> ManagedObjectStore:
    """Objects as files under the data directory."""
    from infra.impl.object_store.local import LocalObjectStore

    return LocalObjectStore(data / "objects")


def secret_box(key: Secret, redactor: Redactor) -> SecretBox:
    """Seals stored credentials under the deployment's master key; logs never show one."""
    from infra.impl.secret_box.aes_gcm import AesGcmSecretBox
    from infra.impl.secret_box.noting import NotingSecretBox

    return NotingSecretBox(AesGcmSecretBox(key_bytes(key)), note=redactor.register)
