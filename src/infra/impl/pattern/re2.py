"""Regular expressions of tenants by RE2, which never backtracks; loaded when the first one is."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from infra.contract.pattern import InvalidPattern

_MEMORY_BYTES: Final = 1024 * 1024
"""Of one automaton: what repeats repetitions needs more, and is refused."""
_SHOWN: Final = 80


class Re2Patterns:
    """Implements ``Patterns``."""

    def replacing(self, expressions: Sequence[str], *, by: str) -> Callable[[str], str]:
        """Return what puts a text in the place of all that one of the expressions matches."""
        import re2

        options = re2.Options()
        options.max_mem = _MEMORY_BYTES
        options.log_errors = False
        compiled: list[Any] = []
        for expression in expressions:
            shown = expression[:_SHOWN]
            try:
                pattern = re2.compile(expression, options)
            except re2.error as exc:
                raise InvalidPattern(f"{shown}: {_reason(exc)}.") from exc
            if pattern.search("") is not None:
                raise InvalidPattern(f"{shown}: it matches where there is nothing.")
            compiled.append(pattern)

        def replace(text: str) -> str:
            for pattern in compiled:
                text = pattern.sub(lambda _: by, text)
            return text

        return replace


def _reason(error: Exception) -> str:
    cause = error.args[0] if error.args else "no expression"
    return cause.decode("utf-8", "replace") if isinstance(cause, bytes) else str(cause)
