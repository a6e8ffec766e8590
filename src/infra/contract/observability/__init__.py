"""Ports: what is told to those who watch the deployment."""
