"""Adapters of the egress port."""
