"""Kinds of texts that a model proposes."""

from enum import Enum


class ProposalKind(Enum):
    """What is to be written."""

    PROMPT = "prompt"
    """The persona."""
    PROLOGUE = "prologue"
    """What people read before they ask."""
    QUESTIONS = "questions"
    """What they may ask first, one on each line."""
