"""Requests that clients may send again: by their key, the first answer stands for all."""

import asyncio
import hashlib
from datetime import datetime, timedelta
from typing import Final

import msgspec

from application.knowledge.dto import CreateDataset, CreateDocuments
from domain.shared.repository import RequestKey

KEPT_FOR: Final = timedelta(hours=24)


def dataset_request(command: CreateDataset) -> RequestKey | None:
    """Identify a request for a base; None without a key."""
    if not command.idempotency_key:
        return None
    return _request("dataset.create", command.idempotency_key, msgspec.json.encode(command))


async def document_request(command: CreateDocuments) -> RequestKey | None:
    """Identify a request for documents by all it says, their bytes included; None without a key."""
    if not command.idempotency_key:
        return None
    content = await asyncio.to_thread(_content, command)
    return _request("document.create", command.idempotency_key, content)


def kept_since(now: datetime) -> datetime:
    """Return the moment before which keys are forgotten."""
    return now - KEPT_FOR


def _content(command: CreateDocuments) -> bytes:
    documents = tuple(
        msgspec.structs.replace(new, content=hashlib.sha256(new.content).digest())
        for new in command.documents
    )
    return msgspec.json.encode(msgspec.structs.replace(command, documents=documents))


def _request(operation: str, key: str, content: bytes) -> RequestKey:
    return RequestKey(operation=operation, key=key, digest=hashlib.sha256(content).hexdigest())
