"""The interface document for tests that only read it."""

from functools import cache
from typing import Any

from bootstrap.idl import openapi


@cache
def interface() -> dict[str, Any]:
    """Describe every route; that takes seconds, so that a process does it once for all tests."""
    return openapi()
