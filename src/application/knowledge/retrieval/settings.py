"""How long the steps of a search may take, and how much a process does at once."""

import msgspec


class RetrievalSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Times and sizes of searches in knowledge bases."""

    rewrite_s: float = 5.0
    embed_s: float = 3.0
    store_s: float = 2.0
    sql_s: float = 12.0
    rerank_s: float = 3.0
    stores: int = 16
    """Calls of search stores at once, of the whole process: more only wait inside of them, where
    workspaces have no turns."""
    stores_per_search: int = 4
    tests_per_minute: int = 20
    """Search tests of one user; 0 never limits."""
    cached_queries: int = 1000
    cached_s: float = 600.0
    """How long the vector of a question is remembered."""
    hits_flush_s: float = 5.0
    hits: int = 500
    """Counted hits that are written at once, at the latest."""
