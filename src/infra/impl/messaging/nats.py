"""Messaging over NATS JetStream, woken by which processes look at the database."""

from collections.abc import Callable
from typing import Annotated

import msgspec

from domain.shared.error import SettingsInvalid
from domain.shared.secret import Secret
from infra.contract.adapter import (
    AdapterSettings,
    ManagedEventBus,
    ManagedSignals,
    Messaging,
    Place,
)
from infra.contract.clock import Clock
from infra.contract.messaging.event_repository import EventQueue, EventRelay
from infra.impl.messaging import BUSES


class NatsBus(AdapterSettings, frozen=True, kw_only=True):
    """A NATS cluster with JetStream."""

    urls: tuple[Annotated[str, msgspec.Meta(pattern=r"^(nats|tls)://[^/@]+$")], ...] = (
        "nats://127.0.0.1:4222",
    )
    """Addresses of the servers of one cluster; credentials have settings of their own."""
    user: str = ""
    password: Secret = Secret("")
    token: Secret = Secret("")
    credentials: str = ""
    """File with the JWT and the seed of a user (``.creds``)."""
    ca_certs: str = ""
    """File with the authority that signed the servers' certificates."""
    certificate: str = ""
    certificate_key: str = ""
    stream: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")] = "coterie_events"
    prefix: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")] = "coterie"
    """Start of all subjects, so that deployments can share an account."""
    replicas: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    max_age_s: Annotated[float, msgspec.Meta(ge=900)] = 3 * 86_400.0
    max_bytes: Annotated[int, msgspec.Meta(ge=1024 * 1024)] = 256 * 1024 * 1024

    def build(self, place: Place) -> Messaging:
        if not self.urls:
            raise SettingsInvalid("bus.urls is empty: name at least one NATS server.")
        return NatsMessaging(self)


class NatsMessaging:
    """Makes the bus and the signals, which share a connection."""

    def __init__(self, settings: NatsBus) -> None:
        try:
            from infra.impl.nats.connection import NatsConnection, NatsOptions
        except ImportError as exc:
            raise SettingsInvalid(
                "bus.kind is nats, but its client is not installed: pip install 'coterie[nats]'."
            ) from exc
        self._settings = settings
        self._connection = NatsConnection(
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

    def event_bus(
        self, *, queue: EventQueue, relay: Callable[[], EventRelay], clock: Clock
    ) -> ManagedEventBus:
        from infra.impl.event_bus.jetstream import JetStreamEventBus
        from infra.impl.event_bus.jetstream_stream import StreamOptions

        return JetStreamEventBus(
            connection=self._connection,
            options=StreamOptions(
                name=self._settings.stream,
                prefix=self._settings.prefix,
                replicas=self._settings.replicas,
                max_age_s=self._settings.max_age_s,
                max_bytes=self._settings.max_bytes,
            ),
            queue=queue,
            relay=relay(),
            clock=clock,
        )

    def signals(self) -> ManagedSignals:
        from infra.impl.signal.nats import NatsSignals

        return NatsSignals(self._connection, prefix=self._settings.prefix)


BUSES.register("nats")(NatsBus)
