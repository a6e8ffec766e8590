"""Feishu, and Lark outside of China: events of an app's bot, answers as cards.

Formats: open.feishu.cn/document, "Receive events" and "Messages" (events of schema 2.0).
"""

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
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
    Mention,
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

_USUAL: Final = {"feishu": "https://open.feishu.cn", "lark": "https://open.larksuite.com"}
_BLOCK: Final = 16
_BUSY: Final = frozenset({99991400, 230020, 11232, 11233, 11247})
"""Codes of answers that ask to be slower."""
_STALE_TOKEN: Final = frozenset({99991661, 99991663, 99991664, 99991668})
_MESSAGE: Final = "im.message.receive_v1"
_KINDS: Final[Mapping[str, Any]] = {
    "image": ("image_key", "image"),
    "file": ("file_key", "file"),
    "audio": ("file_key", "audio"),
    "media": ("file_key", "video"),
}
_SUFFIX: Final = {"image": ".png", "audio": ".opus", "video": ".mp4", "file": ""}


class FeishuAdapter:
    """Calls are encrypted and signed with the encrypt key of the app, which therefore is needed."""

    fields = (
        CredentialField(name="app_id", is_secret=False),
        CredentialField(name="app_secret"),
        CredentialField(name="encrypt_key"),
        CredentialField(name="verification_token", is_required=False),
        CredentialField(
            name="domain", is_secret=False, is_required=False, choices=("feishu", "lark")
        ),
    )
    capabilities = Capabilities(
        dialect=Dialect(
            bold="**",
            strike="~~",
            link="[{text}]({url})",
            has_headings=True,
            has_code=True,
            has_fences=True,
            has_tables=True,
        ),
        piece=20_000,
        unit="bytes",
        deadline_s=3.0,
        edits=100,
        edit_interval_s=1.0,
        has_groups=True,
        takes_files=True,
        sends_files=True,
        drops_repeats=True,
    )

    def __init__(self, parts: AdapterParts) -> None:
        self._clients = {
            domain: PlatformClient(
                parts.egress,
                usual=usual,
                address=parts.addresses.get(domain, ""),
                wait_header="x-ogw-ratelimit-reset",
            )
            for domain, usual in _USUAL.items()
        }
        self._tokens = TokenCache(self._token, clock=parts.clock)

    def verify(self, call: PlatformCall, access: ChannelAccess, *, now: datetime) -> Verified:
        key = access.of("encrypt_key")
        sealed = _object(call.body).get("encrypt")
        if call.method != "POST" or not isinstance(sealed, str):
            raise CallRefused("The call is not encrypted: set an encrypt key in the app.")
        plain = _opened(key, sealed)
        said = _object(plain)
        header = said.get("header")
        token = header.get("token") if isinstance(header, dict) else said.get("token")
        if expected := access.of("verification_token"):
            require_equal(expected, str(token or ""))
        if said.get("type") == "url_verification":  # signed in no way but by its encryption
            answer = json.dumps({"challenge": str(said.get("challenge", ""))}).encode()
            return Verified(payload=plain, handshake=Acknowledgement(body=answer))
        timestamp = call.headers.get("x-lark-request-timestamp", "")
        nonce = call.headers.get("x-lark-request-nonce", "")
        signed = sha256((timestamp + nonce + key).encode() + call.body).hexdigest()
        require_equal(signed, call.headers.get("x-lark-signature", ""))
        require_fresh(timestamp, now=now)
        return Verified(payload=plain)

    def parse(self, verified: Verified) -> Incoming | None:
        said = _object(verified.payload)
        try:
            if said.get("header", {}).get("event_type") != _MESSAGE:
                return None
            event = said["event"]
            if event["sender"].get("sender_type", "user") != "user":
                return None
            return _incoming(event)
        except (AttributeError, KeyError, TypeError, ValueError) as exc:
            raise CallUnreadable("The event is not a message as Feishu documents it.") from exc

    def acknowledge(self) -> Acknowledgement:
        return Acknowledgement(body=b'{"msg":"success"}')

    async def identify(self, access: ChannelAccess) -> Identity:
        answer = await self._call(access, "/open-apis/bot/v3/info", method="GET")
        bot = answer.get("bot")
        if not isinstance(bot, dict) or not bot.get("open_id"):
            raise PlatformRefused("The app has no bot: add the bot capability and publish it.")
        return Identity(bot_id=str(bot["open_id"]), name=str(bot.get("app_name", "")))

    async def fetch(
        self, access: ChannelAccess, incoming: Incoming, file: PlatformFile, *, max_bytes: int
    ) -> bytes:
        kind = "image" if file.kind == "image" else "file"
        client = self._client(access)
        url = (
            f"{client.address}/open-apis/im/v1/messages/{quote(incoming.message_id, safe='')}"
            f"/resources/{quote(file.key, safe='')}?type={kind}"
        )
        token = await self._tokens.get(access)
        return content_of(
            await client.send(access, url, headers=_bearer(token), max_bytes=max_bytes)
        )

    async def reply(self, access: ChannelAccess, to: Incoming, outgoing: Outgoing) -> str:
        if outgoing.replaces:
            path = f"/open-apis/im/v1/messages/{quote(outgoing.replaces, safe='')}"
            await self._call(access, path, method="PATCH", data={"content": _card(outgoing.text)})
            return outgoing.replaces
        kind, content = "interactive", _card(outgoing.text)
        if outgoing.file_name:
            kind, content = await self._uploaded(access, outgoing)
        answer = await self._call(
            access,
            f"/open-apis/im/v1/messages/{quote(to.message_id, safe='')}/reply",
            data={
                "msg_type": kind,
                "content": content,
                "reply_in_thread": bool(to.thread_id),
                "uuid": outgoing.key,
            },
        )
        return str(_inner(answer).get("message_id", ""))

    async def _uploaded(self, access: ChannelAccess, outgoing: Outgoing) -> tuple[str, str]:
        is_image = outgoing.media_type.startswith("image/")
        fields = (
            {"image_type": "message"}
            if is_image
            else {"file_type": "stream", "file_name": outgoing.file_name}
        )
        body, media_type = multipart(
            fields,
            name="image" if is_image else "file",
            file_name=outgoing.file_name,
            media_type=outgoing.media_type,
            content=outgoing.content,
        )
        path = "/open-apis/im/v1/images" if is_image else "/open-apis/im/v1/files"
        answer = await self._call(access, path, body=body, media_type=media_type)
        key = "image_key" if is_image else "file_key"
        content = json.dumps({key: str(_inner(answer).get(key, ""))})
        return ("image" if is_image else "file"), content

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
        more = {"content-type": media_type} if media_type else {}

        async def once(token: Secret) -> dict[str, Any]:
            return await self._client(access).call(
                access, path, method=method, data=data, headers=_bearer(token) | more, body=body
            )

        stale = _STALE_TOKEN.__contains__
        return _checked(
            await self._tokens.use(access, once, is_stale=lambda said: stale(said.get("code")))
        )

    async def _token(self, access: ChannelAccess) -> tuple[Secret, float]:
        answer = _checked(
            await self._client(access).call(
                access,
                "/open-apis/auth/v3/tenant_access_token/internal",
                data={"app_id": access.of("app_id"), "app_secret": access.of("app_secret")},
            )
        )
        try:
            return Secret(str(answer["tenant_access_token"])), float(answer["expire"])
        except (KeyError, TypeError, ValueError) as exc:
            raise PlatformBusy("Feishu gave no token.") from exc

    def _client(self, access: ChannelAccess) -> PlatformClient:
        return self._clients[access.of("domain") or "feishu"]


PLATFORMS.register("feishu")(FeishuAdapter)


def _opened(key: str, sealed: str) -> bytes:
    data = decoded(sealed)
    return decrypted(sha256(key.encode()).digest(), _iv(data), data[_BLOCK:], block=_BLOCK)


def _iv(data: bytes) -> bytes:
    if len(data) < 2 * _BLOCK:
        raise CallRefused("The call is not encrypted as the platform encrypts.")
    return data[:_BLOCK]


def _object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except ValueError as exc:
        raise CallRefused("The call is no JSON.") from exc
    if not isinstance(found, dict):
        raise CallRefused("The call is no JSON object.")
    return found


def _incoming(event: Mapping[str, Any]) -> Incoming | None:
    message = event["message"]
    text, files = _content(message["message_type"], json.loads(message["content"]))
    if not text and not files:
        return None
    return Incoming(
        message_id=str(message["message_id"]),
        chat_id=str(message["chat_id"]),
        sender_id=str(event["sender"]["sender_id"]["open_id"]),
        text=text,
        thread_id=str(message.get("thread_id") or ""),
        is_group=message["chat_type"] != "p2p",
        mentions=tuple(
            Mention(
                id=str(each["id"].get("open_id") or ""),
                mark=str(each["key"]),
                name=str(each.get("name") or ""),
            )
            for each in message.get("mentions") or ()
        ),
        files=files,
    )


def _content(kind: str, content: Mapping[str, Any]) -> tuple[str, tuple[PlatformFile, ...]]:
    if kind == "text":
        return str(content["text"]).strip(), ()
    if kind == "post":
        return _rich(content)
    if kind not in _KINDS:
        return "", ()
    field, named = _KINDS[kind]
    key = str(content[field])
    name = str(content.get("file_name") or f"{named}{_SUFFIX[named]}")
    return "", (PlatformFile(key=key, name=name, kind=named),)


def _rich(content: Mapping[str, Any]) -> tuple[str, tuple[PlatformFile, ...]]:
    lines, files = [str(content.get("title") or "")], []
    for paragraph in content["content"]:
        line = []
        for part in paragraph:
            match part["tag"]:
                case "a":
                    line.append(f"[{part['text']}]({part['href']})")
                case "at":
                    line.append(str(part["user_id"]))
                case "img":
                    key = str(part["image_key"])
                    files.append(PlatformFile(key=key, name="image.png", kind="image"))
                case "code_block":
                    language = str(part.get("language", "")).lower()
                    line.append(f"```{language}\n{part['text']}\n```")
                case _:
                    line.append(str(part.get("text", "")))
        lines.append("".join(line))
    return "\n".join(lines).strip(), tuple(files)


def _card(text: str) -> str:
    card = {
        "schema": "2.0",
        "config": {"update_multi": True},
        "body": {"elements": [{"tag": "markdown", "content": text}]},
    }
    return json.dumps(card, ensure_ascii=False)


def _bearer(token: Secret) -> dict[str, str]:
    return {"authorization": f"Bearer {token.reveal()}"}


def _checked(answer: dict[str, Any]) -> dict[str, Any]:
    code = answer.get("code", 0)
    if code == 0:
        return answer
    if code in _BUSY:
        raise PlatformBusy(f"Feishu asks to be slower (code {code}).", retry_after_s=1.0)
    raise PlatformRefused(f"Feishu refused with code {code}: {str(answer.get('msg', ''))[:200]}")


def _inner(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    data = answer.get("data")
    return data if isinstance(data, dict) else {}
