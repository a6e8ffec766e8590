"""Named moments at which tests let the process die, to see that the next one takes over."""

from collections.abc import Callable

Hook = Callable[[str], None]

_armed: list[Hook] = []


def crashpoint(name: str) -> None:
    """Pass a moment between two steps that a crash may tear apart; nothing happens by itself.

    ``name`` is a literal that occurs once in the source, so that tests can list them all.
    """
    for hook in _armed:
        hook(name)


def arm(hook: Hook) -> None:
    """Call ``hook`` with the name of every moment that this process passes from now on."""
    _armed.append(hook)
