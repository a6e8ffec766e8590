"""What an agent remembers of its conversations and users; all of it is off until asked for."""

import msgspec


class MemorySettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Switches of an agent's memory.

    ``summary`` keeps what falls out of the context window as a rolling summary. ``long_term`` keeps
    facts about each end user beyond conversations. ``model_id`` names the model that does this
    work; empty means the agent's own.
    """

    summary: bool = False
    long_term: bool = False
    model_id: str = ""
