"""Processes that serve and work: listeners, the application, and the life of their parts."""
