"""Parsers of hostile documents; everything but the pool runs in jailed child processes."""
