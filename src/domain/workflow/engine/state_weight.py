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
    waiting: list[list[Value] | dict[str, Value]] = [value]
    while waiting:
        holder = waiting.pop()
        for member in holder.values() if isinstance(holder, dict) else holder:
            if isinstance(member, str):
                total += len(member)
            elif isinstance(member, dict | list):
                waiting.append(member)
            total += _SCALAR
    return total
