"""Use cases of OAuth: applications, consent, and tokens for both."""
