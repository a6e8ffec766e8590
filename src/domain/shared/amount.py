"""Amounts of points and of money as integers of 1e-8: exact, and quickly summed."""

from typing import Final

E8: Final = 10**8
"""So many of them make a whole one."""
