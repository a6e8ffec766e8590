"""Adapters that read text in images."""
