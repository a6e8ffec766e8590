"""Access to ports that a deployment may lack."""

from typing import TypeVar

from domain.workflow.engine.error import NodeFailed

P = TypeVar("P")


def needed(port: P | None, name: str) -> P:
    """Return a port; a run in surroundings without it fails with a message that says so."""
    if port is None:
        raise NodeFailed(f"This run has no access to {name}.")
    return port
