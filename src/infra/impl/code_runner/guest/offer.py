"""The modules of the standard library that code nodes have at hand."""

from typing import Final

OFFERED: Final = (
    *("abc", "argparse", "array", "ast", "asyncio", "base64", "binascii", "bisect", "bz2"),
    *("calendar", "cmath", "codecs", "collections", "collections.abc", "colorsys"),
    *("concurrent.futures", "configparser", "contextlib", "contextvars", "copy", "csv"),
    *("dataclasses", "datetime", "decimal", "difflib", "email", "email.header", "email.message"),
    *("email.mime.multipart", "email.mime.text", "email.parser", "email.policy", "email.utils"),
    *("enum", "fnmatch", "fractions", "functools", "glob", "graphlib", "gzip", "hashlib", "heapq"),
    *("hmac", "html", "html.entities", "html.parser", "http", "importlib", "inspect", "io"),
    *("ipaddress", "itertools", "json", "keyword", "locale", "logging", "lzma", "math"),
    *("mimetypes", "numbers", "operator", "os", "os.path", "pathlib", "pprint", "queue"),
    *("quopri", "random", "re", "reprlib", "sched", "secrets", "shlex", "shutil", "statistics"),
    *("string", "stringprep", "struct", "sys", "tempfile", "textwrap", "time", "timeit", "token"),
    *("tokenize", "tomllib", "traceback", "types", "typing", "unicodedata", "urllib.error"),
    *("urllib.parse", "uuid", "warnings", "weakref", "xml.dom.minidom", "xml.etree.ElementTree"),
    *("xml.sax", "zipfile", "zlib", "zoneinfo"),
    # Imported by others when they are first used, when it would be too late.
    *("_pydatetime", "_strptime", "concurrent.futures.thread", "encodings.ascii"),
    *("encodings.big5", "encodings.cp1252", "encodings.gb18030", "encodings.gb2312"),
    *("encodings.gbk", "encodings.hex_codec", "encodings.idna", "encodings.iso8859_1"),
    *("encodings.latin_1", "encodings.punycode", "encodings.raw_unicode_escape"),
    *("encodings.rot_13", "encodings.shift_jis", "encodings.unicode_escape"),
    *("encodings.utf_16", "encodings.utf_16_be", "encodings.utf_16_le", "encodings.utf_32"),
    *("encodings.utf_7", "encodings.utf_8_sig", "xml.dom.expatbuilder", "xml.etree.ElementPath"),
    *("xml.sax.expatreader", "xml.sax.saxutils", "annotationlib", "email.base64mime"),
    *("email.contentmanager", "email.encoders", "email.generator", "email.headerregistry"),
    *("email.mime.base", "email.quoprimime", "html.parser", "json.scanner", "string.templatelib"),
)
