"""Refusals in the words of OpenAI's API; the slug of each is its code on that wire."""

from domain.shared.error import AppError, ErrorKind, Forbidden, InvalidRequest, RequestTooLarge


class UnsupportedParameter(InvalidRequest):
    """A field that would change the answer and is not implemented."""


class UnsupportedToolType(InvalidRequest):
    """A tool that is no function."""


class UnsupportedContent(InvalidRequest):
    """A part of a message that the model cannot take."""


class UnsupportedInput(InvalidRequest):
    """Token ids where text is needed."""


class InvalidJsonSchema(InvalidRequest):
    """A schema that breaks a rule; the message names the path."""


class ConflictingParameters(InvalidRequest):
    """Two fields that contradict each other."""


class MissingToolOutputs(InvalidRequest):
    """A call of the client without an output."""


class InvalidToolCallId(InvalidRequest):
    """An output for a call that nobody made, or two for one."""


class ToolOutputTooLarge(RequestTooLarge):
    """An output longer than ``limits.tool_output_bytes``."""


class ClientToolsNotAllowed(Forbidden):
    """The agent takes no tools of the caller."""


class ResponseFormatFailed(AppError):
    """The model did not keep to the format that the caller asked for."""

    code, kind = 5001, ErrorKind.UPSTREAM


class ToolArgumentsInvalid(AppError):
    """The model called a strict tool with arguments that do not fit."""

    code, kind = 5001, ErrorKind.UPSTREAM
