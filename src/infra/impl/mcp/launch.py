"""First code of a program's process: give up what it does not need, then become the program."""

import os
import resource
import sys
from typing import Final

from infra.impl.mcp.confinement import Confinement
from infra.impl.sandbox import kernel
from infra.impl.sandbox.syscalls import UnknownMachine

_NOT_STARTED: Final = 71
_OPEN_FILES: Final = 256


def main() -> None:
    """Execute the program in the arguments after the parent's number and the confinement.

    It ends with its parent, leaves no memory dumps, and gains no privileges. Without a confinement
    files and network are as the operator's account has them.
    """
    parent, confinement, program, *arguments = sys.argv[1:]
    try:
        os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        kernel.drop_capabilities()
        kernel.die_with_parent(int(parent))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (_OPEN_FILES, _OPEN_FILES))
        if confinement:
            Confinement.from_text(confinement).enter(parent=int(parent))
        os.execv(program, [program, *arguments])  # noqa: S606 - the operator's own program
    except (kernel.LockFailed, UnknownMachine, OSError, ValueError) as exc:
        sys.stderr.write(f"The program was not started: {exc}\n")
        sys.stderr.flush()
        os._exit(_NOT_STARTED)
