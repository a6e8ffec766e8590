"""OpenID Connect: providers, sign-in with them, and sign-out."""
