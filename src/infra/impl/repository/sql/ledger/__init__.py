"""Sums of usage, prices and budgets in SQL."""
