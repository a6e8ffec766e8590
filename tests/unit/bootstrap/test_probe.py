"""What readiness asks beyond the adapters."""

from pathlib import Path

import pytest

from bootstrap.probe import disk_probe
from domain.shared.error import Unavailable


async def test_a_full_disk_is_told(tmp_path: Path) -> None:
    await disk_probe(tmp_path, free_share=0.0)()

    with pytest.raises(Unavailable, match="storage_full"):
        await disk_probe(tmp_path, free_share=1.1)()
