"""What whole deployments are read out of and written into, beyond what daily work asks."""
