"""What the first start tells, and what it leaves to who knows it already."""

from pathlib import Path

import pytest

from bootstrap.compose.container import Container
from bootstrap.configuration import load
from bootstrap.server.lifecycle import opened
from bootstrap.server.process import FirstStart, ensure_ready

TOKEN = "pat_sample_of_a_first_start"


async def start(data: Path, environ: dict[str, str]) -> FirstStart:
    configuration = data / "coterie.toml"
    configuration.touch()
    settings = load(
        {
            "COTERIE_DATA_DIR": str(data),
            "COTERIE_CONFIG": str(configuration),
            "COTERIE_CODE__PREPARE": "false",
            **environ,
        }
    )
    container = Container(settings=settings)
    async with opened(container):
        return await ensure_ready(container)


async def test_a_generated_token_is_told_once(tmp_path: Path) -> None:
    first, later = await start(tmp_path, {}), await start(tmp_path, {})

    assert first.token
    assert first.token.reveal().startswith("pat_")
    assert (later.token, later.agent_id) == (None, first.agent_id)
    assert not first.is_token_configured


@pytest.mark.parametrize("environ", [{}, {"COTERIE_BOOTSTRAP_TOKEN": TOKEN}])
async def test_a_link_for_the_administrator_is_told_once(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    first, later = await start(tmp_path, environ), await start(tmp_path, environ)

    assert first.ticket
    assert later.ticket is None


@pytest.mark.parametrize("is_file", [False, True])
async def test_a_configured_token_is_not_told(tmp_path: Path, *, is_file: bool) -> None:
    secret = tmp_path / "token"
    secret.write_text(TOKEN)
    environ = (
        {"COTERIE_BOOTSTRAP_TOKEN_FILE": str(secret)}
        if is_file
        else {"COTERIE_BOOTSTRAP_TOKEN": TOKEN}
    )

    first, later = await start(tmp_path, environ), await start(tmp_path, environ)

    assert (first.token, first.is_token_configured) == (None, True)
    assert (later.token, later.is_token_configured) == (None, False)
