"""What goes wrong in workflows; ``code`` is the external number, ``internal_code`` the record's."""

from typing import ClassVar

from domain.shared.error import AppError, ErrorKind


class WorkflowFailure(AppError):
    """Root of the failures of workflows; without a number of its own, execution failed."""

    code, kind = 720701013, ErrorKind.INTERNAL
    internal_code: ClassVar[int] = 720701013


class InvalidValue(WorkflowFailure):
    """A value cannot be converted to the type wanted; the message names path, type and kind."""

    code, kind = 4000, ErrorKind.INVALID
    internal_code = 720702001


class MissingValue(WorkflowFailure):
    """A required parameter is not there."""

    code, kind = 4000, ErrorKind.INVALID
    internal_code = 720702002


class IndexOutOfRange(WorkflowFailure):
    """A template asks for an element that the list does not have."""

    code, kind = 4000, ErrorKind.INVALID
    internal_code = 720712014


class IndexIntoNull(WorkflowFailure):
    """A template asks for an element of null."""

    code, kind = 777777774, ErrorKind.INVALID
    internal_code = 777777774


class PathIntoScalar(WorkflowFailure):
    """A reference walks into a text, a number or a boolean."""


class NotCompilable(WorkflowFailure):
    """The canvas has errors, so it cannot run; ``diagnostics`` tells them."""

    code, kind = 720799005, ErrorKind.INVALID
    internal_code = 720799005
