"""Named moments at which tests let the process die, to see that the next one takes over."""

import sys
from collections.abc import Callable
from typing import Any, Final

Hook = Callable[[str], None]

_EVENT: Final = "coterie.crashpoint"


def crashpoint(name: str) -> None:
    """Pass a moment between two steps that a crash may tear apart; nothing happens by itself.

    ``name`` is a literal that occurs once in the source, so that tests can list them all.
    """
    sys.audit(_EVENT, name)


def arm(hook: Hook) -> None:
    """Call ``hook`` with the name of every moment that this process passes from now on."""

    def passed(event: str, arguments: tuple[Any, ...]) -> None:
        if event == _EVENT:
            hook(arguments[0])

    sys.addaudithook(passed)
