"""Refusals of the knowledge context that handlers raise themselves."""

from domain.knowledge.error import ContentTooLarge, DocumentNotFound, SliceNotFound

__all__ = [
    "ContentTooLarge",
    "DocumentNotFound",
    "SliceNotFound",
]
