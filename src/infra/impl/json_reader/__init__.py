"""Readers of lenient JSON and of parts of it."""
