"""Refusals of channels."""

from domain.shared.error import InvalidRequest, NotFound, Unavailable


class ChannelNotFound(NotFound):
    """No such channel, it was deleted, or it lives in a space the caller cannot see."""


class ChannelInvalid(InvalidRequest):
    """A setting or a credential breaks a rule; the message starts with the field."""


class TooManyChannels(InvalidRequest):
    """The workspace has as many channels as it may."""


class TooManyMessages(Unavailable):
    """So many messages wait for their answer that the platform has to bring this one again."""
