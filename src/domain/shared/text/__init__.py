"""Texts of others: bounded, checked, and made safe to show."""
