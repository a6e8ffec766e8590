"""Slow hashes of passwords."""
