"""Conversations, runs and messages in SQL."""
