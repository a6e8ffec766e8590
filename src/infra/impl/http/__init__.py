"""Outgoing HTTP: the one package that imports httpx and aiohttp."""

import sys

# httpx imports its command line if it can, and that brings rich and pygments into each process:
# 3 MB and sixty modules that nobody here calls. Without pygments it goes without, as documented.
if "httpx" not in sys.modules and "pygments" not in sys.modules:
    sys.modules["pygments"] = None  # type: ignore[assignment]
    try:
        import httpx  # noqa: F401
    finally:
        del sys.modules["pygments"]
