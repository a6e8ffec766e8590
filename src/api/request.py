"""Request bodies: JSON, strictly UTF-8, of bounded depth."""

import re
from typing import Any, Final

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.types import Empty

from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits

_NUL: Final = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""The escape of U+0000, which PostgreSQL cannot store."""


class ApiRequest(Request[Principal, Any, State]):
    """The request class of the application; ``app.state`` has the limits and the edge's meter."""

    async def json(self) -> Any:
        """Decode the body once.

        Raises:
            HTTPException: the content type is another one (415).
            InvalidRequest: malformed, not UTF-8, nested too deeply, or with NUL characters.
        """
        if self._json is Empty:
            limits: Limits = self.app.state.limits
            body = await self.body()
            check_json_type(self.headers.get("content-type"))
            self._json = decode_json(body, max_depth=limits.json_depth)
        return self._json


def check_json_type(content_type: str | None) -> None:
    """Refuse bodies of another type; a missing header passes, browsers always send one."""
    if not content_type:
        return
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise HTTPException(
            f"Content-Type: expected application/json, got {media_type}.", status_code=415
        )


def decode_json(body: bytes, *, max_depth: int) -> Any:
    """Decode a JSON document; every failure is an ``InvalidRequest``."""
    if not body:
        return None
    try:
        value = msgspec.json.decode(body)
    except UnicodeDecodeError as exc:
        raise InvalidRequest("The body is not valid UTF-8.") from exc
    except msgspec.DecodeError as exc:
        raise InvalidRequest(f"The body is not valid JSON: {exc}.") from exc
    except RecursionError as exc:
        raise InvalidRequest(f"The body is nested deeper than {max_depth} levels.") from exc
    if b"\\u0000" in body and _NUL.search(body):
        raise InvalidRequest("The body contains a NUL character.")
    if body.count(b"[") + body.count(b"{") > max_depth and _depth(value) > max_depth:
        raise InvalidRequest(f"The body is nested deeper than {max_depth} levels.")
    return value


def _depth(value: Any) -> int:
    """Nesting of a decoded document, counted level by level."""
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [
            child for item in level for child in (item.values() if isinstance(item, dict) else item)
        ]
    return depth
