"""Ports: secrets, passwords, and tokens that others sign."""
