"""Ports: events, hints and turns between processes."""
