"""Death of the process at a named moment, for tests: ``COTERIE_CRASHPOINT=name[:pass]``."""

import os
import signal
from collections.abc import Mapping
from typing import Final

from bootstrap.configuration import CRASHPOINT, TESTING
from domain.shared.crashpoint import arm
from domain.shared.error import SettingsInvalid

_STDERR: Final = 2


def arm_crashpoint(environ: Mapping[str, str]) -> None:
    """Let this process kill itself at the moment that the environment names, if it names one.

    Raises:
        SettingsInvalid: nobody said that this is a test, or the pass is no number from 1.
    """
    if not (wanted := environ.get(CRASHPOINT, "")):
        return
    if environ.get(TESTING) != "1":
        raise SettingsInvalid(
            f"{CRASHPOINT} lets the process die; only tests set it, together with {TESTING}=1."
        )
    name, _, number = wanted.partition(":")
    if number and not (number.isdecimal() and int(number)):
        raise SettingsInvalid(
            f"{CRASHPOINT}={wanted}: after the colon a number from 1 is expected."
        )
    arm(CrashpointKill(name, after=int(number or 1)))


class CrashpointKill:
    """Kills the process, as nothing in it can prevent, when it passes a moment for the nth time."""

    def __init__(self, name: str, *, after: int = 1) -> None:
        self._name = name
        self._left = after

    def __call__(self, name: str) -> None:
        if name != self._name:
            return
        self._left -= 1
        if not self._left:
            os.write(_STDERR, f"crash point {name}\n".encode())
            os.kill(os.getpid(), signal.SIGKILL)
