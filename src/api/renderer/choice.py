"""Which renderer a client asks for, where a surface offers several."""

from collections.abc import Mapping
from typing import Final

import msgspec

from api.renderer import RENDERERS, RenderContext, Renderer
from api.wire import query_choice
from application.conversation.dto import RunView

_FORMATS: Final = {
    name: name for name in ("coze", "events", "tags", "tags-raw", "tag-events", "playground")
}
_FLAGS: Final[Mapping[str, str]] = {"1": "1", "true": "1", "0": "", "false": ""}


class StreamOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The query parameters ``format``, ``direct`` and ``escape`` of routes that stream a run."""

    format: str | None = None
    direct: str | None = None
    escape: str | None = None

    def check(self) -> None:
        """Raise ``InvalidRequest`` naming the parameter that is wrong."""
        query_choice(self.format, _FORMATS, field="format")
        query_choice(self.direct, _FLAGS, field="direct")
        query_choice(self.escape, _FLAGS, field="escape")

    def renderer(self, run: RunView, *, default: str) -> Renderer:
        """Return the renderer; raise ``InvalidRequest`` naming the parameter that is wrong."""
        name = query_choice(self.format, _FORMATS, field="format") or default
        direct = query_choice(self.direct, _FLAGS, field="direct")
        escape = query_choice(self.escape, _FLAGS, field="escape")
        context = RenderContext(run=run, is_direct=bool(direct), escapes=escape != "")
        return RENDERERS.get(name)(context)
