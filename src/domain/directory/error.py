"""Refusals of the directory."""

from domain.shared.error import NotFound


class EntryNotFound(NotFound):
    """Nothing has this id, or the caller may not see it."""
