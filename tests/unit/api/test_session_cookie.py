"""The name of the cookie that keeps a session: browsers share cookies between ports."""

from typing import Any, Final

import pytest

from api.entry.session import BrowserSessions

SCOPE: Final[dict[str, Any]] = {"scheme": "http", "headers": [(b"host", b"127.0.0.1")]}


def name(port: int, public_url: str) -> str:
    sessions = BrowserSessions(port=port, public_url=public_url)
    return sessions.cookie(SCOPE, "secret", is_remembered=False).partition("=")[0]


@pytest.mark.parametrize(
    ("public_url", "names"),
    [
        ("", ["coterie-8001", "coterie-8002"]),
        ("http://127.0.0.1:9000", ["coterie-9000"]),
        ("http://127.0.0.1", ["coterie-80"]),
        ("https://ai.example:9000", ["__Host-coterie"]),
    ],
)
def test_servers_behind_one_address_share_it_and_others_do_not(
    public_url: str, names: list[str]
) -> None:
    assert sorted({name(port, public_url) for port in (8001, 8002)}) == names
