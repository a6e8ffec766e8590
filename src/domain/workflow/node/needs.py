"""Access of nodes to other contexts: to those that a deployment may lack, with their refusals."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from domain.shared.error import InvalidRequest
from domain.workflow.engine.error import NodeFailed
from domain.workflow.error import InvalidValue

P = TypeVar("P")


def needed(port: P | None, name: str) -> P:
    """Return a port; a run in surroundings without it fails with a message that says so."""
    if port is None:
        raise NodeFailed(f"This run has no access to {name}.")
    return port


@contextmanager
def given_values() -> Iterator[None]:
    """Tell what another context refuses as a fault of the values that the node was given."""
    try:
        yield
    except InvalidRequest as exc:
        raise InvalidValue(exc.message) from exc
