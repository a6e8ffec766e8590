"""SQLAlchemy's sessions are there for whoever asks, although nobody of ours opens them."""

import subprocess
import sys
from typing import Final

ASK: Final = """
import sys
import infra.impl.repository.sql
assert "sqlalchemy.orm" not in sys.modules
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession, async_scoped_session
from sqlalchemy.ext.asyncio import scoping, session
assert AsyncSession is session.AsyncSession
assert async_scoped_session is scoping.async_scoped_session
assert AsyncConnection.__name__ == "AsyncConnection"
assert not hasattr(sys.modules["sqlalchemy.ext.asyncio"], "nothing")
"""


def test_a_session_is_the_real_one() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASK], capture_output=True, text=True, check=False, timeout=120
    )

    assert done.returncode == 0, done.stderr
