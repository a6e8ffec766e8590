"""Refusals of the memory context; the codes of databases are those of the Coze wire."""

from domain.shared.error import AppError, Conflict, ErrorKind, InvalidRequest, NotFound


class DatabaseNotFound(NotFound):
    """No such database table, or it lives in a space the caller cannot see."""


class DatabaseInvalid(InvalidRequest):
    """A name, field or row mode breaks a rule; the message starts with the field."""


class DatabaseNameTaken(Conflict):
    """Another table of the space has this name."""


class RowsReadOnly(AppError):
    """The table can be read only."""

    code, kind = 106000018, ErrorKind.INVALID


class EndUserMissing(InvalidRequest):
    """Rows belong to end users, and the call names none."""


class RecordInvalid(InvalidRequest):
    """A value does not fit its field; the message names the field."""


class FieldUnknown(AppError):
    """The table has no such field."""

    code, kind = 106000016, ErrorKind.INVALID


class TableFull(InvalidRequest):
    """The table has as many rows as it may have."""


class ImportNotFound(NotFound):
    """No such import of this table."""


class VariableInvalid(InvalidRequest):
    """A variable is not declared, cannot be written, or its value is too long."""


class RecollectionNotFound(NotFound):
    """No such memory of this end user."""


class RecollectionInvalid(InvalidRequest):
    """A memory cannot be changed in this way."""
