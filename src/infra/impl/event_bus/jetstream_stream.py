"""The stream of notices and its durable consumers: how they are named, limited and kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DeliverPolicy,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import NotFoundError

from infra.impl.nats.connection import NatsConnection

DUPLICATE_WINDOW_S: Final = 900.0
MAX_ACK_PENDING: Final = 64
REQUEST_S: Final = 5.0
_GENTLE: Final = str.maketrans({".": "_", " ": "_", "*": "_", ">": "_", "/": "_"})


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamOptions:
    """``max_age_s`` and ``max_bytes`` bound what unreachable consumers leave behind."""

    name: str = "coterie_events"
    prefix: str = "coterie"
    """Start of all subjects, so that deployments can share an account."""
    replicas: int = 1
    max_age_s: float = 3 * 86_400.0
    max_bytes: int = 256 * 1024 * 1024
    ack_wait_s: float = 60.0
    """How long a process may be silent about a notice before another gets it."""


class EventStream:
    """Makes the stream and its consumers, and makes them again when somebody deleted them.

    A notice stays until every consumer that wants its topic has acknowledged it. Attempts are not
    counted here: the event queue does that.
    """

    def __init__(self, connection: NatsConnection, options: StreamOptions) -> None:
        self._connection = connection
        self._options = options

    @property
    def name(self) -> str:
        return self._options.name

    @property
    def context(self) -> JetStreamContext:
        """The client's view of JetStream."""
        return self._connection.client.jetstream(timeout=REQUEST_S)

    def subject(self, topic: str) -> str:
        """Where notices of a topic are published."""
        return f"{self._options.prefix}.events.{topic}"

    @staticmethod
    def durable(consumer: str) -> str:
        """Name of a consumer on the server, which allows no dots."""
        return consumer.translate(_GENTLE)

    async def look(self, *, timeout_s: float) -> None:
        """Ask the server about the stream, which proves that it answers."""
        await self._connection.client.jetstream(timeout=timeout_s).stream_info(self.name)

    async def ensure(self, routes: Mapping[str, frozenset[str]]) -> None:
        """Make what is missing and adapt what differs."""
        wanted = self._stream_config()
        try:
            found = (await self.context.stream_info(self.name)).config
        except NotFoundError:
            await self.context.add_stream(wanted)
        else:
            if _differs(found, wanted):
                await self.context.update_stream(wanted)
        for consumer, topics in routes.items():
            await self.context.add_consumer(self.name, self._consumer_config(consumer, topics))

    def _stream_config(self) -> StreamConfig:
        return StreamConfig(
            name=self.name,
            description="Notices of committed events; the database holds the events.",
            subjects=[self.subject(">")],
            retention=RetentionPolicy.INTEREST,
            storage=StorageType.FILE,
            # A full stream takes new notices all the same: of the old ones the database knows.
            discard=DiscardPolicy.OLD,
            num_replicas=self._options.replicas,
            max_age=self._options.max_age_s,
            max_bytes=self._options.max_bytes,
            duplicate_window=DUPLICATE_WINDOW_S,
        )

    def _consumer_config(self, consumer: str, topics: frozenset[str]) -> ConsumerConfig:
        return ConsumerConfig(
            durable_name=self.durable(consumer),
            deliver_policy=DeliverPolicy.ALL,
            ack_policy=AckPolicy.EXPLICIT,
            ack_wait=self._options.ack_wait_s,
            # Without end: the database counts attempts, and gives up.
            max_deliver=-1,
            max_ack_pending=MAX_ACK_PENDING,
            filter_subjects=[self.subject(topic) for topic in sorted(topics)],
        )


def _differs(found: StreamConfig, wanted: StreamConfig) -> bool:
    return _essence(found) != _essence(wanted)


def _essence(config: StreamConfig) -> tuple[object, ...]:
    """What an operator may have changed, here or on the server."""
    return (
        config.subjects,
        config.num_replicas,
        config.max_age,
        config.max_bytes,
        config.duplicate_window,
    )
