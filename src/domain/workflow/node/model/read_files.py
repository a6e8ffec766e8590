"""Read files: the texts of documents given by address (FastGPT)."""

import sys
from typing import Final
from urllib.parse import urlsplit

from domain.shared.error import AppError
from domain.workflow.convert import media_type_of, split_file_url
from domain.workflow.engine.call import Call
from domain.workflow.graph import NodeConfig
from domain.workflow.node import NodeType, Result, Runner, config_of
from domain.workflow.node.needs import needed
from domain.workflow.value import OBJECT, STRING, Field, Value, list_of

FILES: Final = "$files"


class ReadFilesConfig(NodeConfig, frozen=True, kw_only=True):
    """The input ``FILES`` is a list of addresses; those beyond ``most`` are not read."""

    most: int = 20


_SEPARATOR: Final = "\n******\n"
_NO_TEXT: Final = frozenset({"image", "audio", "video"})


async def _work(call: Call) -> Result:
    config = config_of(call.node, ReadFilesConfig)
    text, files = await read_documents(call, call.inputs.get(FILES), most=config.most)
    return Result({"text": text, "files": files})


async def read_documents(call: Call, given: Value, *, most: int) -> tuple[str, list[Value]]:
    """Read the documents among files given by address; return their texts and what each is."""
    urls = [each for each in (given if isinstance(given, list) else [given]) if _has_text(each)]
    read = [await _read(call, str(url)) for url in urls[:most]]
    files: list[Value] = [{**each} for each in read]
    return _SEPARATOR.join(each["text"] for each in read), files


async def _read(call: Call, url: str) -> dict[str, str]:
    """Read a document; what is wrong with it stands in place of its text."""
    address, name = split_file_url(url)
    name = name or urlsplit(address).path.rpartition("/")[2] or "file"
    try:
        content = await needed(call.ports.documents, "documents").read(
            call.context.call,
            address,
            name=name,
            max_bytes=call.limits.http_file_bytes or sys.maxsize,
        )
    except AppError as error:
        call.warn(f"{name}: {error}")
        content = str(error)
    text = f"File: {name}\n<Content>\n{content}\n</Content>"
    return {"filename": name, "url": address, "text": text}


def _has_text(url: Value) -> bool:
    if not isinstance(url, str) or not url:
        return False
    return media_type_of(url).partition("/")[0] not in _NO_TEXT


NodeType(
    kind="read_files",
    type_id="",
    key="ReadFiles",
    names={"en": "Document parsing", "zh": "文档解析"},
    group="knowledge",
    config=ReadFilesConfig,
    outputs=(Field(name="text", type=STRING), Field(name="files", type=list_of(OBJECT))),
    null_fill=True,
    effects="read",
    time_limit="remote",
    runner=Runner(work=_work),
).register()
