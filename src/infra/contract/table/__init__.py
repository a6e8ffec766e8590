"""Ports: tables whose columns tenants define, and statements on them."""
