"""What a server has in common with the others that its parent started on the same machine."""

from dataclasses import dataclass

from infra.contract.adapter import Channel


@dataclass(frozen=True, slots=True, kw_only=True)
class Siblings:
    """The place of one server among its siblings."""

    channel: Channel
    lifeline: int
    """Descriptor that can be read, to its end, once this server is to stop: the parent is gone,
    or wants it to."""
    is_first: bool
    """It was started before any other, when the data directory was nobody's."""
