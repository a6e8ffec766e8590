"""Ports: models of all kinds, one configured at one provider each."""
