"""Reading of HTML, Markdown and EPUB: trees, and the blocks in them."""
