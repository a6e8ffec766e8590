"""Plugins and grants in SQL."""
