"""Traces of runs on the admin surface."""
