"""A scripted messaging platform: takes what adapters send, shows it, and makes trouble."""

import json
import re
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.support.web.server import QuietHandler, QuietServer, served

Reply = tuple[int, Mapping[str, str], bytes]


def as_json(value: object, *, status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return status, {"content-type": "application/json", **named}, json.dumps(value).encode()


@dataclass
class Shown:
    """A message as readers see it; ``texts`` is what it said one after the other."""

    id: str
    texts: list[str]
    place: dict[str, Any]
    file: bytes = b""

    @property
    def text(self) -> str:
        return self.texts[-1]


@dataclass
class Platform:
    """Feishu, WeCom and Slack in one server."""

    port: int = 0
    shown: list[Shown] = field(default_factory=list)
    trouble: deque[Reply] = field(default_factory=deque)
    """What the next messages are answered with instead of being shown."""
    files: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    logins: int = 0
    token: str = "token-1"
    is_over: threading.Event = field(default_factory=threading.Event)
    _keys: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @contextmanager
    def listening(self) -> Iterator["Platform"]:
        web = _Web(("127.0.0.1", 0), _Handler)
        web.platform = self
        with served(web, self.is_over) as self.port:
            yield self

    @property
    def texts(self) -> list[str]:
        return [each.text for each in self.shown]

    def clear(self) -> None:
        """Forget what was shown, and what was to go wrong."""
        with self._lock:
            for each in (self.shown, self.trouble, self.files, self.asked, self._keys):
                each.clear()

    def answer(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Reply:
        with self._lock:
            parts = urlsplit(target)
            self.asked.append(f"{method} {parts.path}")
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            for surface in (self._feishu, self._wecom, self._slack):
                found = surface(method, parts.path, query, headers, body)
                if found is not None:
                    return found
            return 404, {}, b"{}"

    def _show(self, text: str, place: dict[str, Any], *, key: str = "", file: bytes = b"") -> str:
        if key and key in self._keys:
            return self._keys[key]
        made = f"m{len(self.shown) + 1}"
        self.shown.append(Shown(made, [text], place, file))
        if key:
            self._keys[key] = made
        return made

    def _edit(self, id_: str, text: str) -> None:
        next(each for each in self.shown if each.id == id_).texts.append(text)

    def _feishu(  # noqa: PLR0911 - a page of another's manual
        self,
        method: str,
        path: str,
        query: Mapping[str, str],
        headers: Mapping[str, str],
        body: bytes,
    ) -> Reply | None:
        if not path.startswith("/open-apis/"):
            return None
        if path.endswith("/tenant_access_token/internal"):
            self.logins += 1
            if json.loads(body)["app_secret"] != "feishu-secret":
                return as_json({"code": 10014, "msg": "app secret invalid"})
            return as_json({"code": 0, "tenant_access_token": self.token, "expire": 7200})
        if headers.get("authorization") != f"Bearer {self.token}":
            return as_json({"code": 99991663, "msg": "token invalid"}, status=400)
        if path.endswith("/bot/v3/info"):
            return as_json({"code": 0, "bot": {"open_id": "ou_bot", "app_name": "Helper"}})
        if found := re.fullmatch(r".*/messages/([^/]+)/resources/([^/]+)", path):
            return _file(self.files.get(found[2]))
        if path.endswith(("/im/v1/images", "/im/v1/files")):
            key = f"key-{len(self.files)}"
            self.files[key] = _part(body)
            return as_json({"code": 0, "data": {"image_key": key, "file_key": key}})
        if self.trouble:
            return self.trouble.popleft()
        said = json.loads(body)
        content = json.loads(said["content"])
        if method == "PATCH":
            self._edit(path.rsplit("/", 1)[1], content["body"]["elements"][0]["content"])
            return as_json({"code": 0, "data": {}})
        place = {"to": path.split("/")[-2], "in_thread": said["reply_in_thread"]}
        if said["msg_type"] in {"file", "image"}:
            key = content.get("file_key") or content["image_key"]
            made = self._show("", place, key=said["uuid"], file=self.files[key])
        else:
            text = content["body"]["elements"][0]["content"]
            made = self._show(text, place, key=said["uuid"])
        return as_json({"code": 0, "data": {"message_id": made}})

    def _wecom(  # noqa: PLR0911 - a page of another's manual
        self,
        _method: str,
        path: str,
        query: Mapping[str, str],
        _headers: Mapping[str, str],
        body: bytes,
    ) -> Reply | None:
        if not path.startswith("/cgi-bin/"):
            return None
        if path.endswith("/gettoken"):
            self.logins += 1
            if query.get("corpsecret") != "wecom-secret":
                return as_json({"errcode": 40001, "errmsg": "invalid credential"})
            return as_json({"errcode": 0, "access_token": self.token, "expires_in": 7200})
        if query.get("access_token") != self.token:
            return as_json({"errcode": 42001, "errmsg": "access_token expired"})
        if path.endswith("/agent/get"):
            return as_json({"errcode": 0, "name": "Helper"})
        if path.endswith("/media/get"):
            return _file(self.files.get(query["media_id"]))
        if path.endswith("/media/upload"):
            key = f"media-{len(self.files)}"
            self.files[key] = _part(body)
            return as_json({"errcode": 0, "media_id": key})
        if self.trouble:
            return self.trouble.popleft()
        said = json.loads(body)
        content = said[said["msgtype"]]
        place = {"to": said["touser"], "agent": said["agentid"], "type": said["msgtype"]}
        key = f"{place}{content}"
        if not said.get("enable_duplicate_check"):
            self._keys.pop(key, None)
        file = self.files[content["media_id"]] if "media_id" in content else b""
        made = self._show(content.get("content", ""), place, key=key, file=file)
        return as_json({"errcode": 0, "msgid": made})

    def _slack(  # noqa: PLR0911 - a page of another's manual
        self,
        _method: str,
        path: str,
        query: Mapping[str, str],
        headers: Mapping[str, str],
        body: bytes,
    ) -> Reply | None:
        if path.startswith("/upload/"):
            self.files[path.rsplit("/", 1)[1]] = body
            return 200, {}, b"OK"
        if headers.get("authorization") != "Bearer xoxb-good":
            return as_json({"ok": False, "error": "invalid_auth"})
        if path.startswith("/files/"):
            return _file(self.files.get(path.rsplit("/", 1)[1]))
        if path == "/api/auth.test":
            return as_json({"ok": True, "user_id": "UBOT", "user": "helper"})
        if path == "/api/files.getUploadURLExternal":
            key = f"F{len(self.files)}"
            return as_json({"ok": True, "upload_url": f"{self.url}/upload/{key}", "file_id": key})
        if self.trouble:
            return self.trouble.popleft()
        said = json.loads(body)
        if path == "/api/chat.update":
            self._edit(said["ts"], said["text"])
            return as_json({"ok": True, "ts": said["ts"]})
        place = {"to": said.get("channel") or said["channel_id"], "thread": said.get("thread_ts")}
        if path == "/api/files.completeUploadExternal":
            self._show("", place, file=self.files[said["files"][0]["id"]])
            return as_json({"ok": True})
        return as_json({"ok": True, "ts": self._show(said["text"], place)})


class _Web(QuietServer):
    platform: Platform


class _Handler(QuietHandler, BaseHTTPRequestHandler):
    def _serve(self) -> None:
        assert isinstance(self.server, _Web)
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        status, sent, data = self.server.platform.answer(self.command, self.path, headers, body)
        self.send_response(status)
        for name, value in sent.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PATCH = _serve  # noqa: N815 - named by the library


def _file(data: bytes | None) -> Reply:
    if data is None:
        return 404, {}, b"{}"
    return 200, {"content-type": "application/octet-stream"}, data


def _part(body: bytes) -> bytes:
    """Return the file of a form, which is its last part."""
    boundary = body.split(b"\r\n", 1)[0]
    last = body.split(boundary)[-2]
    return last.split(b"\r\n\r\n", 1)[1].removesuffix(b"\r\n")
