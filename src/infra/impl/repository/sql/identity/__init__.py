"""Accounts, spaces, tokens and the audit log in SQL."""
