"""Commands that run, check and move a deployment."""
