"""Documents as they are given: which format, which syntax, and what plugin they become."""

from typing import Any

import msgspec

from application.plugin.dto import Format, ImportPlugin
from domain.plugin.error import DocumentUnreadable
from domain.plugin.foreign import from_curl, from_postman, from_swagger
from domain.plugin.openapi import ImportedPlugin, OpenApiReader
from domain.shared.error import RequestTooLarge
from domain.shared.json_scan import INNER_JSON, check_json


def read_document(given: ImportPlugin, reader: OpenApiReader, *, max_bytes: int) -> ImportedPlugin:
    """Turn a document into a plugin; takes a while, so not on the event loop.

    Raises:
        DocumentUnreadable: it has no such format, or nothing of it can be used.
        RequestTooLarge: it is longer than ``max_bytes``.
    """
    source = given.data if given.openapi is None else given.openapi
    kind: Format = given.format if given.openapi is None else "openapi"
    if not source:
        raise DocumentUnreadable("openapi: give a document, or data with its format.")
    if isinstance(source, str) and len(source.encode()) > max_bytes:
        raise RequestTooLarge(f"The document has more than {max_bytes} bytes.")
    if kind == "curl":
        if not isinstance(source, str):
            raise DocumentUnreadable("data: a curl command is a text.")
        root: Any = from_curl(source)
    else:
        root = decode_document(source) if isinstance(source, str) else source
        root = _rewritten(root, kind)
    return reader.read(root, server_url=given.manifest.server_url)


def decode_document(text: str) -> Any:
    """Decode JSON or YAML; raise ``DocumentUnreadable``."""
    try:
        if text.lstrip()[:1] in {"{", "["}:
            check_json(text, INNER_JSON)
            return msgspec.json.decode(text)
        return _plain(msgspec.yaml.decode(text))
    except (msgspec.DecodeError, ValueError, RecursionError) as exc:
        raise DocumentUnreadable(
            f"The document is neither JSON nor YAML: {str(exc)[:300]}"
        ) from exc


def _rewritten(root: Any, kind: Format) -> Any:
    if kind == "openapi" and isinstance(root, dict):
        if "swagger" in root:  # told apart by their first line, whatever the caller called them
            return from_swagger(root)
        if "openapi" not in root and isinstance(root.get("item"), list):
            return from_postman(root)
    if kind == "swagger2":
        return from_swagger(root)
    if kind == "postman":
        return from_postman(root)
    return root


def _plain(node: Any) -> Any:
    """Dates of YAML become texts again; shared parts stay shared."""
    seen: dict[int, Any] = {}

    def walk(each: Any) -> Any:
        if isinstance(each, dict):
            if id(each) not in seen:
                seen[id(each)] = {}
                seen[id(each)].update({key: walk(value) for key, value in each.items()})
            return seen[id(each)]
        if isinstance(each, list):
            if id(each) not in seen:
                seen[id(each)] = []
                seen[id(each)].extend(walk(value) for value in each)
            return seen[id(each)]
        return each if isinstance(each, str | int | float | bool | None) else str(each)

    return walk(node)
