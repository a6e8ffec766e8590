"""The interface document for tests that only read it."""

from functools import cache
from typing import Any

import msgspec

from bootstrap.idl import openapi
from tests.support.run import made_once


@cache
def interface() -> dict[str, Any]:
    """Describe every route; that takes seconds, so that it is done once for all tests of a run."""
    found: dict[str, Any] = msgspec.json.decode(
        made_once("interface.json", lambda: msgspec.json.encode(openapi()))
    )
    return found
