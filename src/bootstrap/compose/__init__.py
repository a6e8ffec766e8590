"""Composition: contexts, the container that holds them, and builders of adapters."""
