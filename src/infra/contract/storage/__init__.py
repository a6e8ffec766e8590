"""Ports: stores of objects and index entries, and whole deployments read or moved."""
