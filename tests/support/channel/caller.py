"""Messages as the platforms send them, signed and encrypted by their official code."""

import base64
import hashlib
import json
import secrets
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from Crypto.Cipher import AES
from Crypto.Util.Padding import pad
from slack_sdk.signature import Clock, SignatureVerifier
from wechatpy.enterprise.crypto import PrpCrypto, WeChatCrypto
from wechatpy.utils import WeChatSigner

from infra.contract.channel import PlatformCall

AES_KEY = base64.b64encode(bytes(range(32))).decode().rstrip("=")


@dataclass(frozen=True, kw_only=True)
class Said:
    """Something that somebody writes."""

    text: str = "Hello"
    id: str = "1"
    sender: str = "ann"
    chat: str = "c1"
    thread: str = ""
    is_group: bool = False
    mentions_bot: bool = False
    file: str = ""
    url: str = ""
    """Of the scripted platform, where files come by address."""


class Caller(ABC):
    """One platform as it calls servers."""

    platform: str
    bot_id: str
    credentials: ClassVar[Mapping[str, str]]
    spoiled: ClassVar[Mapping[str, str]]
    """Credentials under which its calls are no longer rightly signed."""

    @abstractmethod
    def message(self, said: Said, *, at: float) -> PlatformCall: ...

    @abstractmethod
    def handshake(self, challenge: str, *, at: float) -> PlatformCall: ...

    @abstractmethod
    def other(self, *, at: float) -> PlatformCall:
        """Something that is no message."""

    @abstractmethod
    def shaken(self, body: bytes) -> str:
        """Return the challenge that an answer repeats."""


class FeishuCaller(Caller):
    """Encrypted events of schema 2.0."""

    platform = "feishu"
    bot_id = "ou_bot"
    credentials: ClassVar[Mapping[str, str]] = {
        "app_id": "cli_1",
        "app_secret": "feishu-secret",
        "encrypt_key": "feishu-key",
        "verification_token": "feishu-token",
    }
    spoiled: ClassVar[Mapping[str, str]] = {"encrypt_key": "other"}

    def message(self, said: Said, *, at: float) -> PlatformCall:
        mentions = []
        text = said.text
        if said.mentions_bot:
            text = f"@_user_1 {text}"
            mentions = [{"key": "@_user_1", "id": {"open_id": "ou_bot"}, "name": "Helper"}]
        kind, content = "text", {"text": text}
        if said.file:
            kind, content = "file", {"file_key": said.file, "file_name": "notes.txt"}
        message: dict[str, Any] = {
            "message_id": f"om_{said.id}",
            "create_time": str(int(at * 1000)),
            "chat_id": said.chat,
            "chat_type": "group" if said.is_group else "p2p",
            "message_type": kind,
            "content": json.dumps(content),
            "mentions": mentions,
        }
        if said.thread:
            message["thread_id"] = said.thread
        sender = {"sender_id": {"open_id": said.sender}, "sender_type": "user"}
        return self._event("im.message.receive_v1", {"sender": sender, "message": message}, at)

    def handshake(self, challenge: str, *, at: float) -> PlatformCall:
        said = {"challenge": challenge, "token": "feishu-token", "type": "url_verification"}
        return self._call(said, at)

    def other(self, *, at: float) -> PlatformCall:
        return self._event("im.chat.member.bot.added_v1", {"chat_id": "c1"}, at)

    def shaken(self, body: bytes) -> str:
        return str(json.loads(body)["challenge"])

    def _event(self, kind: str, event: Mapping[str, Any], at: float) -> PlatformCall:
        header = {
            "event_id": secrets.token_hex(8),
            "event_type": kind,
            "token": "feishu-token",
            "create_time": str(int(at * 1000)),
            "app_id": "cli_1",
            "tenant_key": "t1",
        }
        return self._call({"schema": "2.0", "header": header, "event": event}, at)

    def _call(self, said: Mapping[str, Any], at: float) -> PlatformCall:
        key, iv = hashlib.sha256(b"feishu-key").digest(), secrets.token_bytes(16)
        plain = pad(json.dumps(said).encode(), 16)
        sealed = base64.b64encode(iv + AES.new(key, AES.MODE_CBC, iv).encrypt(plain))
        body = json.dumps({"encrypt": sealed.decode()}).encode()
        timestamp, nonce = str(int(at)), secrets.token_hex(4)
        signed = hashlib.sha256((timestamp + nonce + "feishu-key").encode() + body).hexdigest()
        headers = {
            "x-lark-request-timestamp": timestamp,
            "x-lark-request-nonce": nonce,
            "x-lark-signature": signed,
            "content-type": "application/json",
        }
        return PlatformCall(method="POST", query={}, headers=headers, body=body)


class WeComCaller(Caller):
    """Messages to an app, in safe mode."""

    platform = "wecom"
    bot_id = "1000002"
    credentials: ClassVar[Mapping[str, str]] = {
        "corp_id": "ww1",
        "agent_id": "1000002",
        "corp_secret": "wecom-secret",
        "token": "wecom-token",
        "encoding_aes_key": AES_KEY,
    }
    spoiled: ClassVar[Mapping[str, str]] = {"token": "other"}

    def message(self, said: Said, *, at: float) -> PlatformCall:
        inner = f"<MsgType>text</MsgType><Content><![CDATA[{said.text}]]></Content>"
        if said.file:
            inner = f"<MsgType>image</MsgType><MediaId>{said.file}</MediaId>"
        return self._post(
            f"<xml><ToUserName>ww1</ToUserName><FromUserName>{said.sender}</FromUserName>"
            f"<CreateTime>{int(at)}</CreateTime>{inner}<MsgId>{said.id}</MsgId>"
            "<AgentID>1000002</AgentID></xml>",
            at,
        )

    def handshake(self, challenge: str, *, at: float) -> PlatformCall:
        echo = PrpCrypto(self._crypto.key).encrypt(challenge, "ww1").decode()
        query = self._signed(echo, str(int(at)), secrets.token_hex(4)) | {"echostr": echo}
        return PlatformCall(method="GET", query=query, headers={}, body=b"")

    def other(self, *, at: float) -> PlatformCall:
        return self._post(
            "<xml><ToUserName>ww1</ToUserName><FromUserName>ann</FromUserName>"
            f"<CreateTime>{int(at)}</CreateTime><MsgType>event</MsgType>"
            "<Event>subscribe</Event><AgentID>1000002</AgentID></xml>",
            at,
        )

    def shaken(self, body: bytes) -> str:
        return body.decode()

    @property
    def _crypto(self) -> Any:
        return WeChatCrypto("wecom-token", AES_KEY, "ww1")

    def _post(self, message: str, at: float) -> PlatformCall:
        timestamp, nonce = str(int(at)), secrets.token_hex(4)
        body = self._crypto.encrypt_message(message, nonce, timestamp).encode()
        sealed = body.split(b"<Encrypt><![CDATA[")[1].split(b"]]>")[0].decode()
        return PlatformCall(
            method="POST",
            query=self._signed(sealed, timestamp, nonce),
            headers={"content-type": "text/xml"},
            body=body,
        )

    @staticmethod
    def _signed(sealed: str, timestamp: str, nonce: str) -> dict[str, str]:
        signer = WeChatSigner()
        signer.add_data("wecom-token", timestamp, nonce, sealed)
        return {"msg_signature": signer.signature, "timestamp": timestamp, "nonce": nonce}


class SlackCaller(Caller):
    """Events of an app."""

    platform = "slack"
    bot_id = "UBOT"
    credentials: ClassVar[Mapping[str, str]] = {
        "bot_token": "xoxb-good",
        "signing_secret": "slack-secret",
    }
    spoiled: ClassVar[Mapping[str, str]] = {"signing_secret": "other"}

    def message(self, said: Said, *, at: float) -> PlatformCall:
        event: dict[str, Any] = {
            "type": "message",
            "channel": said.chat,
            "channel_type": "channel" if said.is_group else "im",
            "user": said.sender,
            "text": f"<@UBOT> {said.text}" if said.mentions_bot else said.text,
            "ts": said.id,
        }
        if said.thread:
            event["thread_ts"] = said.thread
        if said.file:
            event["subtype"] = "file_share"
            address = f"{said.url}/files/{said.file}"
            file = {"name": "notes.txt", "mimetype": "text/plain", "url_private_download": address}
            event["files"] = [file]
        return self._event(event, at)

    def handshake(self, challenge: str, *, at: float) -> PlatformCall:
        return self._call({"token": "t", "challenge": challenge, "type": "url_verification"}, at)

    def other(self, *, at: float) -> PlatformCall:
        return self._event({"type": "member_joined_channel", "user": "ann", "channel": "c1"}, at)

    def shaken(self, body: bytes) -> str:
        return str(json.loads(body)["challenge"])

    def _event(self, event: Mapping[str, Any], at: float) -> PlatformCall:
        said = {
            "type": "event_callback",
            "team_id": "T1",
            "event": event,
            "event_id": secrets.token_hex(8),
            "authorizations": [{"user_id": "UBOT", "is_bot": True}],
        }
        return self._call(said, at)

    def _call(self, said: Mapping[str, Any], at: float) -> PlatformCall:
        body, timestamp = json.dumps(said), str(int(at))
        signer = SignatureVerifier("slack-secret", Clock())
        signature = signer.generate_signature(timestamp=timestamp, body=body)
        assert signature is not None
        headers = {
            "x-slack-request-timestamp": timestamp,
            "x-slack-signature": signature,
            "content-type": "application/json",
        }
        return PlatformCall(method="POST", query={}, headers=headers, body=body.encode())


CALLERS: tuple[Caller, ...] = (FeishuCaller(), WeComCaller(), SlackCaller())
