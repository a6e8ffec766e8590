"""What is wrong with tables; codes are those of the Coze wire, none is worth a retry."""

from domain.shared.error import ErrorKind, InvalidRequest


class NoSemanticColumn(InvalidRequest):
    """A table needs one column that its rows are found by."""

    code, kind = 105000013, ErrorKind.INVALID


class DuplicateColumn(InvalidRequest):
    """Two columns have the same name."""

    code, kind = 105000016, ErrorKind.INVALID


class ColumnsUnfit(InvalidRequest):
    """Too many columns, one without a name or with one too long, or others than the table has."""

    code, kind = 105000026, ErrorKind.INVALID


class RowsUnfit(InvalidRequest):
    """Cells of a file cannot be stored; the message names the first ones."""

    code, kind = 105000026, ErrorKind.INVALID


class TableSliceUnfit(InvalidRequest):
    """A row given by hand has unknown columns, cells of a wrong type, or nothing to be found by."""

    code, kind = 105000037, ErrorKind.INVALID
