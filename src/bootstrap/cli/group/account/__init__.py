"""Commands about who may use a deployment."""
