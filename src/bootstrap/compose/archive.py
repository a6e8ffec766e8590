"""Archive of traces of a container, with the types of what is in it, and what needs it besides."""

from collections.abc import Iterable

from application.trace.replay import TraceReplay
from bootstrap.compose.container import Container
from bootstrap.compose.part.trace_archive import TraceArchiveParts


def archive_of(container: Container) -> TraceArchiveParts:
    """Return the archive; raise ``TypeError`` if the container has another one."""
    found = container.trace_archive()
    if not isinstance(found, TraceArchiveParts):
        raise TypeError(f"{type(found).__name__} is no archive that can be read.")
    return found


def trace_replay(container: Container) -> TraceReplay:
    """Return what lets runs happen again."""
    conversation = container.conversation()
    return TraceReplay(
        traces=archive_of(container).service,
        runs=conversation.runs,
        inputs=conversation.inputs,
        flows=container.workflow_runs().debugging,
    )


def trace_services(container: Container) -> Iterable[object]:
    """Return what controllers of traces ask for, besides what all may."""
    yield from vars(archive_of(container)).values()
    yield trace_replay(container)
