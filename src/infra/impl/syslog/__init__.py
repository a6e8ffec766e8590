"""Syslog: messages of RFC 5424 over TCP and TLS."""
