"""Parts of the container: a context each, and what surrounds them."""
