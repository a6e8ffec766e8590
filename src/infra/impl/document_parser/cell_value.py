"""Values of spreadsheet cells as text: numbers, dates and switches as a person would write them."""

import math
import re
from datetime import date, datetime, time, timedelta
from typing import Final

_SECONDS_PER_DAY: Final = 86_400
_SECONDS_PER_HOUR: Final = 3600
_SECONDS_PER_MINUTE: Final = 60
_EPOCH_1900: Final = datetime(1899, 12, 30)  # noqa: DTZ001 (sheets know no zones)
_EPOCH_1904: Final = datetime(1904, 1, 1)  # noqa: DTZ001
# The 1900 system counts a 29 February 1900 that never was.
_LEAP_BUG_SERIAL: Final = 60
_MAX_SERIAL: Final = 2_958_465  # 9999-12-31
_EXACT_INTEGER: Final = 10**15
# ECMA-376 part 1, 18.8.30: built-in formats of dates, times and durations.
_BUILT_IN: Final = {
    **dict.fromkeys((*range(14, 18), 22, *range(27, 37), *range(50, 59)), "date"),
    **dict.fromkeys((18, 19, 20, 21, 45, 47), "time"),
    46: "duration",
}
_NOT_CODE: Final = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
_ELAPSED: Final = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_DATE_CODE: Final = re.compile(r"[yde\u5e74]|(?<![hs:.])m(?!m?[:.s])|mmm", re.IGNORECASE)
_TIME_CODE: Final = re.compile(r"[hs]|am/pm", re.IGNORECASE)


def temporal_kind(format_id: int, code: str | None) -> str:
    """Return ``date``, ``time``, ``duration`` or nothing for a number format."""
    return _kind_of_code(code) if code is not None else _BUILT_IN.get(format_id, "")


def _kind_of_code(code: str) -> str:
    plain = _NOT_CODE.sub("", code.partition(";")[0])
    if plain.strip().lower() in ("general", "@", ""):
        return ""
    kinds = (("duration", _ELAPSED), ("date", _DATE_CODE), ("time", _TIME_CODE))
    return next((kind for kind, pattern in kinds if pattern.search(plain)), "")


def render_number(value: float) -> str:
    """Write a number without a fraction it does not have, else in its shortest exact form."""
    if not math.isfinite(value):
        return ""
    if value == int(value) and abs(value) < _EXACT_INTEGER:
        return str(int(value))
    return repr(value)


def render_serial(value: float, *, kind: str, is_1904: bool) -> str:
    """Write a day number of a sheet as date, time or duration; out of range it stays a number."""
    if not 0 <= value <= _MAX_SERIAL:
        return render_number(value)
    seconds = round(value * _SECONDS_PER_DAY)
    if kind == "duration":
        return render_duration(seconds)
    days, rest = divmod(seconds, _SECONDS_PER_DAY)
    if days == 0 and (kind == "time" or rest):
        return str(timedelta(seconds=rest)).rjust(8, "0")
    if is_1904:
        moment = _EPOCH_1904 + timedelta(days=days, seconds=rest)
    else:
        moment = _EPOCH_1900 + timedelta(days=days + (days < _LEAP_BUG_SERIAL), seconds=rest)
    return render_moment(moment)


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
