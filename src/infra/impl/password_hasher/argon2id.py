"""Passwords hashed with Argon2id (RFC 9106)."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeVar

from domain.shared.error import Overloaded
from domain.shared.secret import Secret
from infra.contract.security.password_hasher import Verdict

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What a guess costs: by default the second choice of RFC 9106, section 4."""

    memory_kib: int = 64 * 1024
    passes: int = 3
    lanes: int = 4


_HASH_BYTES: Final = 32
_SALT_BYTES: Final = 16
_AT_ONCE: Final = 2
"""Each takes 64 MiB and four cores for a moment."""
_WAITING: Final = 64


class Argon2idHasher:
    """Hashes on threads, a few at a time; so many wait, and who comes then is told to come back."""

    def __init__(self, cost: Cost = Cost()) -> None:
        self._cost = cost
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._present = 0

    @cached_property
    def _argon2(self) -> Any:
        """Loaded with the first password, for which a deployment of tokens never asks."""
        import argon2  # noqa: PLC0415

        return argon2.PasswordHasher(
            time_cost=self._cost.passes,
            memory_cost=self._cost.memory_kib,
            parallelism=self._cost.lanes,
            hash_len=_HASH_BYTES,
            salt_len=_SALT_BYTES,
        )

    async def hash(self, password: Secret) -> Secret:
        async with self._place():
            return Secret(await _threaded(lambda: self._argon2.hash(password.reveal())))

    async def verify(self, password: Secret, encoded: str | None) -> Verdict:
        async with self._place():
            return await _threaded(lambda: self._verify(password.reveal(), encoded))

    def _verify(self, text: str, encoded: str | None) -> Verdict:
        if encoded is None:
            self._argon2.hash(text)  # comparing is the same work
            return Verdict(matches=False)
        if not self._matches(encoded, text):
            return Verdict(matches=False)
        return Verdict(matches=True, is_outdated=self._argon2.check_needs_rehash(encoded))

    def _matches(self, encoded: str, text: str) -> bool:
        from argon2.exceptions import InvalidHashError, VerificationError  # noqa: PLC0415

        try:
            return bool(self._argon2.verify(encoded, text))
        except (VerificationError, InvalidHashError):
            return False

    @asynccontextmanager
    async def _place(self) -> AsyncGenerator[None, None]:
        if self._present >= _AT_ONCE + _WAITING:
            raise Overloaded("Too many people sign in at this moment; try again.", retry_after_s=2)
        self._present += 1
        try:
            async with self._places:
                yield
        finally:
            self._present -= 1


async def _threaded(function: Callable[[], T]) -> T:
    """Run on a thread; a caller that leaves keeps the place until the thread is done."""
    running = asyncio.get_running_loop().run_in_executor(None, function)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        raise
