"""What runs inside the sandbox, next to the user's code; standard library only."""
