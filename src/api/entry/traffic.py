"""Which kind of traffic a request is, told by its method and path alone."""

import re
from typing import Final

from application.shared.traffic import Traffic

_HEALTH: Final = frozenset({"/healthz", "/livez", "/readyz", "/startupz", "/version", "/metrics"})
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_INGEST: Final = re.compile(
    r"/files(/upload)?|/me/avatar|/workspaces/[^/]+/icon|/document/(create|update)|/caption:extract"
    r"|/datasets/[^/]+/(copy|previews|reconcile|reindex|resegment)|/previews/[^/]+/commit"
    r"|/databases/[^/]+/imports"
)
_READS_BY_POST: Final = re.compile(
    r"/v3/chat/(retrieve|message/list)|/v1/conversation/message/(list|retrieve)|/document/list"
    r"|/datasets/[^/]+/process|/datasets[/:]search|/records:query|/models/[^/]+/count-tokens"
)


def traffic_of(method: str, path: str) -> Traffic:
    """Sort a request; what is not known as something else is a change."""
    if path in _HEALTH:
        return Traffic.HEALTH
    if method in _READING:
        return Traffic.READ
    if path.endswith("/cancel"):
        return Traffic.CANCEL
    if _ends_with(_READS_BY_POST, path):
        return Traffic.READ
    return Traffic.INGEST if _ends_with(_INGEST, path) else Traffic.CHAT


def _ends_with(pattern: re.Pattern[str], path: str) -> bool:
    return any(found.end() == len(path) for found in pattern.finditer(path))
