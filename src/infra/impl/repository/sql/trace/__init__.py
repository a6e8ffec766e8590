"""Traces of runs in SQL."""
