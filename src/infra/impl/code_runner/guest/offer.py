"""The modules of the standard library that code nodes have at hand."""

from typing import Final

OFFERED: Final = (
    *("abc", "array", "asyncio", "base64", "binascii", "bisect", "calendar", "cmath"),
    *("collections", "collections.abc", "colorsys", "concurrent.futures", "contextlib"),
    *("contextvars", "copy", "csv", "dataclasses", "datetime", "decimal", "difflib", "email"),
    *("email.message", "email.utils", "enum", "fnmatch", "fractions", "functools", "graphlib"),
    *("gzip", "hashlib", "heapq", "hmac", "html", "html.entities", "html.parser", "inspect", "io"),
    *("ipaddress", "itertools", "json", "keyword", "locale", "logging", "math", "numbers"),
    *("operator", "os", "pathlib", "pprint", "queue", "random", "re", "reprlib", "secrets"),
    *("shlex", "statistics", "string", "struct", "sys", "textwrap", "time", "timeit", "token"),
    *("tokenize", "traceback", "types", "typing", "unicodedata", "urllib.error", "urllib.parse"),
    *("uuid", "warnings", "weakref", "xml.dom.minidom", "xml.etree.ElementTree", "zlib"),
    "zoneinfo",
)
