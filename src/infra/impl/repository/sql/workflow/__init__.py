"""Workflow definitions and runs in SQL."""
