"""Facts about plugins."""

from domain.shared.aggregate import DomainEvent


class PluginCreated(DomainEvent, frozen=True, kw_only=True, tag="plugin.created"):
    """A plugin was made: empty, or from a document."""

    name: str


class PluginChanged(DomainEvent, frozen=True, kw_only=True, tag="plugin.changed"):
    """The draft changed: its settings, credentials or tools; ``what`` names the part."""

    what: str


class PluginPublished(DomainEvent, frozen=True, kw_only=True, tag="plugin.published"):
    """A version was made; it is what agents get from now on."""

    version: str


class PluginDeleted(DomainEvent, frozen=True, kw_only=True, tag="plugin.deleted"):
    """The plugin is gone; whoever calls its tools is told so."""


class GrantGiven(DomainEvent, frozen=True, kw_only=True, tag="oauth.granted"):
    """A user gave a plugin access to an account."""


class GrantRevoked(DomainEvent, frozen=True, kw_only=True, tag="oauth.revoked"):
    """Access of a plugin to an account ended; ``reason`` tells why."""

    reason: str


class HostsChanged(DomainEvent, frozen=True, kw_only=True, tag="plugin.hosts_changed"):
    """A space named the hosts its plugins may call."""
