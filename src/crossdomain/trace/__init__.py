"""What other contexts decide about traces."""
