"""WeCom: messages to an app of a company, answers pushed to their author.

Formats: developer.work.weixin.qq.com/document, paths 90930 (encryption), 90239 (messages) and
90236 (sending).
"""

import json
import re
from base64 import b64decode
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha1
from html import unescape
from typing import Any, Final
from urllib.parse import quote

from domain.shared.secret import Secret
from infra.contract.channel import (
    Acknowledgement,
    CallRefused,
    CallUnreadable,
    Capabilities,
    ChannelAccess,
    CredentialField,
    Dialect,
    Identity,
    Incoming,
    Outgoing,
    PlatformBusy,
    PlatformCall,
    PlatformFile,
    PlatformRefused,
    Verified,
)
from infra.impl.channel import PLATFORMS, AdapterParts
from infra.impl.channel.client import PlatformClient, TokenCache, content_of, multipart
from infra.impl.channel.signing import decoded, decrypted, require_equal, require_fresh

_USUAL: Final = "https://qyapi.weixin.qq.com"
_ENCRYPTED: Final = re.compile(rb"<Encrypt>(?:<!\[CDATA\[)?([A-Za-z0-9+/=]{1,400000})")
_ELEMENT: Final = re.compile(
    r"<(\w{1,40})>(?:\s*<!\[CDATA\[(.*?)\]\]>\s*|([^<]*))</\1>", re.ASCII | re.DOTALL
)
_BLOCK: Final = 32
_NOISE: Final = 16
_LENGTH: Final = 4
_BUSY: Final = frozenset({-1, 45009, 45011, 45033})
_STALE_TOKEN: Final = frozenset({40014, 41001, 42001})
_FILES: Final[Mapping[str, Any]] = {
    "image": ("image", ".jpg"),
    "voice": ("audio", ".amr"),
    "video": ("video", ".mp4"),
    "file": ("file", ""),
}
_MARKUP: Final = re.compile(r"[*`#\[]|^> ", re.MULTILINE)
_REPEAT_S: Final = 1800


class WeComAdapter:
    """Each member of the company has one conversation with an app; there are no groups."""

    fields = (
        CredentialField(name="corp_id", is_secret=False),
        CredentialField(name="agent_id", is_secret=False, pattern="[0-9]{1,18}"),
        CredentialField(name="corp_secret"),
        CredentialField(name="token"),
        CredentialField(name="encoding_aes_key", pattern="[A-Za-z0-9]{43}"),
    )
    capabilities = Capabilities(
        dialect=Dialect(bold="**", link="[{text}]({url})", has_headings=True, has_code=True),
        piece=2048,
        unit="bytes",
        deadline_s=5.0,
        takes_files=True,
        sends_files=True,
        drops_repeats=True,
    )

    def __init__(self, parts: AdapterParts) -> None:
        self._client = PlatformClient(
            parts.egress, usual=_USUAL, address=parts.addresses.get("wecom", "")
        )
        self._tokens = TokenCache(self._token, clock=parts.clock)

    def verify(self, call: PlatformCall, access: ChannelAccess, *, now: datetime) -> Verified:
        sealed = call.query.get("echostr", "") if call.method == "GET" else _sealed(call.body)
        timestamp, nonce = call.query.get("timestamp", ""), call.query.get("nonce", "")
        signed = "".join(sorted((access.of("token"), timestamp, nonce, sealed)))
        expected = sha1(signed.encode()).hexdigest()  # noqa: S324 - the platform's choice
        require_equal(expected, call.query.get("msg_signature", ""))
        require_fresh(timestamp, now=now)
        plain = _opened(access, sealed)
        if call.method == "GET":
            shown = Acknowledgement(body=plain, media_type="text/plain")
            return Verified(payload=plain, handshake=shown)
        return Verified(payload=plain)

    def parse(self, verified: Verified) -> Incoming | None:
        said = _elements(verified.payload)
        kind = said.get("MsgType", "")
        if kind != "text" and kind not in _FILES:
            return None
        try:
            sender, message_id = said["FromUserName"], said["MsgId"]
            text = said["Content"].strip() if kind == "text" else ""
            files = (_file(kind, said),) if kind in _FILES else ()
        except KeyError as exc:
            raise CallUnreadable(f"The message has no {exc.args[0]}.") from exc
        if not text and not files:
            return None
        return Incoming(
            message_id=message_id, chat_id=sender, sender_id=sender, text=text, files=files
        )

    def acknowledge(self) -> Acknowledgement:
        return Acknowledgement(body=b"success", media_type="text/plain")

    async def identify(self, access: ChannelAccess) -> Identity:
        agent = access.of("agent_id")
        found = await self._call(access, f"/cgi-bin/agent/get?agentid={agent}", method="GET")
        return Identity(bot_id=agent, name=str(found.get("name", "")))

    async def fetch(
        self, access: ChannelAccess, incoming: Incoming, file: PlatformFile, *, max_bytes: int
    ) -> bytes:
        token = await self._tokens.get(access)
        url = (
            f"{self._client.address}/cgi-bin/media/get?access_token={quote(token.reveal())}"
            f"&media_id={quote(file.key)}"
        )
        answer = await self._client.send(access, url, max_bytes=max_bytes)
        if answer.headers.get("content-type", "").startswith("application/json"):
            _checked(json.loads(answer.body))
        return content_of(answer)

    async def reply(self, access: ChannelAccess, to: Incoming, outgoing: Outgoing) -> str:
        data: dict[str, Any] = {"touser": to.sender_id, "agentid": int(access.of("agent_id"))}
        if outgoing.file_name:
            kind = "image" if outgoing.media_type in {"image/png", "image/jpeg"} else "file"
            data |= {
                "msgtype": kind,
                kind: {"media_id": await self._uploaded(access, outgoing, kind)},
            }
        else:
            kind = "markdown" if _MARKUP.search(outgoing.text) else "text"
            data |= {"msgtype": kind, kind: {"content": outgoing.text}}
        if outgoing.is_repeat:  # it compares texts, and would drop what is rightly said twice
            data |= {"enable_duplicate_check": 1, "duplicate_check_interval": _REPEAT_S}
        answer = await self._call(access, "/cgi-bin/message/send", data=data)
        if answer.get("invaliduser"):
            raise PlatformRefused("WeCom does not deliver to this member: is the app visible?")
        return str(answer.get("msgid", ""))

    async def _uploaded(self, access: ChannelAccess, outgoing: Outgoing, kind: str) -> str:
        body, media_type = multipart(
            {},
            name="media",
            file_name=outgoing.file_name,
            media_type=outgoing.media_type,
            content=outgoing.content,
        )
        path = f"/cgi-bin/media/upload?type={kind}"
        answer = await self._call(access, path, body=body, media_type=media_type)
        return str(answer.get("media_id", ""))

    async def _call(
        self,
        access: ChannelAccess,
        path: str,
        *,
        method: str = "POST",
        data: Mapping[str, Any] | None = None,
        body: bytes = b"",
        media_type: str = "",
    ) -> dict[str, Any]:
        async def once(token: Secret) -> dict[str, Any]:
            return await self._client.call(
                access,
                f"{path}{'&' if '?' in path else '?'}access_token={quote(token.reveal())}",
                method=method,
                data=data,
                headers={"content-type": media_type} if media_type else {},
                body=body,
            )

        stale = _STALE_TOKEN.__contains__
        return _checked(
            await self._tokens.use(access, once, is_stale=lambda said: stale(said.get("errcode")))
        )

    async def _token(self, access: ChannelAccess) -> tuple[Secret, float]:
        answer = _checked(
            await self._client.call(
                access,
                f"/cgi-bin/gettoken?corpid={quote(access.of('corp_id'))}"
                f"&corpsecret={quote(access.of('corp_secret'))}",
                method="GET",
            )
        )
        try:
            return Secret(str(answer["access_token"])), float(answer["expires_in"])
        except (KeyError, TypeError, ValueError) as exc:
            raise PlatformBusy("WeCom gave no token.") from exc


PLATFORMS.register("wecom")(WeComAdapter)


def _sealed(body: bytes) -> str:
    """Return the only part of the envelope that counts; nothing of it is signed before."""
    found = _ENCRYPTED.search(body)
    if found is None:
        raise CallRefused("The call is not encrypted: choose the safe mode in the app.")
    return found[1].decode()


def _opened(access: ChannelAccess, sealed: str) -> bytes:
    """Return the message: noise, length, message and receiver are under the padding."""
    key = b64decode(access.of("encoding_aes_key") + "=")
    plain = decrypted(key, key[:_NOISE], decoded(sealed), block=_BLOCK)
    begin = _NOISE + _LENGTH
    end = begin + int.from_bytes(plain[_NOISE:begin], "big")
    if len(plain) < begin or end > len(plain):
        raise CallRefused("The call is not encrypted with the key of this channel.")
    require_equal(access.of("corp_id"), plain[end:].decode(errors="replace"))
    return plain[begin:end]


def _elements(data: bytes) -> dict[str, str]:
    """Return the texts of the plain elements; only what WeCom itself signed gets here."""
    found: dict[str, str] = {}
    for element in _ELEMENT.finditer(data.decode(errors="replace")):
        name, raw, text = element.groups()
        found.setdefault(name, raw if raw is not None else unescape(text))
    return found


def _file(kind: str, said: Mapping[str, str]) -> PlatformFile:
    named, suffix = _FILES[kind]
    name = said.get("FileName") or f"{named}{suffix}"
    return PlatformFile(key=said["MediaId"], name=name, kind=named)


def _checked(answer: dict[str, Any]) -> dict[str, Any]:
    code = answer.get("errcode", 0)
    if code == 0:
        return answer
    if code in _BUSY:
        raise PlatformBusy(f"WeCom asks to be slower (code {code}).", retry_after_s=1.0)
    said = str(answer.get("errmsg", ""))[:200]
    raise PlatformRefused(f"WeCom refused with code {code}: {said}")
