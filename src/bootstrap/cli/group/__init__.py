"""Commands, a module or package per group; each imports what it needs when it runs."""
