"""Adapters that pass on what runs did to collectors."""
