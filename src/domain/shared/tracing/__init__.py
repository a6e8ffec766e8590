"""Ids and spans by which a run can be followed."""
