"""What owners set about a channel, and what the app says of its own there."""

import re
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from domain.channel.error import ChannelInvalid

NAME_CHARS: Final = 50
TEXT_CHARS: Final = 500
SLOW_S: Final = range(601)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")

Said = Literal["slow", "failed", "closed", "fresh", "stopped", "idle", "busy", "files"]
"""Why the app says something of its own, not the agent."""

WORDS: Final[Mapping[Said, Mapping[str, str]]] = {
    "slow": {
        "en": "Working on it; the answer will follow here.",
        "zh": "正在处理，稍后会在这里回复。",
    },
    "failed": {
        "en": "Sorry, this could not be answered. Please try again.",
        "zh": "抱歉，这次没能回答，请再试一次。",
    },
    "closed": {
        "en": "Nobody answers here at the moment.",
        "zh": "这里暂时无法回答。",
    },
    "fresh": {"en": "A new conversation begins.", "zh": "已开始新的对话。"},
    "stopped": {"en": "Stopped.", "zh": "已停止。"},
    "idle": {"en": "There is nothing to stop.", "zh": "没有正在进行的回答。"},
    "busy": {
        "en": "Too many questions at the moment; please try again later.",
        "zh": "现在问题太多，请稍后再试。",
    },
    "files": {
        "en": "A file could not be read.",
        "zh": "有一个文件无法读取。",
    },
}


class ChannelSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What owners set; ``checked`` before it is kept."""

    name: str
    is_enabled: bool = True
    """Off: the platform is still answered, and nobody else."""
    language: Literal["en", "zh"] = "en"
    """Of what the app says of its own."""
    only_when_mentioned: bool = True
    """In groups: answer those who address the app, and nobody else."""
    takes_files: bool = True
    edits: bool = True
    """Show answers while they are written, where the platform lets messages be replaced."""
    slow_after_s: int = 10
    """After how long without an answer ``slow_text`` is sent; 0: never."""
    slow_text: str = ""
    """Empty: the usual words."""
    failed_text: str = ""
    """What is said instead of an answer that failed; empty: the usual words."""
    closed_text: str = ""
    """What is said when the target is not published any more; empty: the usual words."""

    def checked(self) -> "ChannelSettings":
        """Return it trimmed; raise ``ChannelInvalid`` naming the field."""
        name = self.name.strip()
        if not 1 <= len(name) <= NAME_CHARS or _CONTROL.search(name):
            raise invalid("name", f"1 to {NAME_CHARS} characters on one line.")
        if self.slow_after_s not in SLOW_S:
            raise invalid("slow_after_s", f"0 to {SLOW_S.stop - 1}.")
        return msgspec.structs.replace(
            self,
            name=name,
            slow_text=_bounded("slow_text", self.slow_text),
            failed_text=_bounded("failed_text", self.failed_text),
            closed_text=_bounded("closed_text", self.closed_text),
        )

    def says(self, what: Said) -> str:
        """Return the words of the owner, or the usual ones."""
        own = {
            "slow": self.slow_text,
            "failed": self.failed_text,
            "closed": self.closed_text,
        }.get(what, "")
        return own or WORDS[what][self.language]


def invalid(field: str, reason: str) -> ChannelInvalid:
    """Make the refusal of a field."""
    return ChannelInvalid(f"{field}: {reason}", field=field)


def _bounded(field: str, text: str) -> str:
    trimmed = text.strip()
    if len(trimmed) > TEXT_CHARS:
        raise invalid(field, f"at most {TEXT_CHARS} characters.")
    return trimmed
