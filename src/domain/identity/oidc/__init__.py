"""OpenID Connect: providers that say who somebody is, and what is kept of it."""
