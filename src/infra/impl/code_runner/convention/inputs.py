"""FastGPT's convention for Python: inputs by name, and functions that it offers.

https://doc.fastgpt.io/docs/introduction/guide/dashboard/workflow/sandbox lists them.
"""

import base64
import hmac
import inspect
import json
import math
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

_DELAY_MS = 10_000
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class SystemHelper:
    """The functions, by the object that newer code calls them on."""

    @staticmethod
    def count_token(text: object) -> int:
        return math.ceil(len(str(text)) / 4)

    @staticmethod
    def str_to_base64(text: str, prefix: str = "") -> str:
        return prefix + base64.b64encode(text.encode()).decode()

    @staticmethod
    def create_hmac(algorithm: str, secret: str) -> dict[str, str]:
        """Sign the time, as robots of chat systems want it."""
        timestamp = str(int(time.time() * 1000))
        digest = hmac.new(secret.encode(), f"{timestamp}\n{secret}".encode(), algorithm).digest()
        return {"timestamp": timestamp, "sign": quote(base64.b64encode(digest).decode())}

    @staticmethod
    def delay(ms: float) -> None:
        """Take no time: nothing else happens while the code waits."""
        if ms > _DELAY_MS:
            raise ValueError(f"Delay must be <= {_DELAY_MS}ms")

    @staticmethod
    def http_request(*_: object, **__: object) -> None:
        raise RuntimeError("Code cannot reach the network here; use an HTTP node.")


def offered(params: Mapping[str, Any]) -> dict[str, Any]:
    """Names that the code finds: functions, modules, and its inputs."""
    helper = SystemHelper()
    return {
        "count_token": helper.count_token,
        "str_to_base64": helper.str_to_base64,
        "create_hmac": helper.create_hmac,
        "delay": helper.delay,
        "http_request": helper.http_request,
        "system_helper": helper,
        "SystemHelper": helper,
        "json": json,
        "math": math,
        "time": time,
        "variables": params,
        **params,
    }


def call(main: Callable[..., object], params: Mapping[str, Any]) -> object:
    """Hand inputs to the parameters of the same name; a single other one gets all of them."""
    try:
        wanted = list(inspect.signature(main).parameters.values())
    except (TypeError, ValueError):
        return main(*params.values())
    if len(wanted) == 1 and wanted[0].kind in _POSITIONAL and wanted[0].name not in params:
        return main(params)
    by_position: list[Any] = []
    by_name: dict[str, Any] = {}
    has_gap = False
    for each in wanted:
        if each.kind is each.VAR_POSITIONAL:
            by_position += list(params.values())[len(by_position) :]
        elif each.kind is each.VAR_KEYWORD:
            taken = {other.name for other in wanted}
            by_name |= {name: value for name, value in params.items() if name not in taken}
        elif each.name not in params:
            if each.default is each.empty:
                raise TypeError(f"main wants {each.name!r}, which is no input of the node.")
            has_gap = True
        elif each.kind in _POSITIONAL and not has_gap:
            by_position.append(params[each.name])
        else:
            by_name[each.name] = params[each.name]
    return main(*by_position, **by_name)
