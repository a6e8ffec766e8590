"""Values of spreadsheet cells as text: numbers, dates and switches as a person would write them."""

import math
from datetime import date, datetime, time, timedelta
from typing import Final

_SECONDS_PER_HOUR: Final = 3600
_SECONDS_PER_MINUTE: Final = 60
_EXACT_INTEGER: Final = 10**15


def rendered(value: object) -> str:
    """Write a value of a cell; what is no number, switch or moment is a text."""
    match value:
        case bool():
            return render_bool(value)
        case int() | float():
            return render_number(value)
        case date() | time():
            return render_moment(value)
        case timedelta():
            return render_duration(value.total_seconds())
        case _:
            return str(value)


def render_number(value: float) -> str:
    """Write a number without a fraction it does not have, else in its shortest exact form."""
    if not math.isfinite(value):
        return ""
    if value == int(value) and abs(value) < _EXACT_INTEGER:
        return str(int(value))
    return repr(value)


def render_moment(value: date | time) -> str:
    """Write a date, with its time unless that is midnight, or a time."""
    if isinstance(value, datetime):
        if value.time() == time():
            return value.date().isoformat()
        return value.isoformat(sep=" ", timespec="seconds")
    return value.isoformat() if isinstance(value, date) else value.isoformat("seconds")


def render_duration(seconds: float) -> str:
    """Write hours, minutes and seconds; hours may exceed a day."""
    total = round(seconds)
    hours, rest = divmod(abs(total), _SECONDS_PER_HOUR)
    minutes, left = divmod(rest, _SECONDS_PER_MINUTE)
    return f"{'-' if total < 0 else ''}{hours}:{minutes:02d}:{left:02d}"


def render_bool(value: bool) -> str:
    """Write ``true`` or ``false``."""
    return "true" if value else "false"
