"""Ports: text in files and images."""
