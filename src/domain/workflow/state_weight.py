"""How much memory values take, roughly: enough to stop a run that grows without end."""

from typing import Final

from domain.workflow.value import Value

_SCALAR: Final = 8


def weight(value: Value) -> int:
    """Estimate bytes: characters of texts, a few bytes for everything else."""
    if isinstance(value, str):
        return len(value)
    if not isinstance(value, dict | list):
        return _SCALAR
    total = 0
    waiting: list[Value] = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                total += len(text)
            case list(items):
                total += _SCALAR
                waiting.extend(items)
            case dict(members):
                total += _SCALAR * len(members)
                waiting.extend(members.values())
            case _:
                total += _SCALAR
    return total
