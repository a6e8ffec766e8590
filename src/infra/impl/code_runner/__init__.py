"""Adapters that run the code of users."""
