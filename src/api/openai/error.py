"""Refusals in the words of OpenAI's API; the slug of each is its code on that wire."""

from domain.shared.error import InvalidRequest, NotFound, RequestTooLarge


class UnsupportedParameter(InvalidRequest):
    """A field that would change the answer and is not implemented."""


class UnsupportedToolType(InvalidRequest):
    """A tool that is no function."""


class UnsupportedContent(InvalidRequest):
    """A part of a message that the model cannot take."""


class UnsupportedInput(InvalidRequest):
    """Token ids where text is needed."""


class ItemNotFound(NotFound):
    """An item that a request refers to, and that its caller was never given."""


class ToolOutputTooLarge(RequestTooLarge):
    """An output longer than ``limits.tool_output_bytes``."""
