"""Outgoing HTTP: the one package that imports httpx and aiohttp."""
