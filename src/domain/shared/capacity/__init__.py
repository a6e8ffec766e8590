"""Bounded resources, and what each workspace may have of them."""
