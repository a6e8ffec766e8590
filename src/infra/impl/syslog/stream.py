"""Syslog over a connection: RFC 5424 messages, counted by octets (RFC 5425, RFC 6587)."""

import asyncio
import os
import re
import socket
import ssl
from collections.abc import Sequence
from datetime import UTC
from typing import Final

from domain.shared.error import Unavailable
from infra.contract.observability.audit_receiver import AuditRecord

_FACILITY: Final = 13
"""Log audit (RFC 5424, 6.2.1)."""
_NOTICE: Final = 5
_WARNING: Final = 4
_ELEMENT: Final = "audit@32473"
"""32473 is the number that documents use (RFC 5612): we have none of our own."""
_BOM: Final = b"\xef\xbb\xbf"
_NOT_NAME: Final = re.compile(r"[^\x21-\x7e]")
_SPECIAL: Final = re.compile(r'([\\"\]])')
_NAME_CHARS: Final = 32
_HOST_CHARS: Final = 255
_TIMEOUT_S: Final = 10.0


class SyslogStream:
    """Implements ``AuditReceiver``; connects when there is something to send, and again when lost.

    The protocol acknowledges nothing: what was on its way when a connection broke may be lost, or
    be sent twice. Positions in the records tell.
    """

    def __init__(self, host: str, port: int, *, tls: ssl.SSLContext | None) -> None:
        self._host = host
        self._port = port
        self._tls = tls
        self._origin = socket.gethostname()
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def start(self) -> None:
        """Do nothing: a receiver that is away must not keep us from starting."""

    async def aclose(self) -> None:
        writer, self._writer, self._reader = self._writer, None, None
        if writer is not None:
            writer.close()

    async def send(self, records: Sequence[AuditRecord]) -> None:
        data = b"".join(framed(message(each, origin=self._origin)) for each in records)
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                writer = await self._connected()
                writer.write(data)
                await writer.drain()
        except (OSError, TimeoutError) as exc:
            await self.aclose()
            raise Unavailable(f"audit.syslog: {self._host}:{self._port} takes nothing.") from exc

    async def _connected(self) -> asyncio.StreamWriter:
        # Receivers say nothing: an end of what they say means that they are gone.
        if self._writer is not None and self._reader is not None and not self._reader.at_eof():
            return self._writer
        await self.aclose()
        self._reader, self._writer = await asyncio.open_connection(
            self._host, self._port, ssl=self._tls
        )
        return self._writer


def framed(data: bytes) -> bytes:
    """Put the number of octets before a message."""
    return str(len(data)).encode() + b" " + data


def message(record: AuditRecord, *, origin: str) -> bytes:
    """Write a record as RFC 5424 has it."""
    priority = _FACILITY * 8 + (_WARNING if record.is_refusal else _NOTICE)
    at = record.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    fields = "".join(f' {_name(key)}="{_escaped(text)}"' for key, text in record.fields.items())
    head = (
        f"<{priority}>1 {at} {_name(origin, _HOST_CHARS)} coterie {os.getpid()} "
        f"{_name(record.action)} [{_ELEMENT}{fields}] "
    )
    return head.encode() + _BOM + record.text.encode()


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _name(text: str, chars: int = _NAME_CHARS) -> str:
    return _NOT_NAME.sub("_", text)[:chars] or "-"
