"""Native Python in locked processes that serve one run each."""
