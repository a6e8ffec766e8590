"""Agents in SQL."""
