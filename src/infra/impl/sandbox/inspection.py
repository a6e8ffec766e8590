"""Finds out whether the jail holds on this machine, by trying to break out of it."""

import asyncio
import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from infra.impl.sandbox.jail import Ending, Jail, JailLimits, JailOutcome

_MEMORY_BYTES: Final = 256 * 1024 * 1024
_LIMITS: Final = JailLimits(
    address_space_bytes=_MEMORY_BYTES, cpu_s=10, wall_s=20.0, output_bytes=64 * 1024
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """Whether hostile bytes may be processed here; ``reason`` says why not."""

    holds: bool
    reason: str = ""


async def inspect(jail: Jail) -> Inspection:
    """Try every way out that matters; one that is open closes the jail."""
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="coterie-jail-"))
    try:
        planted = folder / "planted"
        await asyncio.to_thread(planted.write_bytes, b"secret")
        async with await asyncio.start_server(_accept, "127.0.0.1", 0) as listener:
            port = listener.sockets[0].getsockname()[1]
            args = (str(planted), str(port), str(_MEMORY_BYTES))
            return _judge(
                await jail.run(
                    "infra.impl.sandbox.breakout", args, limits=_LIMITS, locks_itself=True
                )
            )
    except OSError as exc:
        return Inspection(holds=False, reason=f"No process can be started: {exc}")
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


def _judge(outcome: JailOutcome) -> Inspection:
    if outcome.exit.ending is not Ending.OK:
        reason = f"{outcome.exit.ending.value}: {outcome.exit.diagnostics.strip()}"
        return Inspection(holds=False, reason=reason)
    breaches = json.loads(outcome.output)
    if breaches:
        return Inspection(holds=False, reason=f"Open: {', '.join(breaches)}.")
    return Inspection(holds=True)


async def _accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()
