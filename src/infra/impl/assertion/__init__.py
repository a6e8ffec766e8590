"""Adapters of signed assertions."""
