"""Pages on which a person answers an application: consent, and the code of a device."""

import json
import secrets
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final

from litestar import Request, get
from litestar.response import Response
from litestar.types import ControllerRouterHandler

from api.console.header import page_headers
from api.console.preference import preference
from api.coze.oauth import CONSENT_PATH, DEVICE_PATH
from domain.shared.access import Permission

_SCRIPT_PATH: Final = "/console/consent.js"

_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "consent": "Grant access",
        "device": "Sign in on a device",
        "typed": "Type the code that the device shows.",
        "code": "Code",
        "next": "Next",
        "asks": "{app} wants to act for you",
        "from": "Registered by the workspace “{space}”. You are signed in as {user}.",
        "may": "It may, in the workspace that you choose and as far as you may yourself:",
        "workspace": "Workspace",
        "nowhere": "It asks for a workspace that you are not a member of.",
        "goes": "Afterwards you go back to {host}.",
        "approve": "Allow",
        "deny": "Refuse",
        "done": "Done. Go back to the device; it goes on by itself.",
        "refused": "Refused. You may close this page.",
        "missing": "This address is not complete. Go back to the application and begin anew.",
        "failed": "This did not work: {message}",
        "script": "This page needs JavaScript.",
    },
    "zh": {
        "consent": "授权访问",
        "device": "在设备上登录",
        "typed": "请输入设备上显示的代码。",
        "code": "代码",
        "next": "下一步",
        "asks": "{app} 请求代表您操作",
        "from": "由工作空间“{space}”注册。您当前的登录身份：{user}。",
        "may": "在您选择的工作空间内，且不超出您自己的权限，它可以：",
        "workspace": "工作空间",
        "nowhere": "它请求的工作空间您不是成员。",
        "goes": "完成后您将返回 {host}。",
        "approve": "允许",
        "deny": "拒绝",
        "done": "已完成。请回到设备，它会自动继续。",
        "refused": "已拒绝。您可以关闭此页面。",
        "missing": "此地址不完整。请回到应用重新开始。",
        "failed": "操作未成功：{message}",
        "script": "此页面需要 JavaScript。",
    },
}

PERMISSION_WORDS: Final[Mapping[Permission, tuple[str, str]]] = {
    Permission.AGENT_READ: ("see agents", "查看智能体"),
    Permission.AGENT_WRITE: ("create and change agents", "创建和修改智能体"),
    Permission.AGENT_PUBLISH: ("publish agents", "发布智能体"),
    Permission.CHAT: ("chat with agents", "与智能体对话"),
    Permission.CONVERSATION_READ: ("read your conversations", "读取您的会话"),
    Permission.CONVERSATION_WRITE: ("begin and change your conversations", "创建和修改您的会话"),
    Permission.MESSAGE_READ: ("read your messages", "读取您的消息"),
    Permission.MESSAGE_WRITE: ("write and delete your messages", "写入和删除您的消息"),
    Permission.FILE: ("upload and read files", "上传和读取文件"),
    Permission.WORKFLOW_READ: ("see workflows and their runs", "查看工作流及其运行"),
    Permission.WORKFLOW_RUN: ("run workflows", "运行工作流"),
    Permission.WORKFLOW_WRITE: ("create and change workflows", "创建和修改工作流"),
    Permission.DATASET_READ: ("read knowledge bases", "读取知识库"),
    Permission.DATASET_WRITE: ("change knowledge bases", "修改知识库"),
    Permission.VARIABLE: ("read and change variables and tables", "读取和修改变量与数据表"),
    Permission.PLUGIN_READ: ("see plugins", "查看插件"),
    Permission.PLUGIN_WRITE: ("create and change plugins", "创建和修改插件"),
    Permission.MODEL_USE: ("use models directly", "直接使用模型"),
    Permission.SPACE_READ: ("see the workspace and its members", "查看工作空间及其成员"),
    Permission.SPACE_WRITE: ("administer the workspace", "管理工作空间"),
}
"""What people read of each permission, in English and Chinese; ``admin`` is never granted."""

_STYLE: Final = """
:root { color-scheme: light dark; }
:root.light { color-scheme: light; }
:root.dark { color-scheme: dark; }
body { margin: 0; padding: 12vh 24px 24px; font: 14px/22px system-ui, sans-serif;
  background: light-dark(oklch(.985 .002 250), oklch(.175 .009 260));
  color: light-dark(oklch(.22 .015 255), oklch(.95 .004 260)); }
main { max-width: 420px; margin: 0 auto; }
h1 { font-size: 20px; line-height: 28px; margin: 0 0 8px; overflow-wrap: anywhere; }
p, ul, label { margin: 0 0 16px; overflow-wrap: anywhere; }
.quiet { color: light-dark(oklch(.44 .016 255), oklch(.76 .01 260)); }
label { display: block; }
input, select, button { font: inherit; color: inherit; box-sizing: border-box; min-height: 36px;
  padding: 6px 12px; border-radius: 8px; border: 1px solid currentColor; background: transparent; }
input, select { display: block; width: 100%; margin-top: 4px; }
option { background: Canvas; color: CanvasText; }
button { margin-right: 8px; cursor: pointer; }
button.main { color: light-dark(white, black);
  background: light-dark(oklch(.22 .015 255), oklch(.95 .004 260)); }
"""


@get(CONSENT_PATH, include_in_schema=False)
async def consent_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Answer the page that asks a person what an application may."""
    return _page(request, title="consent")


@get(DEVICE_PATH, include_in_schema=False)
async def device_page(request: Request[Any, Any, Any]) -> Response[str]:
    """Answer the page that takes the code of a device."""
    return _page(request, title="device")


@get(_SCRIPT_PATH, include_in_schema=False)
async def consent_script() -> Response[str]:
    """Answer what both pages run."""
    headers = {**page_headers(), "cache-control": "no-cache"}
    return Response(_script(), media_type="text/javascript", headers=headers)


CONSENT_PAGES: Final[tuple[ControllerRouterHandler, ...]] = (
    consent_page,
    device_page,
    consent_script,
)


def _page(request: Request[Any, Any, Any], *, title: str) -> Response[str]:
    wanted = preference(request.cookies, request.headers.get("accept-language", ""))
    number = 1 if wanted.language == "zh" else 0
    words = {
        **_WORDS["zh" if number else "en"],
        "permissions": {each.value: text[number] for each, text in PERMISSION_WORDS.items()},
    }
    told = json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")
    nonce = secrets.token_urlsafe(18)
    shown = escape(str(words[title]))
    page = (
        f'<!doctype html><html lang="{escape(wanted.language)}" class="{escape(wanted.theme)}">'
        '<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{shown} · Coterie</title><style nonce="{nonce}">{_STYLE}</style>'
        f'<script type="application/json" id="words">{told}</script>'
        f'<script src="{_SCRIPT_PATH}" defer></script></head>'
        f'<body><main data-page="{title}" aria-live="polite"><h1>{shown}</h1>'
        f"<noscript><p>{escape(str(words['script']))}</p></noscript></main></body></html>"
    )
    headers = {**page_headers(nonce), "cache-control": "no-store"}
    return Response(page, media_type="text/html", headers=headers)


@cache
def _script() -> str:
    return files(__package__).joinpath("consent.js").read_text(encoding="utf-8")
