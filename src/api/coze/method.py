"""Routes that clients call with different methods."""

from typing import Any, Final

from litestar.handlers import HTTPRouteHandler
from litestar.types import Method, OperationIDCreator

GET_OR_POST: Final[list[Method]] = ["GET", "POST"]
"""Clients disagree about the method of calls that only read."""


def by_method(name: str, *, plain: Method = "GET") -> OperationIDCreator:
    """Name the operations of a route with several methods; ``plain`` has the name as it is."""

    def operation_id(_: HTTPRouteHandler, method: Method, __: Any) -> str:
        return name if method == plain else f"{name}_by_{method.lower()}"

    return operation_id
