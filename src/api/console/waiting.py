"""Page shown while the console is being built: the step, the time, and what went wrong."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

LOG: Final = Path(__file__).parents[3] / "console/.build.log"
COMMAND: Final = "make console"
_STEP: Final = re.compile(r"^ *(\d+\.\d) s  (.+)$", re.MULTILINE)
_FAILED: Final = re.compile(r"^Failed: ", re.MULTILINE)
_LAST_LINES: Final = 12
_LOG_BYTES: Final = 8_000

_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "title": "Coterie",
        "building": "The console is being built",
        "once": "This happens once, and takes about a minute. The API answers already.",
        "absent": "The console is not built",
        "build": "Build it in the folder of the sources:",
        "failed": "The console could not be built",
        "again": "The API answers all the same. To try again:",
        "step": "{step}, {time} s after the start",
    },
    "zh": {
        "title": "Coterie",
        "building": "正在构建控制台",
        "once": "只需构建一次，大约一分钟。API 现在就可以使用。",
        "absent": "控制台尚未构建",
        "build": "在源码目录中构建：",
        "failed": "控制台构建失败",
        "again": "API 不受影响。重新构建：",
        "step": "{step}，已用 {time} 秒",
    },
}

PAGE_STYLE: Final = """
:root { color-scheme: light dark; }
:root.light { color-scheme: light; }
:root.dark { color-scheme: dark; }
body { margin: 0; padding: 18vh 24px 24px; font: 14px/22px system-ui, sans-serif;
  background: light-dark(oklch(.985 .002 250), oklch(.175 .009 260));
  color: light-dark(oklch(.22 .015 255), oklch(.95 .004 260)); }
main { max-width: 560px; margin: 0 auto; }
h1 { font-size: 20px; line-height: 28px; margin: 0 0 8px; }
p { margin: 0 0 16px; color: light-dark(oklch(.44 .016 255), oklch(.76 .01 260)); }
pre { font: 12px/18px ui-monospace, Menlo, Consolas, monospace; overflow: auto; padding: 12px;
  border-radius: 8px; background: light-dark(oklch(.966 .003 250), oklch(.15 .008 260)); }
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the build is."""

    step: str = ""
    seconds: str = ""
    failure: str = ""
    """Last lines of the log, where it failed."""


def progress(log: Path = LOG) -> Progress:
    """Read the log of a build; an empty answer where there is none."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - _LOG_BYTES))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return Progress()
    if _FAILED.search(text):
        return Progress(failure="\n".join(text.strip().splitlines()[-_LAST_LINES:]))
    steps = _STEP.findall(text)
    if not steps:
        return Progress()
    seconds, step = steps[-1]
    return Progress(step=step.removeprefix("console: "), seconds=seconds)


def waiting_page(found: Progress, *, language: str, theme: str, nonce: str) -> str:
    """Write the page; it comes back by itself while something may change."""
    words = _WORDS.get(language, _WORDS["en"])
    if found.failure:
        title, body = words["failed"], f"<p>{words['again']}</p><pre>{COMMAND}</pre>"
        body += f"<pre>{escape(found.failure)}</pre>"
    elif found.step:
        step = words["step"].format(step=escape(found.step), time=found.seconds)
        title, body = words["building"], f"<p>{words['once']}</p><pre>{step}</pre>"
    else:
        title, body = words["absent"], f"<p>{words['build']}</p><pre>{COMMAND}</pre>"
    return (
        f'<!doctype html><html lang="{language}" class="{theme}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="refresh" content="2"><title>{words["title"]}</title>'
        f'<style nonce="{nonce}">{PAGE_STYLE}</style></head>'
        f"<body><main><h1>{title}</h1>{body}</main></body></html>"
    )
