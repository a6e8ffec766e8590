"""The OpenAI surface, at ``/v1`` and, for FastGPT clients, once more at ``/api/v1``."""
