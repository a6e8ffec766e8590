"""Reading of what office programs write: packages, texts, workbooks."""
