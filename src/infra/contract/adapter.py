"""Adapters that a deployment chooses among: their settings, and what each is asked.

An adapter registers the struct of its keys under the name that ``kind`` gives it. The struct builds
the adapter, and answers for it where operators examine a deployment or move its data.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import urlsplit

import msgspec

from infra.contract.clock import Clock
from infra.contract.lifecycle import Managed
from infra.contract.messaging.event_bus import EventBus
from infra.contract.messaging.event_repository import EventQueue, EventRelay
from infra.contract.messaging.signal import Signals
from infra.contract.storage.object_store import ObjectStore
from infra.contract.storage.search_index import TextIndexes, VectorIndexes
from infra.contract.storage.transfer import ObjectCatalogue, VectorSource

_LOCAL: Final = frozenset({"", "localhost", "127.0.0.1", "::1"})


class AdapterSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Keys of one adapter in the table of its port; those of all adapters stand there together."""

    def warnings(self) -> Sequence[str]:
        """What a start accepts and an operator should know of, a sentence each."""
        return ()

    def identity(self, place: "Place") -> tuple[object, ...] | None:
        """Name the store that is meant, whatever else is set; None for files of ``place``.

        What two deployments share is not moved from one to the other.
        """
        return None


@dataclass(frozen=True, kw_only=True)
class Channel:
    """Descriptors of datagram sockets, none of which blocks: those of one of several servers."""

    receiver: int
    """Where this one reads."""
    senders: Sequence[int]
    """Where each of the others is told something."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """The deployment that an adapter serves."""

    data: Path
    chosen: Callable[[str], object]
    """Settings of the adapter that serves another port, by the name of its table."""
    channel: Channel | None = None
    """To the other servers of the same parent, if there are any."""


class ManagedVectorIndexes(VectorIndexes, Managed, Protocol):
    """Vector collections with a life cycle."""


class ManagedTextIndexes(TextIndexes, Managed, Protocol):
    """Text collections with a life cycle."""


class ManagedObjectStore(ObjectStore, ObjectCatalogue, Managed, Protocol):
    """An object store with a life cycle, whose objects can be listed."""


class ManagedSignals(Signals, Managed, Protocol):
    """Signals with a life cycle."""


class ManagedEventBus(EventBus, Managed, Protocol):
    """An event bus with a life cycle, on which a process may claim less than it knows of.

    ``check`` raises ``Unavailable`` while events come later than they should.
    """

    @property
    def routes(self) -> Mapping[str, frozenset[str]]: ...

    def claim_only(self, consumers: Collection[str]) -> None: ...

    async def check(self) -> None: ...


class Messaging(Protocol):
    """Factory of the bus and the signals of a process, which may share a connection."""

    def event_bus(
        self, *, queue: EventQueue, relay: Callable[[], EventRelay], clock: Clock
    ) -> ManagedEventBus: ...

    def signals(self) -> ManagedSignals: ...


class Adapter(Protocol):
    """What every adapter answers; see ``AdapterSettings``."""

    def warnings(self) -> Sequence[str]: ...

    def identity(self, place: Place) -> tuple[object, ...] | None: ...


class VectorAdapter(Adapter, Protocol):
    """Settings of a vector store."""

    def build(self, place: Place) -> ManagedVectorIndexes:
        """Import the client and make the store; raises ``SettingsInvalid``."""
        ...

    def source(self, store: ManagedVectorIndexes, place: Place) -> VectorSource:
        """What reads the vectors of a store that was built so, to write them elsewhere."""
        ...


class TextAdapter(Adapter, Protocol):
    """Settings of a full-text store; its words are written elsewhere from the database."""

    def build(self, place: Place) -> ManagedTextIndexes:
        """Import the client and make the store; raises ``SettingsInvalid``."""
        ...


class ObjectAdapter(Adapter, Protocol):
    """Settings of an object store."""

    def build(self, place: Place) -> ManagedObjectStore:
        """Import the client and make the store; raises ``SettingsInvalid``."""
        ...


class BusAdapter(Adapter, Protocol):
    """Settings of the way in which processes tell each other of work."""

    def build(self, place: Place) -> Messaging:
        """Import the client; raises ``SettingsInvalid`` where it is not installed."""
        ...


def is_local(address: str) -> bool:
    """Tell whether a URL leads to this machine, where nobody listens in."""
    return (urlsplit(address).hostname or "") in _LOCAL
