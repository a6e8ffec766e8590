"""Sign-in: what sessions begin and end with, and the pages for it."""
