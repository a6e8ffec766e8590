"""Makes the images before anybody needs them: ``making folder``, at the lowest priority."""

import logging
import os
import signal
import sys
from asyncio import timeout
from contextlib import suppress
from pathlib import Path
from typing import Final

from infra.impl.child_process import ChildProcess
from infra.impl.code_runner.wasm.images import ImagesUnavailable, clean_environment, prepare

_LOG: Final = logging.getLogger(__name__)
_MODULE: Final = "infra.impl.code_runner.wasm.making"
_LONGEST_S: Final = 1200.0
_LOWEST: Final = 19


async def make_early(folder: Path) -> None:
    """Make the images in a process of their own; when cancelled, it ends with its children.

    What goes wrong is logged: the first code node meets it again and says so.
    """
    process = await ChildProcess.start(
        *(sys.executable, "-W", "ignore", "-m", _MODULE, str(folder)), env=clean_environment()
    )
    try:
        async with timeout(_LONGEST_S):
            code = await process.wait()
    except BaseException as exc:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()  # it may not have led its group yet
        await process.wait()
        if not isinstance(exc, TimeoutError):
            raise
        code = -signal.SIGKILL
    if code:
        _LOG.warning(
            "The interpreters of code nodes could not be made early (status %d); the first code "
            "node tries again. Check `coterie doctor`.",
            code,
        )


def main(folder: Path) -> int:
    """Make what is missing; 1 if that cannot be done here."""
    os.setpgid(0, 0)  # a session of its own would have a processor's share of its own
    os.nice(_LOWEST)
    try:
        prepare(folder)
    except ImagesUnavailable:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
