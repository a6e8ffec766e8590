"""Builders of the event bus and the signals; the client of NATS is imported when it is selected."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from bootstrap.configuration import SettingsInvalid
from bootstrap.settings import BusSettings
from infra.contract.clock import Clock
from infra.contract.event_bus import EventBus
from infra.contract.event_queue import EventQueue
from infra.contract.lifecycle import Managed
from infra.contract.signal import Signals
from infra.impl.repository.sql.engine.database import Database


class ManagedEventBus(EventBus, Managed, Protocol):
    """An event bus with a life cycle, on which a process may claim less than it knows of.

    ``check`` raises ``Unavailable`` while events come later than they should.
    """

    @property
    def routes(self) -> Mapping[str, frozenset[str]]: ...

    def claim_only(self, consumers: Collection[str]) -> None: ...

    async def check(self) -> None: ...


class ManagedSignals(Signals, Managed, Protocol):
    """Signals with a life cycle."""


class Messaging:
    """Makes the bus and the signals of one kind; with NATS they share a connection.

    Raises:
        SettingsInvalid: the extra is not installed, or no server is named.
    """

    def __init__(self, settings: BusSettings) -> None:
        self._settings = settings
        self._connection: Any = None if settings.kind == "embedded" else _connection(settings)

    def event_bus(self, *, database: Database, queue: EventQueue, clock: Clock) -> ManagedEventBus:
        """Deliver by way of the database alone, or woken by JetStream."""
        if self._connection is None:
            from infra.impl.event_bus.embedded import EmbeddedEventBus

            return EmbeddedEventBus(queue=queue, clock=clock)
        from infra.impl.event_bus.jetstream import JetStreamEventBus
        from infra.impl.event_bus.jetstream_stream import StreamOptions
        from infra.impl.repository.sql.event.relay import SqlEventRelay

        options = StreamOptions(
            name=self._settings.stream,
            prefix=self._settings.prefix,
            replicas=self._settings.replicas,
            max_age_s=self._settings.max_age_s,
            max_bytes=self._settings.max_bytes,
        )
        return JetStreamEventBus(
            connection=self._connection,
            options=options,
            queue=queue,
            relay=SqlEventRelay(database),
            clock=clock,
        )

    def signals(self) -> ManagedSignals:
        """Wake listeners of this process, and over NATS those of the others."""
        if self._connection is None:
            from infra.impl.signal.local import LocalSignals

            return LocalSignals()
        from infra.impl.signal.nats import NatsSignals

        return NatsSignals(self._connection, prefix=self._settings.prefix)


def _connection(settings: BusSettings) -> Any:
    try:
        from infra.impl.nats.connection import NatsConnection, NatsOptions
    except ImportError as exc:
        raise SettingsInvalid(
            "bus.kind is nats, but its client is not installed: pip install 'coterie[nats]'."
        ) from exc
    if not settings.urls:
        raise SettingsInvalid("bus.urls is empty: name at least one NATS server.")
    return NatsConnection(
        NatsOptions(
            servers=settings.urls,
            user=settings.user,
            password=settings.password,
            token=settings.token,
            credentials=settings.credentials,
            ca_certs=settings.ca_certs,
            certificate=settings.certificate,
            certificate_key=settings.certificate_key,
        )
    )
