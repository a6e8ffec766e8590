"""Refusals of the prompt library."""

from domain.shared.error import InvalidRequest, NotFound


class PromptNotFound(NotFound):
    """No such prompt, or it lives in a space the caller cannot see."""


class PromptInvalid(InvalidRequest):
    """A name or text breaks a rule; the message starts with the field."""
