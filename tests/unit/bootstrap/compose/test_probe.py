"""What readiness asks beyond the adapters."""

from pathlib import Path

import msgspec
import pytest

from bootstrap.compose.part.probe import code_runner_note, disk_probe
from bootstrap.settings import CodeSettings
from domain.shared.error import Unavailable
from infra.impl.code_runner.off import NoCodeRunner


async def test_a_full_disk_is_told(tmp_path: Path) -> None:
    await disk_probe(tmp_path, free_share=0.0)()

    with pytest.raises(Unavailable, match="storage_full"):
        await disk_probe(tmp_path, free_share=1.1)()


@pytest.mark.parametrize(("kind", "note"), [("off", ""), ("wasm", "It does not hold here.")])
def test_a_sandbox_that_is_switched_off_is_no_fault(kind: str, note: str) -> None:
    runner = NoCodeRunner("It does not hold here.")

    settings = msgspec.convert({"kind": kind}, CodeSettings)

    assert code_runner_note(runner, settings)() == note
