"""Slack: events of an app, answers in direct messages and threads.

Formats: docs.slack.dev, "Events API", "Verifying requests", "chat.postMessage" and "Working with
files".
"""

import hmac
import json
import re
from collections.abc import Mapping
from datetime import datetime
from html import unescape
from typing import Any, Final, Literal
from urllib.parse import urlencode

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
from infra.impl.channel.client import PlatformClient, answer_of, content_of
from infra.impl.channel.signing import require_equal, require_fresh

_USUAL: Final = "https://slack.com"
_FILE_HOSTS: Final = frozenset({"files.slack.com"})
_BUSY: Final = frozenset(
    {
        "fatal_error",
        "internal_error",
        "ratelimited",
        "rate_limited",
        "request_timeout",
        "service_unavailable",
    }
)
_MARK: Final = re.compile(r"<(@|#|!)?([^<>|]+)(?:\|([^<>]*))?>")
_HAS_TEXT: Final = frozenset({"", "file_share", "thread_broadcast", "me_message"})
"""Other subtypes tell of changes, and of those who come and go."""


class SlackAdapter:
    """In channels an answer goes into the thread of its question, and begins one if needed."""

    fields = (
        CredentialField(name="bot_token", pattern="xoxb-[!-~]{1,500}"),
        CredentialField(name="signing_secret", pattern="[!-~]{1,200}"),
    )
    capabilities = Capabilities(
        dialect=Dialect(
            bold="*",
            strike="~",
            link="<{url}|{text}>",
            bullet="• ",
            has_code=True,
            has_fences=True,
            escapes={"&": "&amp;", "<": "&lt;", ">": "&gt;"},
        ),
        piece=3900,
        deadline_s=3.0,
        edits=60,
        edit_interval_s=1.5,
        has_groups=True,
        takes_files=True,
        sends_files=True,
    )

    def __init__(self, parts: AdapterParts) -> None:
        self._client = PlatformClient(
            parts.egress,
            usual=_USUAL,
            address=parts.addresses.get("slack", ""),
            more_hosts=_FILE_HOSTS,
        )

    def verify(self, call: PlatformCall, access: ChannelAccess, *, now: datetime) -> Verified:
        timestamp = call.headers.get("x-slack-request-timestamp", "")
        text = f"v0:{timestamp}:".encode() + call.body
        signed = hmac.new(access.of("signing_secret").encode(), text, "sha256").hexdigest()
        require_equal(f"v0={signed}", call.headers.get("x-slack-signature", ""))
        require_fresh(timestamp, now=now)
        if call.method != "POST":
            raise CallRefused("Slack posts its events.")
        said = _object(call.body)
        if said.get("type") == "url_verification":
            answer = json.dumps({"challenge": str(said.get("challenge", ""))}).encode()
            return Verified(payload=call.body, handshake=Acknowledgement(body=answer))
        return Verified(payload=call.body)

    def parse(self, verified: Verified) -> Incoming | None:
        said = _object(verified.payload)
        if said.get("type") != "event_callback":
            return None
        try:
            event = said["event"]
            is_message = event["type"] in {"message", "app_mention"}
            subtype = event.get("subtype") or ""
            if not is_message or subtype not in _HAS_TEXT or event.get("bot_id"):
                return None
            return _incoming(said, event)
        except (AttributeError, KeyError, TypeError) as exc:
            raise CallUnreadable("The event is not a message as Slack documents it.") from exc

    def acknowledge(self) -> Acknowledgement:
        return Acknowledgement(media_type="text/plain")

    async def identify(self, access: ChannelAccess) -> Identity:
        found = await self._call(access, "auth.test", {})
        return Identity(bot_id=str(found.get("user_id", "")), name=str(found.get("user", "")))

    async def fetch(
        self, access: ChannelAccess, incoming: Incoming, file: PlatformFile, *, max_bytes: int
    ) -> bytes:
        answer = await self._client.send(
            access, file.key, headers=_bearer(access), max_bytes=max_bytes
        )
        if answer.headers.get("content-type", "").startswith("text/html"):
            raise PlatformRefused("Slack asks to sign in for the file: add the scope files:read.")
        return content_of(answer)

    async def reply(self, access: ChannelAccess, to: Incoming, outgoing: Outgoing) -> str:
        if outgoing.file_name:
            return await self._uploaded(access, to, outgoing)
        data: dict[str, Any] = {"channel": to.chat_id, "text": outgoing.text, "mrkdwn": True}
        if outgoing.replaces:
            await self._call(access, "chat.update", data | {"ts": outgoing.replaces})
            return outgoing.replaces
        if to.thread_id:
            data["thread_ts"] = to.thread_id
        data |= {"unfurl_links": False, "unfurl_media": False}
        return str((await self._call(access, "chat.postMessage", data)).get("ts", ""))

    async def _uploaded(self, access: ChannelAccess, to: Incoming, outgoing: Outgoing) -> str:
        form = {"filename": outgoing.file_name, "length": len(outgoing.content)}
        answer = await self._client.send(
            access,
            f"{self._client.address}/api/files.getUploadURLExternal",
            method="POST",
            headers=_bearer(access) | {"content-type": "application/x-www-form-urlencoded"},
            body=urlencode(form).encode(),
        )
        place = _checked(answer_of(answer))
        url, file_id = str(place.get("upload_url", "")), str(place.get("file_id", ""))
        sent = await self._client.send(
            access,
            url,
            method="POST",
            headers={"content-type": "application/octet-stream"},
            body=outgoing.content,
        )
        content_of(sent)
        data: dict[str, Any] = {
            "files": [{"id": file_id, "title": outgoing.file_name}],
            "channel_id": to.chat_id,
        }
        if to.thread_id:
            data["thread_ts"] = to.thread_id
        await self._call(access, "files.completeUploadExternal", data)
        return file_id

    async def _call(
        self, access: ChannelAccess, name: str, data: Mapping[str, Any]
    ) -> dict[str, Any]:
        return _checked(
            await self._client.call(access, f"/api/{name}", data=data, headers=_bearer(access))
        )


PLATFORMS.register("slack")(SlackAdapter)


def _object(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except ValueError as exc:
        raise CallUnreadable("The call is no JSON.") from exc
    if not isinstance(found, dict):
        raise CallUnreadable("The call is no JSON object.")
    return found


def _incoming(said: Mapping[str, Any], event: Mapping[str, Any]) -> Incoming | None:
    chat, stamp = str(event["channel"]), str(event["ts"])
    marked = str(event.get("text") or "")
    files = tuple(
        PlatformFile(
            key=str(each["url_private_download"]),
            name=str(each.get("name") or "file"),
            kind=_kind(str(each.get("mimetype") or "")),
        )
        for each in event.get("files") or ()
        if each.get("url_private_download")  # others are only shown in Slack
    )
    text, mentions = _read(marked)
    if not text and not files:
        return None
    is_group = event.get("channel_type", "channel") != "im"
    thread = str(event.get("thread_ts") or (stamp if is_group else ""))
    authorized = said.get("authorizations") or [{}]
    return Incoming(
        message_id=f"{chat}:{stamp}",  # both events of a message that mentions the app have these
        chat_id=chat,
        sender_id=str(event["user"]),
        text=text,
        thread_id=thread,
        is_group=is_group,
        mentions=mentions,
        self_id=str(authorized[0].get("user_id") or ""),
        is_addressed=event["type"] == "app_mention",
        files=files,
    )


def _kind(media_type: str) -> Literal["image", "audio", "video", "file"]:
    match media_type.partition("/")[0]:
        case "image":
            return "image"
        case "audio":
            return "audio"
        case "video":
            return "video"
        case _:
            return "file"


def _read(marked: str) -> tuple[str, tuple[Mention, ...]]:
    """Return a text without Slack's marks, but for those of people, and whom it addresses."""
    mentions: dict[str, Mention] = {}

    def plain(found: re.Match[str]) -> str:
        sign, target, label = found[1] or "", found[2], found[3] or ""
        if sign == "@":
            mark = f"<@{target}>"
            mentions[target] = Mention(id=target, mark=mark, name=unescape(label))
            return mark
        if sign:
            return ("@" if sign == "!" else "#") + unescape(label or target)
        url = unescape(target)
        return f"[{unescape(label)}]({url})" if label and label != target else url

    pieces, at = [], 0
    for found in _MARK.finditer(marked):
        pieces += [unescape(marked[at : found.start()]), plain(found)]
        at = found.end()
    pieces.append(unescape(marked[at:]))
    return "".join(pieces).strip(), tuple(mentions.values())


def _bearer(access: ChannelAccess) -> dict[str, str]:
    return {"authorization": f"Bearer {access.of('bot_token')}"}


def _checked(answer: dict[str, Any]) -> dict[str, Any]:
    if answer.get("ok") is True:
        return answer
    error = str(answer.get("error", "unknown_error"))[:100]
    if error in _BUSY:
        raise PlatformBusy(f"Slack asks to be slower ({error}).", retry_after_s=1.0)
    raise PlatformRefused(f"Slack refused: {error}")
